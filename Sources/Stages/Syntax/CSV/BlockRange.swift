/// The range from the first to the last block of 64 bytes in which something was seen that wants a closer
/// look.
struct BlockRange {
    private var start = Int.max
    private var end = 0

    @inline(__always) var isEmpty: Bool { end == 0 }

    /// Adds blocks of a stretch, a bit each.
    @inline(__always)
    mutating func insert(_ blocks: UInt64, from stretch: Int) {
        if blocks != 0 {
            start = min(start, stretch + 64 * blocks.trailingZeroBitCount)
            end = stretch + 64 * (64 - blocks.leadingZeroBitCount)
        }
    }

    /// The bytes of a record that are to be looked at.
    func bytes(of record: Range<Int>, in text: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        let range = (min(start, end)..<end).clamped(to: record)
        return UnsafeBufferPointer(start: text + range.lowerBound, count: range.count)
    }
}
