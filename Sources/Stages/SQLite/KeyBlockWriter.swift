/// Writes a table of sorted keys once, to be read by ``KeyBlockReader``.
///
/// A row holds a block of some hundred keys, which fills a page, and is found by the first of them: a look-up reads no
/// more pages than one in a table with a row for each key, and a hundredth of the rows is inserted. All values of a
/// key lie in one block.
struct KeyBlockWriter {
    /// The columns of such a table.
    static let columns = "(first INTEGER PRIMARY KEY, keys BLOB NOT NULL)"

    private let insert: Statement
    private var items: [KeyBlock.Item] = []
    /// Keys written and waiting.
    private(set) var count = 0

    /// - Parameter table: An empty table of ``columns``.
    init(_ connection: Connection, table: String) throws(SQLiteError) {
        insert = try connection.prepare("INSERT INTO \(table) VALUES (?1, ?2)")
    }

    /// - Parameter item: Not below those before it.
    mutating func append(_ item: KeyBlock.Item) throws(SQLiteError) {
        if items.count >= KeyBlock.mostKeys, items.last?.key != item.key { try writeBlock() }
        items.append(item)
        count += 1
    }

    /// Writes what waits. Nothing is appended after it.
    mutating func finish() throws(SQLiteError) { try writeBlock() }

    private mutating func writeBlock() throws(SQLiteError) {
        guard let first = items.first else { return }
        insert.bind(1, first.key)
        insert.bind(2, blob: KeyBlock.encode(items[...]))
        try insert.run()
        items.removeAll(keepingCapacity: true)
    }
}
