/// The numbers a match score is made of, on a scale from 0 (another book) to 1 (this book).
///
/// A score is the product of title and author agreement, corrected by what else is known. The numbers were set with the
/// labelled pairs of `Tests/Labelled`: no wrong book may be attached there. They are read together with
/// ``Matcher/threshold`` (0.86): a single agreement below it needs further evidence to attach a book.
enum MatchWeights {
    /// How far one title agrees with another.
    enum Title {
        static let same = 1.0
        /// The provider's title has a subtitle that the row leaves out. Exports often do, so little is lost.
        static let subtitleMissing = 0.95
        /// The row puts the series first: `The Lord of the Rings: The Fellowship of the Ring`.
        static let behindSeries = 0.9
        /// What follows the colon may be a subtitle or the title of another volume: below the threshold.
        static let open = 0.8
        /// A spelling differs by up to two letters. Another book may differ as little: below the threshold.
        static let similar = 0.8
        /// Most words are shared, which titles of one author often do: shown for review, never attached.
        static let inPart = 0.6
        /// From here on no other title of the same book is tried: it could not change the decision.
        static let goodEnough = 0.95
        /// One side leaves out the number of a volume of a series.
        static let volumeMissing = -0.08
        /// The title of an edition, not of the work: a work with the title itself comes first.
        static let ofEdition = -0.03
    }

    /// How far one name agrees with another.
    enum Author {
        static let same = 1.0
        /// The same words in another order, as in `Lem Stanisław`.
        static let otherOrder = 0.98
        /// A given name is equal and another one is an initial or missing.
        static let sharedGivenName = 0.93
        /// Given names agree by initials alone: enough for a title that agrees fully, not for less.
        static let initials = 0.9
        /// The same sounds in another transliteration: Dostoevsky, Dostojewski.
        static let transliterated = 0.9
        /// One of two family names is missing: Cervantes, Cervantes Saavedra.
        static let secondFamilyNameMissing = 0.84
        /// One name alone: Dante is Dante Alighieri, but Smith may be anyone.
        static let inPart = 0.75
        /// Same family name, and given names that only sound alike (Paul, Paula): the user decides.
        static let similar = 0.7
        /// The row or the provider names no author. A title alone never reaches the threshold.
        static let unknown = 0.7
        /// From here on no further name of the same book is tried.
        static let goodEnough = 0.95
        /// One side has Jr. or Sr.: father and son may share the rest of the name.
        static let generationMissing = -0.1
        /// The name is not the book's first author: second authors are shared by more books.
        static let notFirst = -0.07
        /// The name has another role or belongs to an edition: it may be a translator's.
        static let otherName = -0.03
    }

    /// Years count little: catalogs date a work by the oldest edition they know, exports by any edition.
    enum Year {
        static let sameAsEdition = 0.02
        static let sameAsWork = 0.05
        static let differs = -0.06
        /// Published before the work existed.
        static let tooEarly = -0.06
    }

    static let languageSame = 0.02
    static let languageDiffers = -0.05
    /// Another ISBN is another edition, possibly of the same book.
    static let isbnDiffers = -0.01
}
