/// Handmade gzip members (RFC 1952), valid or deliberately damaged.
package enum GzipBytes {
    /// A member with the bytes in stored blocks.
    package static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var member = header
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(65_535)
            member.append(rest.isEmpty ? 1 : 0)
            let length = UInt16(block.count)
            append(length, to: &member)
            append(~length, to: &member)
            member.append(contentsOf: block)
        } while !rest.isEmpty
        return member + trailer(crc: crc32(bytes), count: bytes.count)
    }

    /// A member of about `count` zeros in the fewest bytes that fixed codes allow: one per 158.
    package static func zeros(_ count: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.write(0b1, 1)
        bits.write(0b01, 2)
        // One zero, then copies of 258 bytes at distance one.
        bits.writeCode(0x30, 8)
        let copies = count / 258
        for _ in 0..<copies {
            bits.writeCode(0b1100_0101, 8)
            bits.writeCode(0, 5)
        }
        bits.writeCode(0, 7)
        let made = 1 + copies * 258
        return header + bits.finished + trailer(crc: crc32(repeatElement(0, count: made)), count: made)
    }

    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    private static func trailer(crc: UInt32, count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        append(crc, to: &bytes)
        append(UInt32(truncatingIfNeeded: count), to: &bytes)
        return bytes
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
    }

    /// Bits in deflate's order: lowest first, codes from their highest bit.
    private struct BitWriter {
        private var bytes: [UInt8] = []
        private var current: UInt8 = 0
        private var used = 0

        mutating func write(_ bits: UInt32, _ count: Int) {
            for index in 0..<count { put(bits >> UInt32(index) & 1) }
        }

        mutating func writeCode(_ code: UInt32, _ count: Int) {
            for index in (0..<count).reversed() { put(code >> UInt32(index) & 1) }
        }

        private mutating func put(_ bit: UInt32) {
            current |= UInt8(bit) << UInt8(used)
            used += 1
            if used == 8 {
                bytes.append(current)
                current = 0
                used = 0
            }
        }

        var finished: [UInt8] { used == 0 ? bytes : bytes + [current] }
    }
}
