/// The order in which a search shows the editions of a work: the one that is asked for, those of readers, the one
/// with the title that was found, then those in the languages of the request, then the newest.
///
/// The first one is the edition at hand: the work is shown under its title.
struct EditionOrder: Sendable, Hashable {
    /// Maximum number of editions that a search shows of a work.
    static let most = 10

    /// ISO 639-1, the preferred one first. Without any, an edition in the language that a source puts first goes
    /// before the others.
    var languages: [String]

    /// Why an edition goes before others; the first reason is the strongest.
    enum Rank: Int {
        case asked, readers, found, other
    }

    /// An edition with what its place depends on.
    struct Item<Value> {
        var rank: Rank
        /// ISO 639-1.
        var language: String?
        /// `YYYY-MM-DD` or `YYYY`.
        var date: String?
        /// Whether its source puts it first.
        var isDefault = false
        var value: Value
    }

    /// The editions in order, at most ``most``. Equal ones keep their order.
    func sorted<Value>(_ items: [Item<Value>]) -> [Value] {
        func precedes(_ a: (offset: Int, element: Item<Value>), _ b: (offset: Int, element: Item<Value>))
            -> Bool
        {
            let (first, second) = (a.element, b.element)
            if first.rank != second.rank { return first.rank.rawValue < second.rank.rawValue }
            let places = (place(of: first.language), place(of: second.language))
            if places.0 != places.1 { return places.0 < places.1 }
            if first.isDefault != second.isDefault { return first.isDefault }
            let dates = (first.date ?? "", second.date ?? "")
            return dates.0 != dates.1 ? dates.0 > dates.1 : a.offset < b.offset
        }
        return items.enumerated().sorted(by: precedes).prefix(Self.most).map(\.element.value)
    }

    private func place(of language: String?) -> Int {
        language.flatMap { languages.firstIndex(of: $0) } ?? languages.count
    }
}
