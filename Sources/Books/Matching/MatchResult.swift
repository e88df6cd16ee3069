/// The result of a search by title and author: the user's choice if there is one, else the matcher's
/// decision.
package enum MatchResult: Sendable, Hashable {
    /// The offered book with this index, matched or chosen. A chosen one has no score.
    case taken(Int, AcceptedMatch?)
    /// The user chose a record that was not offered.
    case named(String)
    /// There are possible matches, but none is certain.
    case ambiguous([ReviewCandidate])
    case nothing

    /// - Parameter areAll: Whether every book that fits is offered. If not, nothing is matched.
    package init(
        _ wanted: MatchQuery, chosen: ChosenRecord?, among offered: [MatchCandidate], of provider: Provider,
        areAll: Bool = true
    ) {
        if let chosen {
            // The user did not see this provider's record of the book, so it is not used.
            guard chosen.provider == provider else {
                self = .nothing
                return
            }
            let number = offered.firstIndex { $0.record == chosen.record }
            self = number.map { .taken($0, nil) } ?? .named(chosen.record)
            return
        }
        var decision = Matcher(wanted).decide(among: offered, areAll: areAll)
        switch decision.verdict {
        case .match(let number) where areAll:
            self = .taken(number, decision.score.map { AcceptedMatch($0, duplicates: decision.duplicates) })
        case .match, .abstain:
            if !areAll {
                for index in decision.ranking.indices {
                    decision.ranking[index].score.evidence.append(.tooManyBooks)
                }
            }
            self = .ambiguous(Matcher.options(decision.ranking, of: offered, from: provider))
        case .nothing: self = .nothing
        }
    }

    /// The provider's record that was matched or chosen.
    package func record(among offered: [MatchCandidate]) -> String? {
        switch self {
        case .taken(let number, _): offered[number].record
        case .named(let record): record
        case .ambiguous, .nothing: nil
        }
    }
}

/// Quality of a book's match with a row, and the reasons.
package struct MatchScore: Sendable, Hashable {
    /// From 0 (another book) to 1 (everything there is to compare agrees). While books are compared it can be
    /// higher.
    package var value: Double
    /// Evidence for and against the book, the title first.
    package var evidence: [MatchEvidence]

    package init(_ value: Double, _ evidence: [MatchEvidence]) {
        self.value = value
        self.evidence = evidence
    }

    /// The score in thousandths.
    package var rounded: Double { (value * 1_000).rounded() / 1_000 }

    /// A score of 0: the book cannot be the one, whatever else agrees.
    package static func none(_ reason: MatchEvidence) -> MatchScore { MatchScore(0, [reason]) }
}

/// Evidence that an offered book is, or is not, the row's book. Raw values are shown and stored.
package enum MatchEvidence: String, Sendable, Hashable, CaseIterable {
    // The title.
    case titleSame = "title_same"
    case subtitleUnsaid = "subtitle_unsaid"
    case subtitleUnknown = "subtitle_unknown"
    case titleBehindSeries = "title_behind_series"
    case titleOfEdition = "title_of_edition"
    case titleMistyped = "title_mistyped"
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
    case authorMistyped = "author_mistyped"
    case authorSimilar = "author_similar"
    case authorOtherName = "author_other_name"
    case authorNotFirst = "author_not_first"
    case authorInPart = "author_in_part"
    case authorDiffers = "author_differs"
    case authorUnknown = "author_unknown"

    // The rest.
    case isbnSame = "isbn_same"
    case identifierSame = "identifier_same"
    case isbnDiffers = "isbn_differs"
    case yearSame = "year_same"
    case yearDiffers = "year_differs"
    case tooEarly = "too_early"
    case languageSame = "language_same"
    case languageDiffers = "language_differs"
    /// The row's publication data single out an edition, or they do not.
    case editionSame = "edition_same"
    case editionOpen = "edition_open"
    /// More books have the title than are compared.
    case tooManyBooks = "too_many_books"

    /// Whether the evidence speaks for the book.
    package var isFor: Bool {
        switch self {
        case .titleMistyped, .titleSpelledOtherwise, .titleInPart, .titleDiffers, .subtitleUnknown,
            .subtitleDiffers, .volumeDiffers, .kindDiffers, .authorMistyped, .authorSimilar, .authorInPart,
            .authorDiffers, .authorUnknown, .isbnDiffers, .yearDiffers, .tooEarly, .languageDiffers,
            .editionOpen, .tooManyBooks:
            false
        default: true
        }
    }

    /// The evidence as it is stored and shown: `for:title_same`.
    package var signed: String { "\(isFor ? "for" : "against"):\(rawValue)" }
}

extension AcceptedMatch {
    init(_ score: MatchScore, duplicates: [String]) {
        self.init(score: score.rounded, evidence: score.evidence.map(\.signed), duplicates: duplicates)
    }
}
