import CZlib

/// The checksum of gzip and PNG (RFC 1952, section 8). It finds damage, not manipulation: whoever changes the bytes can change
/// the checksum too.
enum CRC32 {
    /// zlib counts the bytes of a call in 32 bits.
    private static let piece = 1 << 30

    /// The checksum of bytes: 32 bits that differ for nearly all damage.
    ///
    /// - Returns: A number of 0…4,294,967,295.
    static func sum(_ bytes: UnsafeRawBufferPointer) -> Int {
        var sum = crc32(0, nil, 0)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + piece)])
            sum = part.withMemoryRebound(to: UInt8.self) { crc32(sum, $0.baseAddress, UInt32($0.count)) }
        }
        return Int(sum)
    }
}
