import Database

/// How many rows an undo deletes and restores.
package struct ReversedRows: Sendable, Hashable {
    /// Rows of one table.
    package struct Count: Sendable, Hashable {
        /// Rows that existed only because of the jobs that are undone.
        package var deleted: Int
        /// Rows that those jobs had changed or deleted.
        package var restored: Int
    }

    package var works: Count
    package var editions: Count
    package var authors: Count
    package var entries: Count

    /// Counts what a reversal has found (``RunReversal/gather()``).
    init(_ connection: Connection) throws(SQLiteError) {
        func count(_ table: JournaledTable) throws(SQLiteError) -> Count {
            func rows(_ name: String) throws(SQLiteError) -> Int {
                Int(try connection.integer("SELECT count(*) FROM temp.\(name)") ?? 0)
            }
            // A row that did not exist before is deleted, whoever created it.
            let absent = try connection.integer(
                """
                SELECT count(*) FROM temp.\(RunReversal.returning(table)) g JOIN \(table.images) b
                ON b.\(table.key) = g.id AND b.run = g.run WHERE NOT b.present
                """)
            let returning = try rows(RunReversal.returning(table)) - Int(absent ?? 0)
            return Count(
                deleted: try rows(RunReversal.gone(table)) + Int(absent ?? 0), restored: returning)
        }
        works = try count(.works)
        editions = try count(.editions)
        authors = try count(.authors)
        entries = try count(.entries)
    }
}
