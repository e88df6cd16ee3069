import TestSupport
import Testing

@testable import Syntax

@Suite struct DeflatedTests {
    private static let sentence = Array(#"{"title":"A made-up book","authors":["Ada Example"]},"#.utf8)

    private static func text(_ count: Int) -> [UInt8] {
        (0..<count).map { sentence[$0 % sentence.count] }
    }

    private static func noise(_ count: Int) -> [UInt8] {
        var random = SeededGenerator(seed: UInt64(count))
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    /// Around every size at which the window grows.
    static let sizes: [Int] = {
        let windows: [Int] = (8...16).map { 1 << $0 }
        return [0, 1, 300_000] + windows.flatMap { [$0 - 1, $0, $0 + 1] }
    }()

    @Test(arguments: sizes)
    func `packing and unpacking round-trips`(size: Int) throws {
        for bytes in [Self.text(size), Self.noise(size), [UInt8](repeating: 0, count: size)] {
            let packed = Deflated.pack(bytes)
            #expect(Deflated.unpack(packed) == bytes)
            #expect(packed.count <= bytes.count + 1)
        }
    }

    @Test func `repetitive data becomes smaller`() {
        #expect(Deflated.pack(Self.text(1_000)).count < 200)
        #expect(Deflated.pack(Self.text(100_000)).count < 1_000)
    }

    @Test func `data packed with any window size is unpacked`() {
        // 300 times `a` as zlib's compress() packs it, with a window of 32 KiB.
        let packed: [UInt8] = [0x78, 0x9C, 0x4B, 0x4C, 0x1C, 0x05, 0xC4, 0x02, 0x00, 0xD8, 0xA8, 0x71, 0xAD]
        #expect(Deflated.unpack([1, 44, 1, 0, 0] + packed) == Array(repeating: 97, count: 300))
    }

    @Test func `damaged data never unpacks to other content`() {
        let text = Self.text(1_000)
        let packed = Deflated.pack(text)
        #expect(Deflated.unpack([]) == nil)
        #expect(Deflated.unpack([2, 0]) == nil)
        for length in 1..<packed.count { #expect(Deflated.unpack(Array(packed[..<length])) == nil) }
        for index in packed.indices {
            for bit in 0..<8 {
                var damaged = packed
                damaged[index] ^= 1 << bit
                let unpacked = Deflated.unpack(damaged)
                // The first byte says whether the data is compressed; some bits after the last code have no
                // meaning.
                if index > 0 { #expect(unpacked == nil || unpacked == text, "bit \(bit) of \(index)") }
            }
        }
    }
}
