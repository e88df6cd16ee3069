/// Bytes on top of each other in memory that is used again.
struct ByteStack: ~Copyable {
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private(set) var count = 0

    deinit {
        buffer.deallocate()
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

    /// Forgets its bytes and makes room for others.
    mutating func removeAll(reserving capacity: Int) {
        count = 0
        guard capacity > buffer.count else { return }
        buffer.deallocate()
        buffer = .allocate(byteCount: capacity, alignment: 16)
    }

    /// Adds the bytes that `write` puts into the room that is left, and says how many.
    @inline(__always)
    mutating func push(_ write: (UnsafeMutableRawBufferPointer) -> Int) {
        count += write(UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
    }
}
