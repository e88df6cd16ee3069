/// A set of row ids, one bit each, because ids are small and mostly consecutive. Ten million works need about
/// a megabyte.
package struct RowSet {
    /// Ids of a chunk. A chunk is allocated when its first id is inserted.
    private static let chunkBits: Int64 = 16

    private var chunks: [[UInt64]] = []

    package init() {}

    package var count: Int { chunks.joined().reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Inserts an id. One that no row can have (``StoredIDs``) is ignored.
    package mutating func insert(_ id: Int64) {
        guard (0...StoredIDs.maxRow).contains(id) else { return }
        let chunk = Int(id >> Self.chunkBits)
        while chunks.count <= chunk { chunks.append([]) }
        if chunks[chunk].isEmpty { chunks[chunk] = Array(repeating: 0, count: 1 << Self.chunkBits / 64) }
        chunks[chunk][Self.word(of: id)] |= 1 << UInt64(id & 63)
    }

    package func contains(_ id: Int64) -> Bool {
        guard id >= 0, id >> Self.chunkBits < chunks.count else { return false }
        let chunk = chunks[Int(id >> Self.chunkBits)]
        return !chunk.isEmpty && chunk[Self.word(of: id)] & 1 << UInt64(id & 63) != 0
    }

    /// Index in its chunk of the word that has an id's bit.
    private static func word(of id: Int64) -> Int { Int(id & (1 << chunkBits - 1)) >> 6 }

    /// Calls `body` with the ids in ascending order.
    package func visit<Failure: Error>(_ body: (Int64) throws(Failure) -> Void) throws(Failure) {
        for (number, chunk) in chunks.enumerated() {
            for (index, word) in chunk.enumerated() {
                var rest = word
                while rest != 0 {
                    try body(
                        Int64(number) << Self.chunkBits | Int64(index) << 6 | Int64(rest.trailingZeroBitCount)
                    )
                    rest &= rest &- 1
                }
            }
        }
    }
}
