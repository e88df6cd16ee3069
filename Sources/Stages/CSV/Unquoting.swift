/// Writes what a quoted field means: without its quotes, doubled ones once, text after the closing quote
/// kept.
///
/// - Parameters:
///   - field: The field as it stands in the file, beginning with its quote.
///   - output: At least as long as the field.
/// - Returns: Bytes written.
func unquote(_ field: UnsafeRawBufferPointer, _ quote: UInt8, into output: UnsafeMutableRawBufferPointer)
    -> Int
{
    var at = 1
    var end = 0
    while at < field.count {
        let byte = field[at]
        at += 1
        if byte == quote {
            guard at < field.count, field[at] == quote else { break }
            at += 1
        }
        output[end] = byte
        end += 1
    }
    // The closing quote is behind us: what is left stands for itself.
    while at < field.count {
        output[end] = field[at]
        at += 1
        end += 1
    }
    return end
}

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
