import Database

/// Keeps the key indexes in step with the rows that a reversal deletes and restores.
struct ReversedKeys {
    /// Above this number of rows, all keys are rebuilt from the rows, as after a kill. Removing single keys
    /// from their blocks would cost more.
    private static let mostRemoved: Int64 = 50_000

    private static let tables: [JournaledTable] = [
        .works, .aliases, .editions, .authors, .entries, .candidates,
    ]

    let connection: Connection
    let indexes: LibraryIndexes

    /// The jobs whose rows have the keys of rows that a reversal restores: the books were stored again since.
    ///
    /// - Parameter first: The first row that can be such a row.
    func jobsWithKeys(ofRestored reversal: RunReversal, from first: Int64) throws(SQLiteError) -> Set<Int64> {
        var rows: Set<Int64> = []
        for table in [JournaledTable.works, .editions, .entries] {
            let images =
                """
                (SELECT b.* FROM \(RunReversal.returning(table)) g JOIN \(table.images) b
                    ON b.id = g.id AND b.run = g.run
                    WHERE b.present AND g.id NOT IN (SELECT id FROM \(table.name)))
                """
            try StoredKeys(connection: connection).visit(table, from: images) {
                (key, _) throws(SQLiteError) in
                if let row = try indexes.row(of: key), row >= first { rows.insert(row) }
            }
        }
        var jobs: Set<Int64> = []
        let read = try connection.prepare("SELECT \(RunTable.job(ofRow: "?1"))")
        for row in rows {
            read.bind(1, row)
            if try read.step() { jobs.insert(read.integer(0)) }
            read.reset()
        }
        return jobs
    }

    /// Applies a reversal and updates the keys.
    ///
    /// - Parameter hasLater: Whether later runs stay.
    /// - Returns: False if all keys were deleted and have to be rebuilt by opening the indexes again.
    func apply(_ reversal: RunReversal, hasLater: Bool) throws(SQLiteError) -> Bool {
        var count: Int64 = 0
        for table in Self.tables {
            for rows in [RunReversal.gone(table), RunReversal.returning(table)] {
                count += try connection.integer("SELECT count(*) FROM \(rows)") ?? 0
            }
        }
        guard count <= Self.mostRemoved else {
            try reversal.apply()
            try LibraryIndexes.clear(in: connection)
            return false
        }
        try indexes.flush()
        let keys = StoredKeys(connection: connection)
        var numbers: Set<Int64> = []
        for table in Self.tables {
            let isConcerned =
                """
                (r.\(table.key) IN (SELECT id FROM \(RunReversal.gone(table)))
                    OR r.\(table.key) IN (SELECT id FROM \(RunReversal.returning(table))))
                """
            try keys.visit(table, where: isConcerned) { (key, row) throws(SQLiteError) in
                try indexes.remove(key, of: row)
                if case .isbn(let number) = key { numbers.insert(number) }
            }
        }
        try reversal.apply()
        for table in Self.tables {
            try keys.visit(table, where: "r.\(table.key) IN (SELECT id FROM \(RunReversal.returning(table)))") {
                (key, row) throws(SQLiteError) in try indexes.insertNow(key, of: row)
            }
        }
        // Only a later run can have given a number to a second edition.
        if hasLater { try OrphanedEditions(connection).handOver(numbers, in: indexes) }
        return true
    }
}
