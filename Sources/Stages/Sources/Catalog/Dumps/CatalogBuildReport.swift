import Pipeline
import System

/// Input of a build, and contents of the catalog.
package struct CatalogBuildReport: Sendable, Hashable, Codable {
    /// A file that was read.
    package struct Source: Sendable, Hashable, Codable {
        package var name: String
        /// Size on disk in bytes.
        package var bytes: Int64
        /// The dump's provider: a ``Provider``'s contract name or `wikidata`; nil if it has no usable
        /// records.
        package var provider: String?
        package var lines = 0
        /// Lines that were parsed.
        package var records = 0
        package var malformed = 0
        /// Skipped lines by reason. The catalog does not keep them: empty for a file of ``earlierSources``.
        package var reasons: [DumpLineError: Int] = [:]
        /// Records used; 0 for a file of ``earlierSources``.
        package var taken = 0
        /// Whether the gzip data is followed by other data.
        package var endsInGarbage = false

        /// The dump's date from its file name, such as `2026-05-31`; nil if the name has none.
        package var dumpDate: String? { DumpDate.inName(name) }
    }

    /// A line that was skipped.
    package struct Malformed: Sendable, Hashable, Codable {
        package var file: String
        /// Number of the line in its file, from 1.
        package var line: Int
        package var reason: DumpLineError
        /// The first bytes of the line.
        package var head: String
    }

    /// Maximum malformed lines kept as examples.
    package static let sampleLimit = 20
    /// Bytes shown of each.
    static let headLength = 120

    package var sources: [Source] = []
    /// Files that the updated catalog had been built from.
    package var earlierSources: [Source] = []
    /// The first malformed lines.
    package var samples: [Malformed] = []
    package var malformed: [DumpLineError: Int] = [:]
    package var read = DumpCounts()

    // Findings.
    /// Editions that lost an ISBN to another edition.
    package var contestedISBNs = 0
    /// Redirects without a target: circular, longer than ``Redirects/stepLimit`` steps, or to a deleted
    /// record.
    package var deadRedirects = 0
    /// ISBNs of editions whose work is not in the catalog.
    package var editionsWithoutWork = 0

    // Contents of the catalog.
    package var isbns = 0
    package var editions = 0
    package var works = 0
    package var authors = 0
    package var titles = 0
    package var people = 0

    package init() {}

    /// Every count and line number, of single files and of all.
    var numbers: [Int] {
        let files = (sources + earlierSources).flatMap { source in
            [source.lines, source.records, source.malformed, source.taken]
                + source.reasons.values
        }
        let findings = [contestedISBNs, deadRedirects, editionsWithoutWork]
        let contents = [isbns, editions, works, authors, titles, people]
        return files + samples.map(\.line) + malformed.values + read.numbers + findings + contents
    }

    mutating func note(_ reason: DumpLineError, file: String, line: Int, head: [UInt8]) {
        malformed[reason, default: 0] += 1
        guard samples.count < Self.sampleLimit else { return }
        let shown = String(decoding: head.prefix(Self.headLength), as: UTF8.self)
        samples.append(Malformed(file: file, line: line, reason: reason, head: shown))
    }
}

/// Checks that refuse dumps without usable records, so that an existing catalog is not replaced.
extension CatalogBuildReport {
    /// Lines that were read.
    var linesRead: Int { sources.reduce(0) { $0 + $1.lines } }

    /// Checks that a file read to its end was a dump.
    ///
    /// - Throws: `unusableInput` if no record was used and more lines were skipped than parsed.
    func checkSource(_ index: Int) throws(ETLError) {
        let source = sources[index]
        guard source.taken == 0, source.malformed > source.records else { return }
        throw ETLError(
            .unusableInput,
            "No usable records in `\(source.name)`: \(source.malformed) of its \(source.lines) lines were skipped "
                + "(\(Self.counts(source.reasons))).",
            advice: DumpHeader.advice)
    }

    /// Checks that there is something to build a catalog from.
    ///
    /// - Parameter updates: Whether a catalog is updated. Then redirects and deletes count as well.
    /// - Throws: `unusableInput` if there is nothing.
    func checkContent(updates: Bool) throws(ETLError) {
        guard (updates ? read.taken : read.content) == 0 else { return }
        let kinds = [
            ("of other kinds", read.others), ("redirects and deletes", read.redirects + read.deletes),
            ("malformed", malformed.values.reduce(0, +)),
        ]
        let counts = kinds.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        throw ETLError(
            .unusableInput,
            "The dumps contain no usable records (\(linesRead) lines read: \(counts.joined(separator: ", "))).",
            advice: DumpHeader.advice)
    }

    private static func counts(_ reasons: [DumpLineError: Int]) -> String {
        reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            .map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")
    }
}

/// Counts of records read from dumps, and of findings.
package struct DumpCounts: Sendable, Hashable, Codable {
    /// Lines that were parsed.
    package var records = 0
    package var editions = 0
    package var works = 0
    package var authors = 0
    package var people = 0
    package var redirects = 0
    package var deletes = 0
    /// Open Library records that are not books, and Wikidata entities that are not people who write.
    package var others = 0
    /// ISBNs with a wrong check digit, and values that are not ISBNs.
    package var wrongISBNs = 0
    /// ISBNs over the limit per edition.
    package var surplusISBNs = 0
    /// Editions without a valid ISBN. They count for their work but cannot be looked up.
    package var editionsWithoutISBN = 0
    /// Values cut to their maximum length.
    package var cutValues = 0

    /// Maximum ISBNs per edition.
    package static var isbnsOfEdition: Int { DumpISBNs.limit }

    package init() {}

    /// Records that a catalog is built from.
    var content: Int { editions + works + authors + people }
    /// Records that change a catalog.
    var taken: Int { content + redirects + deletes }

    private static let all: [any WritableKeyPath<DumpCounts, Int> & Sendable] = [
        \.records, \.editions, \.works, \.authors, \.people, \.redirects, \.deletes, \.others, \.wrongISBNs,
        \.surplusISBNs, \.editionsWithoutISBN, \.cutValues,
    ]

    static func += (counts: inout DumpCounts, other: DumpCounts) {
        for count in all { counts[keyPath: count] += other[keyPath: count] }
    }

    /// Every count.
    var numbers: [Int] { Self.all.map { self[keyPath: $0] } }
}
