import Database

/// The waiting editions of each work, walked along with the works: both are sorted by the work's number.
struct EditionsByWork {
    private let rows: Statement
    /// Work of the row that the statement stands on; nil at the end.
    private var work: Int64?

    /// - Parameter records: The connection's name of the database in which records wait.
    init(_ connection: Connection, records: String) throws(SQLiteError) {
        rows = try connection.prepare(
            """
            SELECT coalesce(f.target, t.work), t.id, t.first, t.second FROM \(records).edition_record t
            LEFT JOIN \(records).forward f ON f.kind = 2 AND f.id = t.work
            WHERE t.work <> 0 ORDER BY 1, 2
            """)
        work = try rows.step() ? rows.integer(0) : nil
    }

    /// Hands out the titles of a work's editions; works are asked for in ascending order.
    ///
    /// - Returns: How many editions the work has.
    mutating func visit(
        _ id: Int64, _ body: (_ edition: Int64, _ title: FoldedHash) -> Void
    ) throws(SQLiteError) -> Int {
        var count = 0
        var last: Int64?
        while let current = work, current <= id {
            if current == id {
                let edition = rows.integer(1)
                if edition != last { count += 1 }
                last = edition
                if let first = rows.optionalInteger(2), let second = rows.optionalInteger(3) {
                    let title = FoldedHash(
                        first: UInt64(bitPattern: first), second: UInt64(bitPattern: second))
                    body(edition, title)
                }
            }
            work = try rows.step() ? rows.integer(0) : nil
        }
        return count
    }

    /// Leaves off, though editions of works that nobody asked for may be left: SQLite waits with much until a statement ends.
    mutating func end() {
        rows.reset()
        work = nil
    }
}
