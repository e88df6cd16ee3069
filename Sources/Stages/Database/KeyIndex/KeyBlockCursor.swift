/// Walks over the keys of consecutive blocks of a table in their order, a block in memory at a time.
struct KeyBlockCursor {
    private let read: Statement
    private let end: Int64
    private var nextBlock: Int64
    private var items: [KeyBlock.Item] = []
    private var place = 0

    /// - Parameters:
    ///   - blocks: Their ids.
    ///   - table: A table `(id INTEGER PRIMARY KEY, keys BLOB NOT NULL)`.
    init(_ blocks: Range<Int64>, of table: String, in connection: Connection) throws(SQLiteError) {
        read = try connection.prepare("SELECT keys FROM \(table) WHERE id = ?1")
        nextBlock = blocks.lowerBound
        end = blocks.upperBound
        try load()
    }

    /// The item it stands on; nil behind the last.
    var item: KeyBlock.Item? { place < items.count ? items[place] : nil }

    mutating func advance() throws(SQLiteError) {
        place += 1
        if place >= items.count { try load() }
    }

    private mutating func load() throws(SQLiteError) {
        items.removeAll(keepingCapacity: true)
        place = 0
        while items.isEmpty, nextBlock < end {
            read.bind(1, nextBlock)
            defer { read.reset() }
            nextBlock += 1
            guard try read.step() else { continue }
            items = read.withBytes(0) { KeyBlock.items($0) }
        }
    }
}
