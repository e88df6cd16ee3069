/// A 64-bit hash of a key's bytes that is the same in every run and on every machine: what integer-keyed indexes
/// of text keys are built on. Stored, so never to be changed without a migration.
///
/// Multiply-fold over eight bytes at a time (the construction of wyhash). Two different keys share a hash with a
/// chance of n²/2⁶⁵; whoever stores it keeps something to tell them apart.
public enum KeyHash {
    public static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var state = seed ^ 0xA076_1D64_78BD_642F
        var rest = bytes
        while rest.count >= 16 {
            state = fold(word(rest, 0) ^ 0xE703_7ED1_A0B4_28DB, word(rest, 8) ^ state)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(16))
        }
        let low = tail(rest.prefix(8))
        let high = tail(rest.dropFirst(8))
        state = fold(low ^ 0x8EBC_6AF0_9C88_C6E3, high ^ state)
        return fold(state ^ UInt64(bytes.count), 0x5899_65CC_7537_4CC3)
    }

    public static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { hash($0, seed: seed) }
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private static func tail(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for byte in bytes {
            value |= UInt64(byte) << shift
            shift += 8
        }
        return value
    }

    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
