/// A 64-bit hash of a key's bytes, the same in every run and on every machine. Integer-keyed indexes of text
/// keys are built on it. It is stored, so it must not change without a migration.
///
/// Multiply-and-fold over eight bytes at a time, like wyhash. Among n keys, the probability of a collision is
/// n²/2⁶⁵, so indexes also store something else to distinguish keys.
package enum KeyHash {
    /// The hash of a key's bytes. The key may be empty.
    ///
    /// - Parameter seed: Distinguishes kinds of keys, so that the same bytes have different hashes.
    @inlinable
    package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var state = seed ^ 0xA076_1D64_78BD_642F
        var offset = 0
        while bytes.count - offset >= 16 {
            state = mix(word(bytes, offset) ^ 0xE703_7ED1_A0B4_28DB, word(bytes, offset + 8) ^ state)
            offset += 16
        }
        let rest = bytes.count - offset
        let low = tail(bytes, offset, min(rest, 8))
        let high = tail(bytes, offset + 8, max(0, rest - 8))
        state = mix(low ^ 0x8EBC_6AF0_9C88_C6E3, high ^ state)
        return mix(state ^ UInt64(bytes.count), 0x5899_65CC_7537_4CC3)
    }

    /// The hash of an array's bytes.
    @inlinable
    package static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { hash($0, seed: seed) }
    }

    @inlinable
    static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The `count` bytes at `offset`, at most eight, as a number. Never reads outside the buffer.
    @inline(__always)
    @inlinable
    static func tail(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ count: Int) -> UInt64 {
        guard count > 0 else { return 0 }
        if count == 8 { return word(bytes, offset) }
        if bytes.count >= 8 {
            // The last eight bytes of the buffer end with the tail. Shift out the bytes before it.
            return word(bytes, bytes.count - 8) >> UInt64(64 - 8 * count)
        }
        var value: UInt64 = 0
        for index in 0..<count { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
        return value
    }

    @inlinable
    static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}

/// The hash of a text key, wide enough to distinguish keys.
package struct TextKey: Sendable, Hashable {
    @usableFromInline package let hash: UInt64
    /// ``checkBits`` bits of a second, independent hash.
    @usableFromInline package let check: UInt32

    static let none = TextKey(hash: 0, check: 0)
    /// The number of bits of ``check``. An index packs them with a row number, which has the other 41 bits.
    @usableFromInline package static let checkBits = 23

    @inlinable
    package init(hash: UInt64, check: UInt32) {
        self.hash = hash
        self.check = check
    }

    @inlinable
    package init(_ bytes: UnsafeRawBufferPointer) {
        hash = KeyHash.hash(bytes)
        check = UInt32(truncatingIfNeeded: KeyHash.hash(bytes, seed: 0x5DEE_CE66) >> (64 - Self.checkBits))
    }

    @inlinable
    package init(_ string: String) {
        var string = string
        self = string.withUTF8 { TextKey(UnsafeRawBufferPointer($0)) }
    }
}
