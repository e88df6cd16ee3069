/// The result of a search by title and author: the user's choice if there is one, else the matcher's
/// decision.
enum MatchResult: Sendable, Hashable {
    /// The offered book with this index, matched or chosen.
    case taken(Int)
    /// The user chose a record that was not offered.
    case named(String)
    /// There are possible matches, but none is certain.
    case ambiguous([ReviewCandidate])
    case nothing

    init(_ wanted: MatchQuery, chosen: ChosenRecord?, among offered: [MatchCandidate], of provider: Provider)
    {
        if let chosen {
            // The user did not see this provider's record of the book, so it is not used.
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
        case .abstain: self = .ambiguous(Matcher.options(ranking, of: offered, from: provider))
        case .nothing: self = .nothing
        }
    }

    /// The provider's record that was matched or chosen.
    func record(among offered: [MatchCandidate]) -> String? {
        switch self {
        case .taken(let number): offered[number].record
        case .named(let record): record
        case .ambiguous, .nothing: nil
        }
    }
}

/// How well a book fits a row, and why.
struct MatchScore: Sendable, Hashable {
    /// From 0 (another book) to 1 (everything there is to compare agrees).
    var value: Double
    /// What speaks for and against the book, the title first.
    var evidence: [MatchEvidence]

    init(_ value: Double, _ evidence: [MatchEvidence]) {
        self.value = value
        self.evidence = evidence
    }

    /// A score of 0: the book cannot be the one, whatever else agrees.
    static func none(_ reason: MatchEvidence) -> MatchScore { MatchScore(0, [reason]) }
}

/// Evidence that an offered book is, or is not, the row's book. Raw values are shown and stored.
enum MatchEvidence: String, Sendable, Hashable, CaseIterable {
    // The title.
    case titleSame = "title_same"
    case subtitleUnsaid = "subtitle_unsaid"
    case subtitleUnknown = "subtitle_unknown"
    case titleBehindSeries = "title_behind_series"
    case titleOfEdition = "title_of_edition"
    case titleSpelledOtherwise = "title_spelled_otherwise"
    case titleInPart = "title_in_part"
    case titleDiffers = "title_differs"
    case subtitleDiffers = "subtitle_differs"
    case volumeSame = "volume_same"
    case volumeDiffers = "volume_differs"
    case kindDiffers = "kind_differs"

    // The author.
    case authorSame = "author_same"
    case authorOtherOrder = "author_other_order"
    case authorInitials = "author_initials"
    case authorTransliterated = "author_transliterated"
    case authorSimilar = "author_similar"
    case authorOtherName = "author_other_name"
    case authorNotFirst = "author_not_first"
    case authorInPart = "author_in_part"
    case authorDiffers = "author_differs"
    case authorUnknown = "author_unknown"

    // The rest.
    case isbnSame = "isbn_same"
    case isbnDiffers = "isbn_differs"
    case yearSame = "year_same"
    case yearDiffers = "year_differs"
    case tooEarly = "too_early"
    case languageSame = "language_same"
    case languageDiffers = "language_differs"

    /// Whether the evidence speaks for the book.
    var isFor: Bool {
        switch self {
        case .titleInPart, .titleDiffers, .subtitleUnknown, .subtitleDiffers, .volumeDiffers, .kindDiffers,
            .authorSimilar, .authorInPart, .authorDiffers, .authorUnknown, .isbnDiffers, .yearDiffers,
            .tooEarly,
            .languageDiffers:
            false
        default: true
        }
    }
}
