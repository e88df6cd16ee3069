import CZlib

/// Bytes packed for keeping (RFC 1950), and unpacked again: `0` and the bytes where packing does not pay, else `1`, the
/// length in four bytes, and the packed bytes.
package enum Deflated {
    /// Bytes that are not worth packing.
    private static let small = 256
    /// What was packed here is never longer: anything else is damage.
    private static let longest = 64 << 20

    /// Packs bytes; those that would not become shorter are kept as they are.
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

    /// - Returns: Bytes written; nil where they do not fit.
    private static func deflate(_ bytes: [UInt8], into out: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        // A window no larger than the bytes, and tables to match: to clear those for 32 KiB takes five times as long
        // as to pack the kilobyte that most answers are.
        let windowBits = Int32(min(max(Int.bitWidth - (bytes.count - 1).leadingZeroBitCount, 9), 15))
        return bytes.withUnsafeBufferPointer { bytes in
            var stream = z_stream()
            // Read only, whatever zlib's header says.
            stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            stream.avail_in = UInt32(bytes.count)
            stream.next_out = out.baseAddress
            stream.avail_out = UInt32(out.count)
            // zlib's state keeps a pointer back to its stream, which must not move.
            return withUnsafeMutablePointer(to: &stream) { stream in
                guard etl_deflate_init(stream, windowBits, windowBits - 7) == Z_OK else { return nil }
                defer { deflateEnd(stream) }
                return CZlib.deflate(stream, Z_FINISH) == Z_STREAM_END ? Int(stream.pointee.total_out) : nil
            }
        }
    }

    /// - Returns: nil for bytes that were not packed here.
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
