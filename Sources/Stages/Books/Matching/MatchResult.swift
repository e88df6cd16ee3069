/// What comes of a search by title and author: the matcher's verdict, or the reader's, which goes before it.
enum MatchResult: Sendable, Hashable {
    /// The book with this number among those offered, matched or chosen.
    case taken(Int)
    /// The reader has chosen a record that is not among those offered.
    case named(String)
    /// Something fits, not well enough or not alone.
    case open([ReviewCandidate])
    case nothing

    init(_ wanted: WantedBook, chosen: ChosenRecord?, among offered: [MatchCandidate], of provider: Provider)
    {
        if let chosen {
            // What another provider's record says of the same book was not looked at by the reader.
            guard chosen.provider == provider else {
                self = .nothing
                return
            }
            let number = offered.firstIndex { $0.record == chosen.record }
            self = number.map(MatchResult.taken) ?? .named(chosen.record)
            return
        }
        let (verdict, ranking) = Matcher(wanted).decide(among: offered)
        switch verdict {
        case .match(let number): self = .taken(number)
        case .abstain: self = .open(Matcher.options(ranking, of: offered, from: provider))
        case .nothing: self = .nothing
        }
    }

    /// The record that it comes to.
    func record(among offered: [MatchCandidate]) -> String? {
        switch self {
        case .taken(let number): offered[number].record
        case .named(let record): record
        case .open, .nothing: nil
        }
    }
}
