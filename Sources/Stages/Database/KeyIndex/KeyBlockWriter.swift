/// Writes a table of sorted keys once, to be read by ``KeyBlockReader``.
///
/// A row holds a block of some hundred keys and is found by the first of them: a look-up reads about what it would read
/// in a table with a row for each key, and a hundredth of the rows is inserted. All values of a key lie in one block.
package struct KeyBlockWriter {
    /// The columns of such a table.
    package static let columns = "(first INTEGER PRIMARY KEY, keys BLOB NOT NULL)"

    private let insert: Statement
    private var items: [KeyBlock.Item] = []
    private let valuesOfKey: Int
    /// Values of the last key.
    private var values = 0
    /// Keys written and waiting, a key with several values counted as many.
    package private(set) var count = 0

    /// - Parameters:
    ///   - table: An empty table of ``columns``.
    ///   - valuesOfKey: Values of a key that are kept, the lowest: so many as are ever asked for, or a key that thousands
    ///     share makes a block that is read as a whole for the sake of a few.
    package init(_ connection: Connection, table: String, valuesOfKey: Int = .max) throws(SQLiteError) {
        insert = try connection.prepare("INSERT INTO \(table) VALUES (?1, ?2)")
        self.valuesOfKey = valuesOfKey
    }

    /// - Parameter item: Not below those before it.
    package mutating func append(_ item: KeyBlock.Item) throws(SQLiteError) {
        if items.last?.key != item.key {
            values = 0
            if items.count >= KeyBlock.mostKeys { try writeBlock() }
        }
        guard values < valuesOfKey else { return }
        values += 1
        items.append(item)
        count += 1
    }

    /// Writes what waits. Nothing is appended after it.
    package mutating func finish() throws(SQLiteError) { try writeBlock() }

    private mutating func writeBlock() throws(SQLiteError) {
        guard let first = items.first else { return }
        insert.bind(1, first.key)
        insert.bind(2, blob: KeyBlock.encode(items[...]))
        try insert.run()
        items.removeAll(keepingCapacity: true)
    }
}
