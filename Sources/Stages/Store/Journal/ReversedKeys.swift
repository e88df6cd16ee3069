import Database
import System

/// Keeps the key indexes in step with the rows that are deleted and restored (``PlannedRows``).
struct ReversedKeys {
    /// Above this number of rows, all keys are rebuilt from the rows, as after a kill. Removing single keys
    /// from their blocks would cost more.
    static let mostRemoved = 50_000

    private static let tables: [JournaledTable] = [
        .works, .aliases, .editions, .authors, .entries, .removedEntries, .candidates,
    ]

    let connection: Connection
    let indexes: LibraryIndexes
    let mostRemoved: Int

    /// The jobs whose rows have the keys of rows that a reversal restores: the books were stored again since.
    /// An author that was stored again takes the place of the one to restore
    /// (``PlannedRows/replacedAuthors``).
    ///
    /// - Parameter runs: The runs that are undone.
    func jobsWithKeysOfRestoredRows(
        of runs: [Run], _ history: RunHistory
    ) throws(ETLError) -> Set<Int64> {
        guard let first = runs.first?.id else { return [] }
        var jobs: Set<Int64> = []
        for table in [JournaledTable.works, .editions, .entries] {
            try visitOthers(withKeysOf: table) { (_, other) throws(ETLError) in
                // Earlier rows had the key together with the one to restore.
                if let run = history.run(ofRow: other), run.id > first { jobs.insert(run.job) }
            }
        }
        guard jobs.isEmpty else { return jobs }
        let note = try connection.prepare(
            "INSERT OR IGNORE INTO \(PlannedRows.replacedAuthors) VALUES (?1, ?2)")
        try visitOthers(withKeysOf: .authors) { (author, other) throws(ETLError) in
            try note.run(author, other)
        }
        try connection.execute(
            """
            DELETE FROM \(PlannedRows.returning(.authors))
                WHERE id IN (SELECT id FROM \(PlannedRows.replacedAuthors))
            """)
        return []
    }

    /// Visits the rows to restore that do not exist now or have other keys, and the rows that have their keys and
    /// stay.
    private func visitOthers(
        withKeysOf table: JournaledTable, _ body: (_ row: Int64, _ other: Int64) throws(ETLError) -> Void
    ) throws(ETLError) {
        let isSame =
            switch table {
            case .works: "AND t.key IS b.key AND t.open_library IS b.open_library"
            case .editions: "AND t.key IS b.key AND t.isbns IS b.isbns"
            default: ""
            }
        let images = """
            (SELECT b.* FROM \(PlannedRows.images(table))
                WHERE NOT EXISTS (SELECT 1 FROM \(table.name) t WHERE t.id = b.id \(isSame)))
            """
        let isGone = try connection.prepare("SELECT 1 FROM \(PlannedRows.gone(table)) WHERE id = ?1")
        let keys = StoredKeys(connection: connection, keyspaces: indexes.keyspaces)
        try keys.visit(table, from: images) { (key, row) throws(ETLError) in
            guard let other = try indexes.row(of: key), other != row else { return }
            isGone.bind(1, other)
            defer { isGone.reset() }
            if try !isGone.next() { try body(row, other) }
        }
    }

    /// Deletes and restores the rows and updates the keys.
    ///
    /// - Parameter hasOthers: Whether ISBNs of deleted editions can be those of editions that stay.
    /// - Returns: False if all keys were deleted and have to be rebuilt by opening the indexes again.
    func apply(_ rows: PlannedRows, hasOthers: Bool) throws(ETLError) -> Bool {
        var count = 0
        for table in Self.tables {
            let found = try rows.count(table)
            count += found.deleted + found.restored
        }
        guard count <= mostRemoved else {
            try rows.apply()
            try LibraryIndexes.clear(in: connection)
            return false
        }
        try indexes.flush()
        let keys = StoredKeys(connection: connection, keyspaces: indexes.keyspaces)
        // At most a few for each of the removed rows.
        var numbers: Set<Int64> = []
        for table in Self.tables {
            for rows in [PlannedRows.gone(table), PlannedRows.returning(table)] {
                try keys.visit(table, from: Self.present(rows, of: table)) {
                    (key, row) throws(ETLError) in
                    try indexes.remove(key, of: row)
                    if case .isbn(let number) = key { numbers.insert(number) }
                }
            }
        }
        try rows.apply()
        for table in Self.tables {
            let restored = Self.present(PlannedRows.returning(table), of: table)
            try keys.visit(table, from: restored) { (key, row) throws(ETLError) in
                try indexes.change(key, of: row)
            }
        }
        if hasOthers { try OrphanedEditions(connection).handOver(numbers, in: indexes) }
        return true
    }

    /// The rows of a table whose keys are in a temporary table.
    private static func present(_ rows: String, of table: JournaledTable) -> String {
        "(SELECT t.* FROM temp.\(rows) g CROSS JOIN \(table.name) t ON t.\(table.key) = g.id)"
    }
}
