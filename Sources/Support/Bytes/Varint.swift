/// Integers in a variable number of bytes: seven bits per byte, low bits first. The top bit is set if more
/// bytes follow.
package enum Varint {
    @inline(__always)
    @inlinable
    package static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(value))
    }

    /// Appends a signed number, so that numbers near 0 need few bytes (zigzag encoding).
    @inline(__always)
    @inlinable
    package static func append(signed value: Int64, to bytes: inout [UInt8]) {
        append(UInt64(bitPattern: value << 1 ^ value >> 63), to: &bytes)
    }

    /// Removes and returns the first number; nil if there is none, or if it has more than nine bytes.
    @inlinable
    package static func take(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var offset = 0
        defer { bytes = bytes.dropFirst(offset) }
        return bytes.withUnsafeBytes { take($0, at: &offset) }
    }

    /// Reads the number at an offset and moves the offset past it; nil if there is none, or if it is too
    /// long.
    ///
    /// - Parameter atMost: The maximum number of bytes, at most nine.
    @inline(__always)
    @inlinable
    package static func take(_ bytes: UnsafeRawBufferPointer, at offset: inout Int, atMost: UInt64 = 9)
        -> UInt64?
    {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 7 * atMost, offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    /// Reads a number written by ``append(signed:to:)`` at an offset, as ``take(_:at:atMost:)`` does.
    @inline(__always)
    @inlinable
    package static func takeSigned(_ bytes: UnsafeRawBufferPointer, at offset: inout Int) -> Int64? {
        take(bytes, at: &offset).map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }
}
