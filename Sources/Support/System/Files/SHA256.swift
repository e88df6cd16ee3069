/// A streaming SHA-256 (FIPS 180-4), for fingerprints of inputs.
///
/// Implemented here because hashing one MiB per run does not justify linking a cryptographic library. It
/// protects against confusing files, not against attackers, and it hashes no secrets.
package struct SHA256: Sendable {
    private var state: SIMD8<UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
        0x5be0_cd19,
    ]
    /// The bytes of an incomplete block; fewer than 64 between calls.
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

    /// Starts with the empty message.
    package init() {}

    /// Appends bytes to the message.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        byteCount &+= UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let wanted = min(Self.blockLength - pending.count, rest.count)
            pending.append(contentsOf: rest.prefix(wanted))
            rest = rest.dropFirst(wanted)
            guard pending.count == Self.blockLength else { return }
            pending.withUnsafeBytes { state = Self.compressing($0, into: state) }
            pending.removeAll(keepingCapacity: true)
        }
        while rest.count >= Self.blockLength {
            state = Self.compressing(
                UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockLength)), into: state)
            rest = rest.dropFirst(Self.blockLength)
        }
        pending.append(contentsOf: rest)
    }

    /// Appends bytes to the message.
    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The digest of the message so far: 32 bytes. More bytes can be appended afterwards.
    package var digest: [UInt8] {
        var padded = self
        let bits = byteCount &* 8
        var tail: [UInt8] = [0x80]
        // The last block ends with the length, after at least the one bit that terminates the message.
        let used = (pending.count + 1 + 8) % Self.blockLength
        tail.append(contentsOf: repeatElement(0, count: used == 0 ? 0 : Self.blockLength - used))
        for shift in stride(from: 56, through: 0, by: -8) {
            tail.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
        padded.update(tail)
        var digest: [UInt8] = []
        digest.reserveCapacity(32)
        for word in 0..<8 {
            for shift in stride(from: 24, through: 0, by: -8) {
                digest.append(UInt8(truncatingIfNeeded: padded.state[word] >> UInt32(shift)))
            }
        }
        return digest
    }

    /// The digest as 64 lower-case hexadecimal digits.
    package var hexDigest: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(64)
        for byte in digest {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let blockLength = 64

    /// Compresses a block, FIPS 180-4 section 6.2.2.
    private static func compressing(_ block: UnsafeRawBufferPointer, into state: SIMD8<UInt32>) -> SIMD8<
        UInt32
    > {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            for t in 0..<16 {
                schedule[t] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: t * 4, as: UInt32.self))
            }
            for t in 16..<64 {
                let (early, late) = (schedule[t - 15], schedule[t - 2])
                let sigma0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3)
                let sigma1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10)
                schedule[t] = schedule[t - 16] &+ sigma0 &+ schedule[t - 7] &+ sigma1
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            roundConstants.withUnsafeBufferPointer { constants in
                // Eight rounds at a time, after which the variables are in their places again.
                for t in stride(from: 0, to: 64, by: 8) {
                    round(a, b, c, &d, e, f, g, &h, constants[t] &+ schedule[t])
                    round(h, a, b, &c, d, e, f, &g, constants[t + 1] &+ schedule[t + 1])
                    round(g, h, a, &b, c, d, e, &f, constants[t + 2] &+ schedule[t + 2])
                    round(f, g, h, &a, b, c, d, &e, constants[t + 3] &+ schedule[t + 3])
                    round(e, f, g, &h, a, b, c, &d, constants[t + 4] &+ schedule[t + 4])
                    round(d, e, f, &g, h, a, b, &c, constants[t + 5] &+ schedule[t + 5])
                    round(c, d, e, &f, g, h, a, &b, constants[t + 6] &+ schedule[t + 6])
                    round(b, c, d, &e, f, g, h, &a, constants[t + 7] &+ schedule[t + 7])
                }
            }
            return state &+ SIMD8(a, b, c, d, e, f, g, h)
        }
    }

    /// One round. It changes two of the eight variables, and the others move on by one place.
    @inline(__always)
    private static func round(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
        _ h: inout UInt32, _ word: UInt32
    ) {
        let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
        let first = h &+ sum1 &+ ((e & f) ^ (~e & g)) &+ word
        let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
        d = d &+ first
        h = first &+ sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, _ places: UInt32) -> UInt32 {
        (word >> places) | (word << (32 - places))
    }

    private static let roundConstants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7,
        0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc,
        0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351,
        0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e,
        0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585,
        0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f,
        0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]
}
