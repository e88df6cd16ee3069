import CZlib

/// Compresses bytes for storage (RFC 1950) and decompresses them. The format is `0` and the bytes if
/// compression does not pay; otherwise `1`, the length in four bytes (little-endian), and the compressed
/// bytes.
package enum Deflated {
    /// Up to this many bytes, compression does not pay.
    private static let small = 256
    /// Maximum length of compressed data when expanded. Anything longer is damaged.
    private static let longest = 64 << 20

    /// Compresses bytes. Bytes that would not become shorter are kept unchanged.
    package static func pack(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > small, bytes.count <= longest else { return [0] + bytes }
        let size = UInt32(bytes.count)
        let packed = [UInt8](unsafeUninitializedCapacity: bytes.count) { out, count in
            let head = [1] + (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
            let room = UnsafeMutableBufferPointer(rebasing: out[head.count...])
            guard let length = deflate(bytes, into: room) else { return }
            _ = out.update(fromContentsOf: head)
            count = head.count + length
        }
        return packed.isEmpty ? [0] + bytes : packed
    }

    /// - Returns: The number of bytes written; nil if they do not fit.
    private static func deflate(_ bytes: [UInt8], into out: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        // The window is no larger than the bytes, and the tables match it. Clearing the tables for 32 KiB
        // takes five times as long as compressing the kilobyte that most answers have.
        let windowBits = Int32(min(max(Int.bitWidth - (bytes.count - 1).leadingZeroBitCount, 9), 15))
        return bytes.withUnsafeBufferPointer { bytes in
            var stream = z_stream()
            // zlib only reads from it, although its header has no const.
            stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            stream.avail_in = UInt32(bytes.count)
            stream.next_out = out.baseAddress
            stream.avail_out = UInt32(out.count)
            // zlib's state keeps a pointer to its stream, so the stream must not move.
            return withUnsafeMutablePointer(to: &stream) { stream in
                guard etl_deflate_init(stream, windowBits, windowBits - 7) == Z_OK else { return nil }
                defer { deflateEnd(stream) }
                return CZlib.deflate(stream, Z_FINISH) == Z_STREAM_END ? Int(stream.pointee.total_out) : nil
            }
        }
    }

    /// - Returns: Nil for bytes that ``pack(_:)`` did not produce.
    package static func unpack(_ packed: [UInt8]) -> [UInt8]? {
        guard let form = packed.first else { return nil }
        if form == 0 { return Array(packed.dropFirst()) }
        guard form == 1, packed.count > 5 else { return nil }
        let size = packed[1...4].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard size <= longest else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        var length = UInt(size)
        let status = bytes.withUnsafeMutableBufferPointer { out in
            packed.withUnsafeBufferPointer {
                uncompress(out.baseAddress, &length, $0.baseAddress.map { $0 + 5 }, UInt($0.count - 5))
            }
        }
        return status == Z_OK && Int(length) == size ? bytes : nil
    }
}
