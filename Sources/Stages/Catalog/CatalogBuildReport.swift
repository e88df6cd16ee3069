/// What a build read and what it made of it.
package struct CatalogBuildReport: Sendable, Hashable {
    /// A file that was read.
    package struct Source: Sendable, Hashable {
        package var name: String
        /// Size on disk.
        package var bytes: Int64
        /// Whose dump it is: a ``Provider``'s contract name or `wikidata`; nil where it held nothing of use.
        package var provider: String?
        package var lines = 0
        /// Lines that were understood.
        package var records = 0
        package var malformed = 0
        /// Whether something followed the gzip data.
        package var endedInGarbage = false
    }

    /// A line that was passed over.
    package struct Malformed: Sendable, Hashable {
        package var file: String
        package var line: Int
        package var reason: DumpLineError
        /// Its first bytes.
        package var head: String
    }

    /// Lines kept as examples.
    package static let sampleLimit = 20

    package var sources: [Source] = []
    /// The first malformed lines.
    package var samples: [Malformed] = []
    package var malformed: [DumpLineError: Int] = [:]

    // What was read.
    package var editionRecords = 0
    package var workRecords = 0
    package var authorRecords = 0
    package var personRecords = 0
    package var redirects = 0
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
    package var isbns = 0
    package var works = 0
    package var authors = 0
    package var titles = 0
    package var people = 0

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

    package var phase: Phase
    /// Bytes read from disk, of all files.
    package var bytesRead: Int64
    /// Bytes of all files.
    package var totalBytes: Int64
    package var lines: Int
    /// Lines a second since the build began.
    package var rate: Double
}
