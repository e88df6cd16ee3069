import Bytes

/// A block of sorted keys as tables keep it: keys with their values, sixteen bytes each, the keys rising.
package enum KeyBlock {
    package typealias Item = (key: Int64, value: Int64)

    /// Keys of a block, 8,000 bytes of them: a page of a catalog, half of one of a store.
    static let mostKeys = 500
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
