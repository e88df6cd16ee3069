/// Walks over a run's keys in their order, a block in memory at a time.
struct KeyRunCursor {
    private let read: Statement
    private let blocks: Range<Int64>
    private var nextBlock: Int64
    private var items: [KeyBlock.Item] = []
    private var place = 0

    init(_ run: StoredKeys.Run, in connection: Connection) throws(SQLiteError) {
        read = try connection.prepare("SELECT keys FROM key_blocks WHERE id = ?1")
        blocks = run.firstBlock..<run.firstBlock + Int64(run.fences.count)
        nextBlock = blocks.lowerBound
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
        while items.isEmpty, nextBlock < blocks.upperBound {
            read.bind(1, nextBlock)
            defer { read.reset() }
            nextBlock += 1
            guard try read.step() else { continue }
            items = read.withBytes(0) { KeyBlock.items($0) }
        }
    }
}
