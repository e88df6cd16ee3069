import TestSupport
import Testing

@testable import Bytes

@Suite struct VarintTests {
    @Test(
        arguments: [
            (0, [0x00]), (1, [0x01]), (0x7F, [0x7F]), (0x80, [0x80, 0x01]), (0x3FFF, [0xFF, 0x7F]),
            (0x4000, [0x80, 0x80, 0x01]), (1 << 62, [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40]),
        ] as [(UInt64, [UInt8])])
    func `numbers have the stored form`(number: UInt64, stored: [UInt8]) {
        var bytes: [UInt8] = []
        Varint.append(number, to: &bytes)
        #expect(bytes == stored)
        var rest = bytes[...]
        #expect(Varint.take(&rest) == number)
        #expect(rest.isEmpty)
    }

    @Test(arguments: [0, -1, 1, -64, 64, .max, .min, Int64.min + 1, 1 << 40, -(1 << 40)] as [Int64])
    func `signed numbers near zero are short, and the others round-trip below 63 bits`(number: Int64) {
        var bytes: [UInt8] = []
        Varint.append(signed: number, to: &bytes)
        // Ten bytes are never read: a stored number has at most 63 bits.
        #expect(signed(bytes) == (bytes.count < 10 ? number : nil))
        #expect(!(-64..<64).contains(number) || bytes.count == 1)
    }

    @Test func `a cut or overlong number is none`() {
        for bytes in [[], [0x80], [0xFF, 0xFF], [UInt8](repeating: 0x80, count: 9)] as [[UInt8]] {
            var rest = bytes[...]
            #expect(Varint.take(&rest) == nil)
            #expect(signed(bytes) == nil)
        }
    }

    @Test func `a limit ends the number and nothing behind it is read`() {
        let bytes: [UInt8] = [0x80, 0x80, 0x01, 0x05]
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            #expect(Varint.take(bytes, at: &offset, atMost: 2) == nil)
            #expect(offset == 2)
            offset = 0
            #expect(Varint.take(bytes, at: &offset, atMost: 3) == 1 << 14)
            #expect(Varint.take(bytes, at: &offset) == 5)
            #expect(Varint.take(bytes, at: &offset) == nil)
        }
    }

    @Test func `random bytes never trap, and numbers follow each other`() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let numbers = (0..<5).map { _ in
                UInt64.random(in: 0..<1 << 63, using: &random) >> Int.random(in: 0..<63, using: &random)
            }
            var bytes: [UInt8] = []
            for number in numbers { Varint.append(number, to: &bytes) }
            var rest = bytes[...]
            #expect(numbers.allSatisfy { Varint.take(&rest) == $0 } && rest.isEmpty)
            let noise = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
            noise.withUnsafeBytes { noise in
                var offset = 0
                while Varint.takeSigned(noise, at: &offset) != nil {}
            }
        }
    }

    private func signed(_ bytes: [UInt8]) -> Int64? {
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            return Varint.takeSigned(bytes, at: &offset)
        }
    }
}
