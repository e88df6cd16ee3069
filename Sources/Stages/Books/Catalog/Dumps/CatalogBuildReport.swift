import Pipeline

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

/// What makes no catalog although it could be read: it is refused, so that the catalog that is there stays.
extension CatalogBuildReport {
    /// Lines that were read.
    var linesRead: Int { sources.reduce(0) { $0 + $1.lines } }

    /// Makes sure that a file which was read to its end was a dump.
    ///
    /// - Throws: `unusableInput` where nothing was taken of it, and more of its lines were passed over than understood.
    func checkSource(_ index: Int) throws(StageFailure) {
        let source = sources[index]
        guard source.taken ?? 0 == 0, source.malformed > source.records else { return }
        throw StageFailure(
            .unusableInput,
            "Nothing was taken of \(source.name): of its \(source.lines) lines \(source.malformed) were passed over "
                + "(\(Self.counts(source.reasons ?? [:]))).",
            advice: DumpHeader.advice)
    }

    /// Makes sure that there is something to make a catalog of.
    ///
    /// - Parameter updates: Whether a catalog is updated, for which what leads elsewhere or was deleted is something, too.
    /// - Throws: `unusableInput` where there is not.
    func checkContent(updates: Bool) throws(StageFailure) {
        guard (updates ? read.taken : read.content) == 0 else { return }
        let kinds = [
            ("of other kinds", read.others), ("redirects and deletes", read.redirects + read.deletes),
            ("malformed", malformed.values.reduce(0, +)),
        ]
        let counts = kinds.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        throw StageFailure(
            .unusableInput,
            "There is nothing to make a catalog of: no edition, work, author or person who writes in \(linesRead) lines "
                + "(\(counts.joined(separator: ", "))).",
            advice: DumpHeader.advice)
    }

    private static func counts(_ reasons: [DumpLineError: Int]) -> String {
        reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            .map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")
    }
}

/// What was read of dumps, and what was noticed on the way.
package struct DumpCounts: Sendable, Hashable, Codable {
    /// Lines that were understood.
    package var records = 0
    package var editions = 0
    package var works = 0
    package var authors = 0
    package var people = 0
    package var redirects = 0
    package var deletes = 0
    /// Open Library records of types that are no books, and Wikidata entities that are no people who write.
    package var others = 0
    /// ISBNs with a wrong check digit, or that are none at all.
    package var wrongISBNs = 0
    /// ISBNs beyond those that are taken of one edition.
    package var surplusISBNs = 0
    /// Editions without a valid ISBN: they count for their work, and no look-up returns them.
    package var editionsWithoutISBN = 0
    /// Values cut at their bound.
    package var cutValues = 0

    /// ISBNs taken of one edition.
    package static var isbnsOfEdition: Int { DumpISBNs.limit }

    package init() {}

    /// Records of which a catalog is made.
    var content: Int { editions + works + authors + people }
    /// Records that change a catalog.
    var taken: Int { content + redirects + deletes }

    static func += (tally: inout DumpCounts, other: DumpCounts) {
        tally.records += other.records
        tally.editions += other.editions
        tally.works += other.works
        tally.authors += other.authors
        tally.people += other.people
        tally.redirects += other.redirects
        tally.deletes += other.deletes
        tally.others += other.others
        tally.wrongISBNs += other.wrongISBNs
        tally.surplusISBNs += other.surplusISBNs
        tally.editionsWithoutISBN += other.editionsWithoutISBN
        tally.cutValues += other.cutValues
    }
}
