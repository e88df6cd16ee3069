/// The weights of a match score, on a scale from 0 (another book) to 1 (this book).
///
/// A score is the product of title and author agreement, adjusted by other evidence. The weights were tuned
/// on the labelled pairs of `Tests/Labelled`. Compare them with ``Matcher/threshold`` (0.86): an agreement
/// below it needs further evidence for a match.
package enum MatchWeights {
    /// Agreement of one title with another.
    package enum Title {
        package static let same = 1.0
        /// The provider's title has a subtitle that the row leaves out. Exports often do, so little is lost.
        package static let subtitleMissing = 0.95
        /// The row's title has a subtitle that the provider does not have.
        package static let subtitleAdded = 0.91
        /// One word has a typing error. Only with exactly the author; if the word is short, only with the year.
        package static let mistyped = 0.91
        /// The row puts the series first: `The Lord of the Rings: The Fellowship of the Ring`.
        package static let behindSeries = 0.9
        /// The row has the series behind the title: `The Two Towers: The Lord of the Rings Trilogy`.
        package static let beforeSeries = 0.9
        /// The row has something behind the title that can be its series: enough with exactly the author.
        package static let likelySeries = 0.87
        /// The row's title is the beginning of the provider's, and the year agrees.
        package static let cutOff = 0.84
        /// The provider's title continues after a colon, and no other book of the author begins like it. It
        /// can still be a volume: a match needs the year as well.
        package static let likelySubtitle = 0.81
        /// The spelling differs by up to two letters. That can be another book: below the threshold, even if year and
        /// language agree.
        package static let similar = 0.78
        /// The text after the colon can be a subtitle or the title of another volume: below the threshold.
        package static let open = 0.78
        /// Most words are shared, which is common for titles of one author: shown for review, never accepted.
        package static let inPart = 0.6
        /// At this score no other title of the book is tried, because it could not change the decision.
        package static let goodEnough = 0.95
        /// One side lacks the number of a volume of a series.
        package static let volumeMissing = -0.08
        /// The row numbers the book, and the provider knows no other volume of the title.
        package static let volumeUnsaid = -0.1
        /// One title says book 1, the other volume 1: below the threshold.
        package static let otherVolumeNoun = -0.2
        /// One title only says number 1, which can be the volume or an issue.
        package static let unspecificVolume = -0.05
        /// The title of an edition, not of the work. A work with the title itself ranks higher.
        package static let ofEdition = -0.03
    }

    /// Agreement of one name with another.
    package enum Author {
        package static let same = 1.0
        /// The same words in another order, as in `Lem Stanisław`.
        package static let otherOrder = 0.98
        /// One given name is equal; another is an initial or missing.
        package static let sharedGivenName = 0.93
        /// Given names agree only by initials: enough if the titles agree fully, not otherwise.
        package static let initials = 0.9
        /// The same sounds in another transliteration: Dostoevsky, Dostojewski.
        package static let transliterated = 0.9
        /// One of two family names is missing: Cervantes, Cervantes Saavedra.
        package static let secondFamilyNameMissing = 0.84
        /// The family name has a typing error: a match needs the whole title and the year.
        package static let mistyped = 0.82
        /// Another form of the given name: Jim, James.
        package static let nickname = 0.93
        /// The name is not the row's first author. That one can have adapted the other's book: below the threshold,
        /// unless the year agrees.
        package static func notFirstOfRow(isOfYear: Bool) -> Double { isOfYear ? -0.09 : -0.2 }
        /// A single name: Dante is Dante Alighieri, but Smith can be anyone.
        package static let inPart = 0.75
        /// Same family name, and given names that only sound alike (Paul, Paula): the user decides.
        package static let similar = 0.7
        /// The row or the provider names no author. A title alone never reaches the threshold.
        package static let unknown = 0.7
        /// At this score no other name of the book is tried.
        package static let goodEnough = 0.95
        /// From here on a name is exactly the author's.
        package static let exact = 0.95
        /// Only one side has Jr. or Sr.; father and son can share the rest of the name.
        package static let generationMissing = -0.1
        /// The name is not the book's first author. Second authors are shared by more books.
        package static let notFirst = -0.09
        /// The name has another role or belongs to an edition: it can be a translator's.
        package static let otherName = -0.03
    }

    /// Years have little weight: catalogs date a work by the oldest edition they know, exports by any
    /// edition.
    package enum Year {
        package static let sameAsEdition = 0.02
        package static let sameAsWork = 0.05
        package static let differs = -0.06
        /// Another year is another book if an author can have several of the title: `Selected Poems`.
        package static let differsForGenericTitle = -0.2
        /// Published before the work existed.
        package static let tooEarly = -0.06
    }

    /// The score of a book without a known author, if it is the only one with exactly this title and the year
    /// agrees.
    package static let titleAlone = 0.88
    /// The score of a book that has the row's ISBN, but another title and author.
    package static let isbnAlone = 0.5
    /// The score of a book that has the row's ISBN and is used, although its title or its author differs.
    package static let isbnDoubted = 0.9
    package static let languageSame = 0.02
    package static let languageDiffers = -0.05
    /// Another ISBN is another edition, possibly of the same book.
    package static let isbnDiffers = -0.01
}
