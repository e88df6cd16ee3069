/// What a build read and what it made of it.
package struct CatalogBuildReport: Sendable, Hashable, Codable {
    /// A file that was read.
    package struct Source: Sendable, Hashable, Codable {
        package var name: String
        /// Size on disk in bytes.
        package var bytes: Int64
        /// Whose dump it is: a ``Provider``'s contract name or `wikidata`; nil where it held nothing of use.
        package var provider: String?
        package var lines = 0
        /// Lines that were understood.
        package var records = 0
        package var malformed = 0
        /// Lines that were passed over, by reason; nil where nobody has counted.
        package var reasons: [DumpLineError: Int]?
        /// Records that were taken; nil where nobody has counted.
        package var taken: Int?
        /// Whether something follows its packed data; nil where nobody has looked.
        package var endsInGarbage: Bool?

        /// The day of the dump as its name tells it, `2026-05-31`; nil where it does not.
        package var dumpDate: String? { DumpDate.inName(name) }
    }

    /// A line that was passed over.
    package struct Malformed: Sendable, Hashable, Codable {
        package var file: String
        /// Number of the line in its file, from 1.
        package var line: Int
        package var reason: DumpLineError
        /// Its first bytes.
        package var head: String
    }

    /// Lines kept as examples.
    package static let sampleLimit = 20
    /// Bytes of such a line that are shown.
    static let headLength = 120

    package var sources: [Source] = []
    /// Files that the catalog which was updated had been built from.
    package var earlierSources: [Source] = []
    /// The first malformed lines.
    package var samples: [Malformed] = []
    package var malformed: [DumpLineError: Int] = [:]
    package var read = DumpCounts()

    // What was noticed.
    /// Editions that lost an ISBN to another one that claims it.
    package var contestedISBNs = 0
    /// Redirects that lead nowhere: in a circle, over more than five steps, or to a deleted record.
    package var deadRedirects = 0
    /// ISBNs of editions whose work is not in the catalog.
    package var editionsWithoutWork = 0

    // What the catalog holds.
    package var isbns = 0
    package var editions = 0
    package var works = 0
    package var authors = 0
    package var titles = 0
    package var people = 0

    package init() {}

    mutating func note(_ reason: DumpLineError, file: String, line: Int, head: [UInt8]) {
        malformed[reason, default: 0] += 1
        guard samples.count < Self.sampleLimit else { return }
        let shown = String(decoding: head.prefix(Self.headLength), as: UTF8.self)
        samples.append(Malformed(file: file, line: line, reason: reason, head: shown))
    }
}
