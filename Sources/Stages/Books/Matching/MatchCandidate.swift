/// A book that a provider offers for a title and an author.
struct MatchCandidate: Sendable {
    /// The provider's own record.
    var record: String
    var title: String
    var subtitle = ""
    /// Titles of its editions, translations among them.
    var otherTitles: [String] = []
    /// Each author with the names they are known by, the first author first.
    var authors: [[String]] = []
    /// Names of any of its authors; whose is not told.
    var otherNames: [String] = []
    /// First published, for a work; published, for an edition.
    var year: Int32?
    /// Whether it is one edition of a book, and not the work: its year and language are the edition's.
    var isEdition = false
    /// ISO 639-1.
    var language: String?
    var isbns: [ISBN] = []
    /// What decides between records of the same book: editions of a work, values of an edition.
    var weight: Int64 = 0
}
