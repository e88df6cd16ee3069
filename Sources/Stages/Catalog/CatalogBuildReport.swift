/// What a build read and what it made of it.
package struct CatalogBuildReport: Sendable, Hashable {
    /// A file that was read.
    package struct Source: Sendable, Hashable {
        /// The file's name without its folder.
        package var name: String
        /// Size on disk.
        package var bytes: Int64
        /// Whose dump it is: a ``Provider``'s contract name or `wikidata`; nil where it held nothing of use.
        package var provider: String?
        /// Lines read, empty ones included.
        package var lines = 0
        /// Lines that were understood.
        package var records = 0
        /// Lines passed over, each for a ``DumpLineError``.
        package var malformed = 0
        /// Whether something followed the gzip data.
        package var endedInGarbage = false
    }

    /// A line that was passed over.
    package struct Malformed: Sendable, Hashable {
        /// The file's name.
        package var file: String
        /// Line in it, from 1.
        package var line: Int
        /// Why it was passed over.
        package var reason: DumpLineError
        /// Its first bytes.
        package var head: String
    }

    /// Lines kept as examples.
    package static let sampleLimit = 20

    /// In the order in which they were named.
    package var sources: [Source] = []
    /// The first malformed lines.
    package var samples: [Malformed] = []
    /// How many lines were passed over for each reason.
    package var malformed: [DumpLineError: Int] = [:]

    // What was read.
    /// Records of editions of Open Library.
    package var editionRecords = 0
    /// Records of works.
    package var workRecords = 0
    /// Records of authors.
    package var authorRecords = 0
    /// Entities of people of Wikidata.
    package var personRecords = 0
    /// Records that only name another one.
    package var redirects = 0
    /// Records that say of another one that it is gone.
    package var deletes = 0
    /// Open Library records of types that are no books, and Wikidata entities that are no people.
    package var otherRecords = 0

    // What was noticed.
    /// ISBNs with a wrong check digit, or that are none at all.
    package var wrongISBNs = 0
    /// Editions without a valid ISBN: they count for their work, and no look-up returns them.
    package var editionsWithoutISBN = 0
    /// Editions that lost an ISBN to another one that claims it.
    package var contestedISBNs = 0
    /// Values cut at their bound.
    package var cutValues = 0
    /// Redirects that lead nowhere: in a circle, over more than five steps, or to a deleted record.
    package var deadRedirects = 0
    /// Editions whose work is not in the catalog.
    package var editionsWithoutWork = 0

    // What the catalog holds.
    /// ISBNs that a look-up finds.
    package var isbns = 0
    /// Works in it.
    package var works = 0
    /// Authors in it.
    package var authors = 0
    /// Titles that a look-up finds, an author's name beside each.
    package var titles = 0
    /// People of Wikidata in it.
    package var people = 0

    /// The report of a build that has read nothing yet.
    package init() {}

    mutating func note(_ reason: DumpLineError, file: String, line: Int, head: UnsafeRawBufferPointer) {
        malformed[reason, default: 0] += 1
        guard samples.count < Self.sampleLimit else { return }
        let shown = String(decoding: head.prefix(120), as: UTF8.self)
        samples.append(Malformed(file: file, line: line, reason: reason, head: shown))
    }
}

/// How far a build has come.
package struct CatalogBuildProgress: Sendable, Hashable {
    /// What is being done.
    package enum Phase: String, Sendable, Hashable, CaseIterable {
        case reading, authors, works, titles, editions, people
    }

    /// What is being done now.
    package var phase: Phase
    /// Bytes read from disk, of all files.
    package var bytesRead: Int64
    /// Bytes of all files.
    package var totalBytes: Int64
    /// Lines read so far, of all files.
    package var lines: Int
    /// Lines a second since the build began.
    package var rate: Double
}
