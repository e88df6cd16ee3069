import Database
import System

/// Ids of rows identified by their names: libraries and layouts.
enum InternTable {
    /// The id of a row, which is created if needed. Runs in the caller's transaction.
    ///
    /// - Parameters:
    ///   - names: One value for each of `columns`.
    ///   - columns: Columns that identify a row together.
    static func number(
        of names: [String], in table: String, columns: [String], _ connection: Connection
    ) throws(ETLError) -> Int64 {
        let list = columns.joined(separator: ", ")
        let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        // `DO NOTHING` would return no row, so update a column to its own value.
        let sql = """
            INSERT INTO \(table)(\(list)) VALUES (\(marks))
            ON CONFLICT(\(list)) DO UPDATE SET \(columns[0]) = \(columns[0]) RETURNING id
            """
        let insert = try connection.prepare(sql)
        for (index, name) in names.enumerated() { insert.bind(Int32(index + 1), name) }
        defer { insert.reset() }
        guard try insert.next() else { throw ETLError.noRow(sql, connection.path) }
        return insert.integer(0)
    }
}
