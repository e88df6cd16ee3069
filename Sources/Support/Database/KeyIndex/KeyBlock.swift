import Bytes
package import System

/// The stored form of a block of keys: keys with their values, sixteen bytes each, in ascending order of
/// keys.
package enum KeyBlock {
    package typealias Item = (key: Int64, value: Int64)

    /// Maximum number of keys in a block. 8,000 bytes are a page of a catalog, or half a page of a store.
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

    /// Number of keys in a block. An incomplete key at the end is ignored.
    static func count(_ block: UnsafeRawBufferPointer) -> Int { block.count / itemBytes }

    /// The item at an index below ``count(_:)``.
    @inline(__always)
    package static func item(_ place: Int, of block: UnsafeRawBufferPointer) -> Item {
        let at = place * itemBytes
        return (
            Int64(littleEndian: block.loadUnaligned(fromByteOffset: at, as: Int64.self)),
            Int64(littleEndian: block.loadUnaligned(fromByteOffset: at + 8, as: Int64.self))
        )
    }

    /// All items in order.
    static func items(_ block: UnsafeRawBufferPointer) -> [Item] {
        (0..<count(block)).map { item($0, of: block) }
    }

    /// The value of a key, or the lowest if it has several; nil if the block does not have the key.
    static func value(of key: Int64, in block: UnsafeRawBufferPointer) -> Int64? {
        let place = place(of: key, in: block)
        guard place < count(block) else { return nil }
        let item = item(place, of: block)
        return item.key == key ? item.value : nil
    }

    /// The values of a key in ascending order.
    ///
    /// - Parameter limit: Maximum number of values.
    static func values(of key: Int64, in block: UnsafeRawBufferPointer, limit: Int) -> [Int64] {
        var values: [Int64] = []
        for place in place(of: key, in: block)..<count(block) {
            let item = item(place, of: block)
            guard item.key == key, values.count < limit else { break }
            values.append(item.value)
        }
        return values
    }

    /// Appends the items of a range of keys.
    ///
    /// - Parameter limit: Maximum number of items in `items`.
    /// - Returns: Whether the block has a key above the range.
    package static func append(
        _ keys: ClosedRange<Int64>, of block: UnsafeRawBufferPointer, _ limit: Int, to items: inout [Item]
    ) -> Bool {
        for place in place(of: keys.lowerBound, in: block)..<count(block) {
            let item = item(place, of: block)
            if item.key > keys.upperBound { return true }
            guard items.count < limit else { return false }
            items.append(item)
        }
        return false
    }

    /// The index of the first item whose key is not below `key`.
    @inline(__always)
    private static func place(of key: Int64, in block: UnsafeRawBufferPointer) -> Int {
        (0..<count(block)).partitioningIndex { item($0, of: block).key >= key }
    }
}

/// Looks up keys in a table written by ``KeyBlockWriter``.
package struct KeyBlockReader {
    private let find: Statement
    private let next: Statement

    package init(_ connection: Connection, table: String) throws(ETLError) {
        find = try connection.prepare(
            "SELECT keys FROM \(table) WHERE first <= ?1 ORDER BY first DESC LIMIT 1")
        next = try connection.prepare("SELECT keys FROM \(table) WHERE first > ?1 ORDER BY first LIMIT 1")
    }

    /// The values of a key in ascending order.
    ///
    /// - Parameter limit: Maximum number of values; the lowest are returned.
    package func values(of key: Int64, limit: Int = .max) throws(ETLError) -> [Int64] {
        find.bind(1, key)
        guard try find.next() else { return [] }
        defer { find.reset() }
        return find.withBytes(0) { KeyBlock.values(of: key, in: $0, limit: limit) }
    }

    /// The items of a range of keys in ascending order.
    ///
    /// - Parameter limit: Maximum number of items; those with the lowest keys are returned.
    package func items(of keys: ClosedRange<Int64>, limit: Int) throws(ETLError) -> [KeyBlock.Item] {
        var items: [KeyBlock.Item] = []
        find.bind(1, keys.lowerBound)
        // A key below the first one of the table is before all blocks.
        var isBehind = false
        if try find.next() {
            isBehind = find.withBytes(0) { KeyBlock.append(keys, of: $0, limit, to: &items) }
        }
        find.reset()
        while !isBehind, items.count < limit {
            next.bind(1, items.last?.key ?? keys.lowerBound)
            defer { next.reset() }
            guard try next.next() else { break }
            isBehind = next.withBytes(0) { KeyBlock.append(keys, of: $0, limit, to: &items) }
        }
        return items
    }

    /// Calls `body` with all items of a table, in ascending order.
    package static func visit(
        _ table: String, in connection: Connection, _ body: (KeyBlock.Item) throws(ETLError) -> Void
    ) throws(ETLError) {
        let blocks = try connection.prepare("SELECT keys FROM \(table) ORDER BY first")
        while try blocks.next() {
            for item in blocks.withBytes(0, { KeyBlock.items($0) }) { try body(item) }
        }
    }
}

/// Iterates over the items of consecutive blocks of a table, with one block in memory at a time.
struct KeyBlockCursor {
    private let read: Statement
    private let end: Int64
    private var nextBlock: Int64
    private var items: [KeyBlock.Item] = []
    private var place = 0

    /// - Parameters:
    ///   - blocks: The ids of the blocks.
    ///   - table: A table `(id INTEGER PRIMARY KEY, keys BLOB NOT NULL)`.
    init(_ blocks: Range<Int64>, of table: String, in connection: Connection) throws(ETLError) {
        read = try connection.prepare("SELECT keys FROM \(table) WHERE id = ?1")
        nextBlock = blocks.lowerBound
        end = blocks.upperBound
        try load()
    }

    /// The current item; nil after the last one.
    var item: KeyBlock.Item? { place < items.count ? items[place] : nil }

    mutating func advance() throws(ETLError) {
        place += 1
        if place >= items.count { try load() }
    }

    private mutating func load() throws(ETLError) {
        items.removeAll(keepingCapacity: true)
        place = 0
        while items.isEmpty, nextBlock < end {
            read.bind(1, nextBlock)
            defer { read.reset() }
            nextBlock += 1
            guard try read.next() else { continue }
            items = read.withBytes(0) { KeyBlock.items($0) }
        }
    }
}

/// Writes a table of sorted keys once, for ``KeyBlockReader``.
///
/// A row has a block of several hundred keys and is found by its first key. A lookup reads about as much as
/// in a table with one row per key, but a hundredth of the rows is inserted. All values of a key are in one
/// block.
package struct KeyBlockWriter {
    /// The columns of such a table.
    package static let columns = "(first INTEGER PRIMARY KEY, keys BLOB NOT NULL)"

    private let insert: Statement
    private var items: [KeyBlock.Item] = []
    private let valuesOfKey: Int
    /// Number of values of the last key.
    private var values = 0
    /// Number of items appended so far, except those left out because of `valuesOfKey`.
    package private(set) var count = 0

    /// - Parameters:
    ///   - table: An empty table with ``columns``.
    ///   - valuesOfKey: Maximum number of values kept for a key; the lowest are kept. Should be the number
    ///     that lookups
    ///     need, because a key with thousands of values makes a large block, which is always read as a whole.
    package init(_ connection: Connection, table: String, valuesOfKey: Int = .max) throws(ETLError) {
        insert = try connection.prepare("INSERT INTO \(table) VALUES (?1, ?2)")
        self.valuesOfKey = valuesOfKey
    }

    /// - Parameter item: Must not be below earlier items.
    package mutating func append(_ item: KeyBlock.Item) throws(ETLError) {
        if items.last?.key != item.key {
            values = 0
            if items.count >= KeyBlock.maxKeys { try writeBlock() }
        }
        guard values < valuesOfKey else { return }
        values += 1
        items.append(item)
        count += 1
    }

    /// Writes the waiting items. Nothing may be appended afterwards.
    package mutating func finish() throws(ETLError) { try writeBlock() }

    private mutating func writeBlock() throws(ETLError) {
        guard let first = items.first else { return }
        insert.bind(1, first.key)
        insert.bind(2, blob: KeyBlock.encode(items[...]))
        try insert.run()
        items.removeAll(keepingCapacity: true)
    }
}
