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
        var length = compressBound(UInt(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        let status = packed.withUnsafeMutableBufferPointer { out in
            bytes.withUnsafeBufferPointer {
                compress2(out.baseAddress, &length, $0.baseAddress, UInt($0.count), 6)
            }
        }
        guard status == Z_OK, Int(length) + 5 < bytes.count else { return [0] + bytes }
        let size = UInt32(bytes.count)
        return [1] + (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + packed.prefix(Int(length))
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
