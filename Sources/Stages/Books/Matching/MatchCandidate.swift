/// A book that a provider offers for a title and author.
struct MatchCandidate: Sendable {
    /// The provider's id of the record.
    var record: String
    var title: String
    var subtitle = ""
    /// Titles of its editions, including translations.
    var otherTitles: [String] = []
    /// The names of each author, the first author first.
    var authors: [[String]] = []
    /// Further names of its authors; which author they belong to is unknown.
    var otherNames: [String] = []
    /// Year of first publication of a work; year of publication of an edition.
    var year: Int32?
    /// Whether it is an edition and not a work. Year and language are then the edition's.
    var isEdition = false
    /// ISO 639-1.
    var language: String?
    var isbns: [ISBN] = []
    /// Decides between records of the same book: the number of editions of a work, or of values of an
    /// edition.
    var weight: Int64 = 0
}
