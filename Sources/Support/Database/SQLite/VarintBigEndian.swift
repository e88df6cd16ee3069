/// Integers in the varint encoding of SQLite's file format: seven bits per byte, high bits first. The top bit
/// is set if more bytes follow. A ninth byte has eight bits.
@usableFromInline
enum VarintBigEndian {
    @inlinable
    @inline(__always)
    static func count(_ value: UInt64) -> Int {
        if value < 0x80 { return 1 }
        if value < 0x4000 { return 2 }
        return min(9, (70 - value.leadingZeroBitCount) / 7)
    }

    @inline(__always)
    package static func write(_ value: UInt64, to out: inout UnsafeMutableRawPointer) {
        if value < 0x80 {
            out.storeBytes(of: UInt8(value), as: UInt8.self)
            out += 1
            return
        }
        let count = count(value)
        var rest = value
        var place = count - 1
        if count == 9 {
            out.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: 8, as: UInt8.self)
            rest >>= 8
            place = 7
        }
        var mark: UInt8 = count == 9 ? 0x80 : 0
        while place >= 0 {
            out.storeBytes(of: UInt8(rest & 0x7F) | mark, toByteOffset: place, as: UInt8.self)
            rest >>= 7
            mark = 0x80
            place -= 1
        }
        out += count
    }

    /// The number that begins at an offset.
    @inline(__always)
    package static func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> UInt64 {
        var value: UInt64 = 0
        for place in 0..<8 {
            let byte = bytes[offset + place]
            value = value << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { return value }
        }
        return value << 8 | UInt64(bytes[offset + 8])
    }
}
