import Bytes
import Database
import System

/// The key indexes of a store, and the last id of each indexed table.
final class LibraryIndexes {
    let connection: Connection
    private let workKeys, isbnKeys, editionKeys: KeyIndex
    let authors: KeyIndex
    let entries: KeyIndex
    let candidates: KeyIndex

    let keyspaces: Keyspaces
    /// The keyspace in which works and editions are found and added: that of the library being written.
    var keyspace = Keyspace.shared

    /// `ol:…` of a work → work.
    var works: KeyspaceIndex { KeyspaceIndex(keys: workKeys, space: keyspace) }
    /// ISBN-13 as a number → edition.
    var isbns: KeyspaceIndex { KeyspaceIndex(keys: isbnKeys, space: keyspace) }
    /// `title:…` of an edition without ISBN → edition.
    var editions: KeyspaceIndex { KeyspaceIndex(keys: editionKeys, space: keyspace) }

    /// The last number under which a record's rows are stored (``RowNumbers``).
    var lastRow: Int64
    var lastAuthor: Int64

    private let mark: Statement
    /// Accumulates the values read by ``prefetch(_:)``. Without a use of them the compiler would remove the
    /// reads.
    private var seen: UInt64 = 0

    /// Memory limits of the indexes.
    struct Limits: Sendable, Hashable {
        /// Keys an index holds before all indexes are flushed; each needs 20 to 40 bytes.
        var recentKeys = 1 << 14
        /// Minimum number of keys flushed at once that are written as a sorted run. Fewer go into a table.
        var keysOfRun = 1 << 12
        /// Authors kept in memory after they are on disk, because most authors of a library occur again.
        /// Three quarters of a power of two, in 8 MiB.
        var keptAuthors = 3 << 17
        /// Expected number of records; nil if unknown.
        var expectedRecords: Int?
        /// Whether filters are used. Without them every key is looked up, with the same result.
        var usesFilters = true

        /// Approximate bytes of the filter and SQLite's page cache together. The page cache gets the memory
        /// that the filter leaves.
        static let memory = 24 << 20
        /// Minimum bytes of the page cache, which is also its size while an empty store is filled.
        var leastPages = 4 << 20
        private static let maxPages = 16 << 20

        /// Bytes of the filter: six per record, which has three to five keys; 64 KiB to 24 MiB. At that size
        /// one new key in fifty is looked up without a hit; with ten million records one in twelve at the end. Nil
        /// if filling it from the stored keys would cost more than looking up the few records.
        func filterBytes(storedEntries: Int64) -> Int? {
            let expected = expectedRecords ?? 1 << 20
            guard usesFilters, storedEntries / 64 <= expected else { return nil }
            return min(max((expected + Int(storedEntries)) * 6, 1 << 16), Self.memory)
        }

        /// Bytes of the page cache next to a filter. While an empty store is filled, pages are written once
        /// and hardly read. Few are kept, so that the system gets them early.
        func pageBytes(besideFilter filter: Int?, fillingEmptyStore isFilling: Bool) -> Int {
            isFilling ? leastPages : min(max(Self.memory - (filter ?? 0), leastPages), Self.maxPages)
        }
    }

    private let limits: Limits
    private let areManyLookedUp: Bool
    private let isReadOnly: Bool
    private var all: [KeyIndex] { [workKeys, isbnKeys, editionKeys, authors, entries, candidates] }

    /// - Parameter isReadOnly: Whether the keys of rows that are not on disk yet are only kept in memory. Nothing may be
    ///   written then.
    init(
        _ connection: Connection, limits: Limits, readOnly isReadOnly: Bool = false
    ) throws(ETLError) {
        self.connection = connection
        self.limits = limits
        self.isReadOnly = isReadOnly
        keyspaces = try Keyspaces(connection)
        // Numbers that were skipped or whose rows were deleted are not used again: rows up to a mark are not
        // read back.
        func last(_ table: String) throws(ETLError) -> Int64 {
            max(
                try connection.integer("SELECT max(id) FROM \(table)") ?? 0,
                try connection.integer("SELECT row FROM flushed WHERE name = '\(table)'") ?? 0)
        }
        // Nor are the numbers of runs whose rows are gone.
        let (row, author) = try RunTable(connection).lastNumbers()
        lastAuthor = max(try last("authors"), author)
        lastRow = max(try last("works"), try last("editions"), try last("entries"), row)
        lastRow = max(lastRow, CandidateIDs.row(of: try last("candidates")))
        let isEmpty = lastRow == 0 && lastAuthor == 0
        let filterBytes = isReadOnly ? nil : limits.filterBytes(storedEntries: lastRow)
        let filter = filterBytes.map { BloomFilter(bytes: $0) }
        areManyLookedUp = filter != nil && !isEmpty
        let pages = limits.pageBytes(besideFilter: filterBytes, fillingEmptyStore: isEmpty)
        try connection.execute("PRAGMA cache_size = -\(pages / 1_024)")
        func index(_ table: String, keptAtMost: Int = 0) throws(ETLError) -> KeyIndex {
            try KeyIndex(
                connection, table: table, filter: filter, keysOfRun: limits.keysOfRun,
                keptAtMost: keptAtMost)
        }
        workKeys = try index("work_keys")
        isbnKeys = try index("edition_isbns")
        editionKeys = try index("edition_keys")
        authors = try index("author_keys", keptAtMost: limits.keptAuthors)
        entries = try index("entry_keys")
        candidates = try index("candidate_keys")
        mark = try connection.prepare("INSERT OR REPLACE INTO flushed(name, row) VALUES (?1, ?2)")
        if isEmpty { return }
        if isReadOnly {
            try readBack()
        } else {
            try connection.transaction { () throws(ETLError) in try readBack() }
        }
    }

    /// Loads the stored positions of a batch's keys into the processor cache, all at once. Otherwise each
    /// lookup would wait for memory in turn.
    func prefetch(_ batch: ResultBatchView) {
        for number in batch.rows.indices {
            seen &+= entries.prefetch(batch.rows[number].entry.key.hash)
            if let key = batch.rows[number].titleKey { seen &+= editionKeys.prefetch(keyspace.key(key).hash) }
            if let key = batch.rows[number].openLibraryKey {
                seen &+= workKeys.prefetch(keyspace.key(key).hash)
            }
        }
        for isbn in batch.isbns { seen &+= isbnKeys.prefetch(UInt64(bitPattern: keyspace.key(isbn))) }
        for author in batch.authors.indices { seen &+= authors.prefetch(batch.authors[author].place.hash) }
        for answer in batch.candidates.indices {
            seen &+= candidates.prefetch(batch.candidates[answer].place.hash)
        }
    }

    /// Deletes all keys on disk. They are rebuilt from the rows when the indexes are opened.
    static func clear(in connection: Connection) throws(ETLError) {
        for table in tables + ["key_blocks", "key_runs", "flushed"] {
            try connection.execute("DELETE FROM \(table)")
        }
    }

    private static let tables = [
        "work_keys", "edition_isbns", "edition_keys", "author_keys", "entry_keys", "candidate_keys",
    ]

    /// Whether the recent keys must be written.
    var isFlushDue: Bool {
        let most = max(
            workKeys.recentCount, isbnKeys.recentCount, editionKeys.recentCount, authors.recentCount,
            entries.recentCount, candidates.recentCount)
        return most >= limits.recentKeys
    }

    /// Merges each index into a single run if the job will look up many keys. Not done at the end of a job,
    /// because it may be the last one of its size.
    func mergeIfManyAreLookedUp() throws(ETLError) {
        guard areManyLookedUp else { return }
        try connection.transaction { () throws(ETLError) in
            for index in all { try index.mergeAll() }
        }
    }

    /// Writes the changed keys of existing rows. Runs in the caller's transaction, before its commit.
    func writeChanges() throws(ETLError) {
        for index in all { try index.writeChanges() }
    }

    /// Writes all recent keys and records up to which row the indexes are complete. Runs in the caller's
    /// transaction.
    func flush() throws(ETLError) {
        for index in all { try index.flush() }
        let last = [
            ("works", lastRow), ("editions", lastRow), ("authors", lastAuthor), ("entries", lastRow),
            ("candidates", CandidateIDs.last(ofRow: lastRow)),
        ]
        for (name, row) in last {
            try mark.run(name, row)
        }
    }

    /// After a killed run: rebuilds the keys of rows above the marks. Runs in the caller's transaction. After
    /// a rollback, these are all rows, so keys are flushed whenever necessary; the marks are right once all
    /// rows are read.
    private func readBack() throws(ETLError) {
        let keys = StoredKeys(connection: connection, keyspaces: keyspaces)
        for table in [
            JournaledTable.works, .aliases, .editions, .authors, .entries, .removedEntries, .candidates,
        ] {
            let mark = try connection.integer("SELECT row FROM flushed WHERE name = '\(table.name)'") ?? 0
            let isUnmarked = table == .aliases || table == .removedEntries ? "true" : "r.id > \(mark)"
            try keys.visit(table, where: isUnmarked) { (key, row) throws(ETLError) in
                switch key {
                case .isbn(let isbn):
                    guard try isbnKeys.value(of: isbn) == nil else { return }
                    isbnKeys.insertRecent(isbn, row)
                case .text(let key, let index):
                    let index = self[index]
                    let place = try index.place(of: key)
                    guard place.row == nil else { return }
                    index.insertRecent(key, row: row, at: place)
                }
                if isFlushDue, !isReadOnly { try flush() }
            }
        }
    }

    private subscript(_ index: StoredKeys.TextIndex) -> KeyIndex {
        switch index {
        case .works: workKeys
        case .editions: editionKeys
        case .authors: authors
        case .entries: entries
        case .candidates: candidates
        }
    }

    // MARK: Rows that come back or go

    /// The row that a key leads to; nil if there is none.
    func row(of key: StoredKeys.Key) throws(ETLError) -> Int64? {
        switch key {
        case .isbn(let isbn): try isbnKeys.value(of: isbn)
        case .text(let key, let index): try self[index].place(of: key).row
        }
    }

    /// Removes the key of a row that is deleted or changed, if it leads to that row. All keys must be on
    /// disk.
    func remove(_ key: StoredKeys.Key, of row: Int64) throws(ETLError) {
        switch key {
        case .isbn(let isbn): try isbnKeys.remove(isbn, of: row)
        case .text(let key, let index): try self[index].remove(key, of: row)
        }
    }

    /// Adds the key of an existing row, unless it leads to an earlier row.
    func change(_ key: StoredKeys.Key, of row: Int64) throws(ETLError) {
        if let other = try self.row(of: key), other <= row { return }
        switch key {
        case .isbn(let isbn): isbnKeys.change(isbn, row)
        case .text(let key, let index): try self[index].change(key, row: row)
        }
    }
}

/// The ids of contributors. Those of a work are consecutive, in their order.
package enum ContributorIDs {
    static let bits: Int64 = 16
    /// Maximum contributors of a work.
    static let maxPerWork = 1 << 16

    /// The id of a contributor.
    ///
    /// - Parameter position: Below ``maxPerWork``.
    package static func id(work: Int64, position: Int) -> Int64 { work << bits | Int64(position) }

    /// The SQL condition for the contributors of a work.
    ///
    /// - Parameters:
    ///   - work: The work's id, an SQL expression.
    ///   - alias: The table's alias, followed by a period.
    package static func condition(work: String, alias: String = "") -> String {
        "\(alias)id BETWEEN \(work) << \(bits) AND (\(work) << \(bits)) + \(maxPerWork - 1)"
    }

    /// The id of a work's first contributor, as SQL.
    package static func first(of work: String) -> String { "\(work) << \(bits)" }

    /// The work id of a contributor, as SQL.
    package static func work(alias: String = "") -> String { "\(alias)id >> \(bits)" }
}

/// The ids of candidates. Those of a record are consecutive.
enum CandidateIDs {
    private static let bits: Int64 = 8
    /// Maximum candidates of a record.
    static let maxPerRecord = 1 << 8

    /// - Parameters:
    ///   - row: The record's number.
    ///   - number: The candidate's index in the record, below ``maxPerRecord``.
    static func id(row: Int64, number: Int) -> Int64 { row << bits | Int64(number) }

    /// The number of the record that has a candidate.
    static func row(of id: Int64) -> Int64 { id >> bits }
    static func last(ofRow row: Int64) -> Int64 { id(row: row, number: maxPerRecord - 1) }
}
