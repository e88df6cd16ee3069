import Database

/// Numbers of what is known by its name: libraries and layouts.
enum InternTable {
    /// The number of a row, made where there is none yet. In the caller's transaction.
    ///
    /// - Parameters:
    ///   - names: What the row is known by, a value for each of `columns`.
    ///   - columns: Columns of the table that are unique together.
    static func number(
        of names: [String], in table: String, columns: [String], _ connection: Connection
    ) throws(SQLiteError) -> Int64 {
        let list = columns.joined(separator: ", ")
        let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        // A change that changes nothing, for a row that was passed over would return nothing.
        let sql = """
            INSERT INTO \(table)(\(list)) VALUES (\(marks))
            ON CONFLICT(\(list)) DO UPDATE SET \(columns[0]) = \(columns[0]) RETURNING id
            """
        let insert = try connection.prepare(sql)
        for (index, name) in names.enumerated() { insert.bind(Int32(index + 1), name) }
        defer { insert.reset() }
        guard try insert.step() else { throw SQLiteError.noRow(sql, connection.path) }
        return insert.integer(0)
    }
}
