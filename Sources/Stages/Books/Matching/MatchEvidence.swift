/// Something that speaks for or against a book's being the one a row means. Raw values are shown and stored.
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

    /// Whether it speaks for the book.
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
