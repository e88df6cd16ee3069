/// A book that a provider offers for a title and author.
package struct MatchCandidate: Sendable {
    /// The provider's id of the record.
    package var record: String
    package var title: String
    package var subtitle = ""
    /// Titles of its editions, including translations.
    package var otherTitles: [String] = []
    /// The names of each author, the first author first.
    package var authors: [[String]] = []
    /// Further names of its authors; which author they belong to is unknown.
    package var otherNames: [String] = []
    /// Year of first publication of a work; year of publication of an edition.
    package var year: Int32?
    /// Whether it is an edition and not a work. Year and language are then the edition's.
    package var isEdition = false
    /// ISO 639-1.
    package var language: String?
    package var isbns: [ISBN] = []
    /// Decides between records of the same book: the number of editions of a work, or of values of an
    /// edition.
    package var weight: Int64 = 0

    /// A value of these parts.
    package init(
        record: String, title: String, subtitle: String = "", otherTitles: [String] = [],
        authors: [[String]] = [], otherNames: [String] = [], year: Int32? = nil, isEdition: Bool = false,
        language: String? = nil, isbns: [ISBN] = [], weight: Int64 = 0
    ) {
        self.record = record
        self.title = title
        self.subtitle = subtitle
        self.otherTitles = otherTitles
        self.authors = authors
        self.otherNames = otherNames
        self.year = year
        self.isEdition = isEdition
        self.language = language
        self.isbns = isbns
        self.weight = weight
    }
}
