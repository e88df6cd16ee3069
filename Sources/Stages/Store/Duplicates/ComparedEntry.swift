package import Books

/// An entry as it is compared with others of its library.
package struct ComparedEntry: Sendable, Hashable {
    /// Row ids.
    package var id: Int64
    package var edition: Int64
    package var work: Int64
    /// Library, format and source id.
    package var name: EntryName
    package var title: String
    package var subtitle = ""
    /// The first author first.
    package var authors: [String] = []
    /// ISBN-13s of its edition, as text.
    package var isbns: Set<String> = []
    /// The year in which the work was first published.
    package var firstYear: Int32?
    /// ISO 639-1.
    package var language: String?
    package var series: [StoredSeries] = []
    package var readings = StoredReadings(started: "", finished: "", earlier: [])
    package var rating: Double?
    /// Details of the copy, in a fixed order; empty where unknown.
    package var details: [String] = []
    /// The format of its own file, and those of the entries that were joined to it.
    package var formats: Set<String>

    package init(id: Int64, edition: Int64, work: Int64, name: EntryName, title: String) {
        self.id = id
        self.edition = edition
        self.work = work
        self.name = name
        self.title = title
        formats = [name.formatName]
    }

    package static func == (a: Self, b: Self) -> Bool { a.id == b.id }
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Relation of two entries, its certainty, and the reasons.
package struct DuplicateMatch: Sendable, Hashable {
    /// Their common features.
    package enum Relation: String, Sendable, CaseIterable {
        case sameEdition = "same edition"
        case otherEdition = "other edition"
        /// The same work; which edition is not known.
        case sameWork = "same work"
        /// Not certain.
        case similar
    }

    /// Whether both entries are about one reading of the book.
    package enum Reading: String, Sendable {
        case same, other, unknown
    }

    package var relation: Relation
    package var reading: Reading
    /// From 0 to 1.
    package var score: Double
    /// Evidence for and against: `for:isbn_same`, `against:year_differs`.
    package var evidence: [String]

    package var isCertain: Bool { relation != .similar }
}
