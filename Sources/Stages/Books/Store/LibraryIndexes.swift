import Bytes
import Database

/// The key indexes of a store, and the last id of each table they speak of.
final class LibraryIndexes {
    let connection: Connection
    /// `ol:…` of a work → work.
    let works: KeyIndex
    /// ISBN-13 as a number → edition.
    let isbns: KeyIndex
    /// `title:…` of an edition without ISBN → edition.
    let editions: KeyIndex
    let authors: KeyIndex
    let entries: KeyIndex
    let candidates: KeyIndex

    /// The last number that a record's rows are stored under (``RowNumbers``).
    var lastRow: Int64
    var lastAuthor: Int64

    private let mark: Statement
    /// What came of reading ahead (``bringNear(_:)``): kept, or nothing would be read.
    private var seen: UInt64 = 0

    /// How much memory the indexes may use.
    struct Limits: Sendable, Hashable {
        /// Keys an index holds before all are flushed; each costs 20 to 40 bytes.
        var recentKeys = 1 << 14
        /// Keys that are written as a sorted run where at least so many are flushed at once; fewer go into a table.
        var keysOfRun = 1 << 12
        /// Authors that stay in memory once they are on disk, for most of a library's are met again: three quarters of a
        /// power of two, which fill 8 MiB.
        var keptAuthors = 3 << 17
        /// Records that are expected; nil where nothing is known of them.
        var expectedRecords: Int?
        /// Whether filters are used at all: without them every key is looked up, to the same result.
        var usesFilters = true

        /// Bytes of the filter and of SQLite's pages together, about: what a small library's filter leaves is the pages'.
        static let memory = 24 << 20
        /// Bytes of pages at the least, and while an empty store is filled.
        var leastPages = 4 << 20
        private static let maxPages = 16 << 20

        /// Bytes of the filter: six a record, which has three to five keys, 64 KiB to 24 MiB. So one new key in fifty is
        /// looked up in vain; with ten million records one in twelve, when the last of them come. Nil where filling it
        /// from so many stored keys would cost more than looking a few records up.
        func filterBytes(storedEntries: Int64) -> Int? {
            let expected = expectedRecords ?? 1 << 20
            guard usesFilters, storedEntries / 64 <= expected else { return nil }
            return min(max((expected + Int(storedEntries)) * 6, 1 << 16), Self.memory)
        }

        /// Bytes of SQLite's pages beside a filter. While an empty store is filled they are written once and hardly read:
        /// few are kept, so that they are given to the system early.
        func pageBytes(besideFilter filter: Int?, fillingEmptyStore isFilling: Bool) -> Int {
            isFilling ? leastPages : min(max(Self.memory - (filter ?? 0), leastPages), Self.maxPages)
        }
    }

    private let limits: Limits
    private let areManyLookedUp: Bool
    private var all: [KeyIndex] { [works, isbns, editions, authors, entries, candidates] }

    init(_ connection: Connection, limits: Limits) throws(SQLiteError) {
        self.connection = connection
        self.limits = limits
        // A number that was passed over or whose row was removed stays unused: rows up to a mark are not read back.
        func last(_ table: String) throws(SQLiteError) -> Int64 {
            max(
                try connection.integer("SELECT max(id) FROM \(table)") ?? 0,
                try connection.integer("SELECT row FROM flushed WHERE name = '\(table)'") ?? 0)
        }
        lastAuthor = try last("authors")
        lastRow = max(try last("works"), try last("editions"), try last("entries"))
        lastRow = max(lastRow, CandidateIDs.row(of: try last("candidates")))
        let isEmpty = lastRow == 0 && lastAuthor == 0
        let filterBytes = limits.filterBytes(storedEntries: lastRow)
        let filter = filterBytes.map { BloomFilter(bytes: $0) }
        areManyLookedUp = filter != nil && !isEmpty
        let pages = limits.pageBytes(besideFilter: filterBytes, fillingEmptyStore: isEmpty)
        try connection.execute("PRAGMA cache_size = -\(pages / 1_024)")
        func index(_ table: String, keptAtMost: Int = 0) throws(SQLiteError) -> KeyIndex {
            try KeyIndex(
                connection, table: table, filter: filter, keysOfRun: limits.keysOfRun,
                keptAtMost: keptAtMost)
        }
        works = try index("work_keys")
        isbns = try index("edition_isbns")
        editions = try index("edition_keys")
        authors = try index("author_keys", keptAtMost: limits.keptAuthors)
        entries = try index("entry_keys")
        candidates = try index("candidate_keys")
        mark = try connection.prepare("INSERT OR REPLACE INTO flushed(name, row) VALUES (?1, ?2)")
        if !isEmpty { try connection.transaction { () throws(SQLiteError) in try readBack() } }
    }

    /// Brings what is kept of a batch's keys into the processor's cache, all at once: one after the other, each look-up
    /// would wait for it.
    func bringNear(_ batch: ResultBatchView) {
        for number in batch.drafts.indices {
            seen &+= entries.touch(batch.drafts[number].entry.key.hash)
            if let key = batch.drafts[number].titleKey { seen &+= editions.touch(key.hash) }
            if let key = batch.drafts[number].openLibraryKey { seen &+= works.touch(key.hash) }
        }
        for isbn in batch.isbns { seen &+= isbns.touch(UInt64(bitPattern: isbn)) }
        for author in batch.authors.indices { seen &+= authors.touch(batch.authors[author].place.hash) }
        for answer in batch.candidates.indices {
            seen &+= candidates.touch(batch.candidates[answer].place.hash)
        }
    }

    /// Whether the recent keys are due to be written.
    var isFlushDue: Bool {
        let most = max(
            works.recentCount, isbns.recentCount, editions.recentCount, authors.recentCount,
            entries.recentCount, candidates.recentCount)
        return most >= limits.recentKeys
    }

    /// Makes one run of each index's keys where a job is to look many up: not at the end of the job before, which may be
    /// the last one of its size.
    func mergeIfManyAreLookedUp() throws(SQLiteError) {
        guard areManyLookedUp else { return }
        try connection.transaction { () throws(SQLiteError) in
            for index in all { try index.mergeAll() }
        }
    }

    /// Writes all recent keys, in the caller's transaction, and marks how far the indexes are complete.
    func flush() throws(SQLiteError) {
        for index in all { try index.flush() }
        let last = [
            ("works", lastRow), ("editions", lastRow), ("authors", lastAuthor), ("entries", lastRow),
            ("candidates", CandidateIDs.last(ofRow: lastRow)),
        ]
        for (name, row) in last {
            mark.bind(1, name)
            mark.bind(2, row)
            try mark.run()
        }
    }

    /// After a run that was killed: makes the keys of the rows above the marks again, from the rows. In the caller's
    /// transaction, for after a job was taken back these are all rows there are: keys are flushed whenever it is due, and
    /// the marks hold once all are read.
    private func readBack() throws(SQLiteError) {
        func rows(_ table: String, _ sql: String) throws(SQLiteError) -> Statement {
            let statement = try connection.prepare(sql)
            let flushed = try connection.integer("SELECT row FROM flushed WHERE name = '\(table)'") ?? 0
            statement.bind(1, flushed)
            return statement
        }
        func note(_ key: TextKey, _ row: Int64, in index: KeyIndex) throws(SQLiteError) {
            let place = try index.place(of: key)
            guard place.row == nil else { return }
            index.insertRecent(key, row: row, at: place)
            if isFlushDue { try flush() }
        }
        let works = try rows(
            "works", "SELECT id, open_library, key FROM works WHERE id > ?1 AND open_library IS NOT NULL")
        while try works.step() {
            try note(TextKey("ol:\(works.string(1))"), works.integer(0), in: self.works)
            // It may have come to another key since it was stored.
            let key = works.string(2)
            if key.hasPrefix("ol:") { try note(TextKey(key), works.integer(0), in: self.works) }
        }
        // Works that were folded into others are found by the keys they had.
        let aliases = try connection.prepare("SELECT work, key FROM aliases WHERE key LIKE 'ol:%'")
        while try aliases.step() { try note(TextKey(aliases.string(1)), aliases.integer(0), in: self.works) }
        let editions = try rows("editions", "SELECT id, key, isbns FROM editions WHERE id > ?1")
        while try editions.step() {
            let (row, key) = (editions.integer(0), editions.string(1))
            if !key.hasPrefix("isbn:") { try note(TextKey(key), row, in: self.editions) }
            for isbn in editions.withBytes(2, { StoredList.isbn13s($0) })
            where try isbns.value(of: isbn) == nil {
                isbns.insertRecent(isbn, row)
                if isFlushDue { try flush() }
            }
        }
        let authors = try rows("authors", "SELECT id, key FROM authors WHERE id > ?1")
        while try authors.step() {
            try note(TextKey(authors.string(1)), authors.integer(0), in: self.authors)
        }
        let entries = try rows(
            "entries",
            """
            SELECT n.id, n.source_id, l.name, y.profile FROM entries n
            JOIN libraries l ON l.id = n.library JOIN layouts y ON y.id = n.layout WHERE n.id > ?1
            """)
        while try entries.step() {
            let prefix = KeyComposer.entryPrefix(library: entries.string(2), profile: entries.string(3))
            let key = entries.withBytes(1) { KeyComposer.entryKey(prefix: prefix, sourceID: $0) }
            try note(key, entries.integer(0), in: self.entries)
        }
        let candidates = try rows(
            "candidates", "SELECT id, provider, match, record FROM candidates WHERE id > ?1")
        while try candidates.step() {
            guard let provider = Provider(rawValue: UInt8(truncatingIfNeeded: candidates.integer(1))),
                let match = Candidate.Match(rawValue: UInt8(truncatingIfNeeded: candidates.integer(2)))
            else { continue }
            let key = candidates.withBytes(3) { KeyComposer.candidateKey(provider, match, record: $0) }
            try note(key, candidates.integer(0), in: self.candidates)
        }
    }
}

/// The ids of contributors: those of a work stand together, in their order.
package enum ContributorIDs {
    private static let bits: Int64 = 16
    /// Contributors of a work at the most.
    static let maxPerWork = 1 << 16

    /// - Parameter position: Below ``maxPerWork``.
    static func id(work: Int64, position: Int) -> Int64 { work << bits | Int64(position) }

    /// What contributors of a work meet, as SQL.
    ///
    /// - Parameters:
    ///   - work: The work's id, an SQL expression.
    ///   - alias: The table's name with a point.
    package static func condition(work: String, alias: String = "") -> String {
        "\(alias)id BETWEEN \(work) << \(bits) AND (\(work) << \(bits)) + \(maxPerWork - 1)"
    }

    /// The id of a contributor's work, as SQL.
    package static func work(alias: String = "") -> String { "\(alias)id >> \(bits)" }
}

/// The ids of candidates: those of a record stand together.
enum CandidateIDs {
    private static let bits: Int64 = 8
    /// Candidates of a record at the most.
    static let maxRecordBytes = 1 << 8

    /// - Parameters:
    ///   - row: The record's number.
    ///   - number: The candidate's among those of the record, below ``maxRecordBytes``.
    static func id(row: Int64, number: Int) -> Int64 { row << bits | Int64(number) }

    /// The number of the record whose candidate has an id.
    static func row(of id: Int64) -> Int64 { id >> bits }
    static func last(ofRow row: Int64) -> Int64 { id(row: row, number: maxRecordBytes - 1) }
}
