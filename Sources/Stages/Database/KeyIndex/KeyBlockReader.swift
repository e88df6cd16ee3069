/// Looks keys up in a table that ``KeyBlockWriter`` wrote.
package struct KeyBlockReader {
    private let find: Statement

    package init(_ connection: Connection, table: String) throws(SQLiteError) {
        find = try connection.prepare(
            "SELECT keys FROM \(table) WHERE first <= ?1 ORDER BY first DESC LIMIT 1")
    }

    /// The values of a key, rising.
    ///
    /// - Parameter limit: Values at the most: the lowest.
    package func values(of key: Int64, limit: Int = .max) throws(SQLiteError) -> [Int64] {
        find.bind(1, key)
        guard try find.step() else { return [] }
        defer { find.reset() }
        return find.withBytes(0) { KeyBlock.values(of: key, in: $0, limit: limit) }
    }

    /// Hands out all keys of such a table, rising.
    package static func visit(
        _ table: String, in connection: Connection, _ body: (KeyBlock.Item) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        let blocks = try connection.prepare("SELECT keys FROM \(table) ORDER BY first")
        while try blocks.step() {
            for item in blocks.withBytes(0, { KeyBlock.items($0) }) { try body(item) }
        }
    }
}
