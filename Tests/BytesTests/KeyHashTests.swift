import TestSupport
import Testing

@testable import Bytes

@Suite struct KeyHashTests {
    // From an implementation in another language. Stores and catalogs contain such hashes.
    @Test(
        arguments: [
            ("", 0, 0x2B58_40EE_88A2_B24C),
            ("a", 0, 0xAE06_81E8_8206_3EF0),
            ("a", 1, 0xF6AF_65EA_F6EA_7CB6),
            ("dune|frank herbert", 0, 0x5D44_3455_3899_61B3),
            ("9780441013593", 0, 0x8325_815D_9FFE_A9F3),
            ("0123456789abcdef", 0, 0x9527_314D_A8D6_D2F8),
            ("The Left Hand of Darkness, by Ursula K. Le Guin", 7, 0xFEBA_07B3_3BF1_50E2),
        ] as [(String, UInt64, UInt64)])
    func `hashes never change`(text: String, seed: UInt64, hash: UInt64) {
        #expect(KeyHash.hash(Array(text.utf8), seed: seed) == hash)
    }

    @Test func `a hash depends on the bytes alone, not on what surrounds them`() {
        var random = SeededGenerator(seed: 5)
        let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes.withUnsafeBytes { all in
            for start in 0..<20 {
                for count in 0..<100 {
                    let part = UnsafeRawBufferPointer(rebasing: all[start..<start + count])
                    #expect(KeyHash.hash(part) == KeyHash.hash(Array(bytes[start..<start + count])))
                }
            }
        }
    }

    @Test func `keys that differ in one bit, one byte or their length have different hashes`() {
        var hashes: Set<UInt64> = []
        for count in 0..<40 {
            let bytes = [UInt8](repeating: 0, count: count)
            hashes.insert(KeyHash.hash(bytes))
            for bit in 0..<8 * count {
                var changed = bytes
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                hashes.insert(KeyHash.hash(changed))
            }
        }
        #expect(hashes.count == 40 + 8 * (0..<40).reduce(0, +))
    }

    @Test func `a text key keeps 23 bits of a second hash`() {
        let (one, other) = (TextKey("dune"), TextKey("dune "))
        #expect(one.hash != other.hash && one.check != other.check)
        #expect(one == TextKey("dune"))
        #expect((0..<1_000).allSatisfy { TextKey("\($0)").check < 1 << TextKey.checkBits })
    }
}
