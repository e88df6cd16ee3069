/// A set of row ids, one bit each, because ids are small and consecutive. Ten million works need about a
/// megabyte.
package struct RowSet {
    private var words: [UInt64]

    /// - Parameter largest: The largest id that can be inserted.
    package init(largest: Int64) {
        words = Array(repeating: 0, count: Int(max(0, largest)) / 64 + 1)
    }

    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    package mutating func insert(_ id: Int64) {
        guard id >= 0, Int(id >> 6) < words.count else { return }
        words[Int(id >> 6)] |= 1 << UInt64(id & 63)
    }

    package func contains(_ id: Int64) -> Bool {
        id >= 0 && Int(id >> 6) < words.count && words[Int(id >> 6)] & 1 << UInt64(id & 63) != 0
    }

    /// Calls `body` with the ids in ascending order.
    package func visit<Failure: Error>(_ body: (Int64) throws(Failure) -> Void) throws(Failure) {
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                try body(Int64(index) << 6 | Int64(rest.trailingZeroBitCount))
                rest &= rest &- 1
            }
        }
    }
}
