import Bytes

/// A block of sorted keys as tables keep it: keys with their values, sixteen bytes each, the keys rising.
package enum KeyBlock {
    package typealias Item = (key: Int64, value: Int64)

    /// Keys of a block, 8,000 bytes of them: a page of a catalog, half of one of a store.
    static let maxKeys = 500
    private static let itemBytes = 16

    static func encode(_ items: ArraySlice<Item>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(items.count * itemBytes)
        for item in items {
            withUnsafeBytes(of: item.key.littleEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: item.value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Keys in a block; bytes at its end that make no whole one are none.
    static func count(_ block: UnsafeRawBufferPointer) -> Int { block.count / itemBytes }

    /// The item at a place below ``count(_:)``.
    @inline(__always)
    static func item(_ place: Int, of block: UnsafeRawBufferPointer) -> Item {
        let at = place * itemBytes
        return (
            Int64(littleEndian: block.loadUnaligned(fromByteOffset: at, as: Int64.self)),
            Int64(littleEndian: block.loadUnaligned(fromByteOffset: at + 8, as: Int64.self))
        )
    }

    /// All items, in their order.
    static func items(_ block: UnsafeRawBufferPointer) -> [Item] {
        (0..<count(block)).map { item($0, of: block) }
    }

    /// The value of a key, the lowest where it has several; nil where the block does not have it.
    static func value(of key: Int64, in block: UnsafeRawBufferPointer) -> Int64? {
        let place = place(of: key, in: block)
        guard place < count(block) else { return nil }
        let item = item(place, of: block)
        return item.key == key ? item.value : nil
    }

    /// The values of a key, rising.
    ///
    /// - Parameter limit: Values at the most.
    static func values(of key: Int64, in block: UnsafeRawBufferPointer, limit: Int) -> [Int64] {
        var values: [Int64] = []
        for place in place(of: key, in: block)..<count(block) {
            let item = item(place, of: block)
            guard item.key == key, values.count < limit else { break }
            values.append(item.value)
        }
        return values
    }

    /// Where a key begins, or would.
    @inline(__always)
    private static func place(of key: Int64, in block: UnsafeRawBufferPointer) -> Int {
        (0..<count(block)).partitioningIndex { item($0, of: block).key >= key }
    }
}

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
            if items.count >= KeyBlock.maxKeys { try writeBlock() }
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
