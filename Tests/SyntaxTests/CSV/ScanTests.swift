import CScan
import TestSupport
import Testing

@Suite struct ScanTests {
    /// Bytes with a meaning and their neighbours.
    private static let alphabet: [UInt8] =
        Array("\",;\t\r\n\0a!#+-\u{7F}".utf8) + [0x80, 0x8A, 0x8D, 0xA2, 0xAC, 0xFF]

    private func randomBytes(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        let isTame = Bool.random(using: &generator)
        return (0..<count).map { _ in
            isTame
                ? Self.alphabet.randomElement(using: &generator) ?? 0
                : UInt8.random(in: 0...255, using: &generator)
        }
    }

    private func equal(_ a: scan_csv_masks, _ b: scan_csv_masks) -> Bool {
        a.structural == b.structural && a.delimiters == b.delimiters && a.quotes == b.quotes
            && a.line_ends == b.line_ends && a.odd == b.odd
    }

    @Test func `the masks equal those of the scalar implementation`() {
        var generator = SeededGenerator(seed: 1)
        for delimiter in Array(",\t;|".utf8) {
            for _ in 0..<2000 {
                let bytes = randomBytes(64, &generator)
                #expect(
                    equal(scan_csv(bytes, delimiter, 34), scan_csv_scalar(bytes, delimiter, 34)), "\(bytes)")
            }
        }
    }

    @Test func `every byte at every position is classified as by the scalar implementation`() {
        for place in 0..<64 {
            for byte in UInt8.min...UInt8.max {
                var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 64)
                bytes[place] = byte
                #expect(equal(scan_csv(bytes, 44, 34), scan_csv_scalar(bytes, 44, 34)), "\(byte) at \(place)")
            }
        }
    }

    @Test func `the tail sets no bit beyond its bytes`() {
        var generator = SeededGenerator(seed: 2)
        for count in 0..<64 {
            let bytes = randomBytes(64, &generator)
            let kept: UInt64 = (1 << UInt64(count)) - 1
            let whole = scan_csv_scalar(bytes, 44, 34)
            let tail = Array(bytes[..<count]).withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { scan_csv_tail($0, count, 44, 34) } ?? scan_csv_masks()
            }
            #expect(tail.structural == whole.structural & kept)
            #expect(tail.quotes == whole.quotes & kept)
            #expect(tail.line_ends == whole.line_ends & kept)
            #expect(tail.odd == whole.odd & kept)
        }
    }

    @Test func `the next structural byte is the first one`() {
        var generator = SeededGenerator(seed: 3)
        for count in 0..<300 {
            var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count + 1)
            #expect(scan_csv_next(bytes, count, 44, 34) == count)
            guard count > 0 else { continue }
            let place = Int.random(in: 0..<count, using: &generator)
            bytes[place] = Array(",\"\r\n".utf8).randomElement(using: &generator) ?? 44
            bytes[count - 1] = 44
            #expect(scan_csv_next(bytes, count, 44, 34) == place)
        }
    }

    @Test func `line ends are counted as an editor does`() {
        var generator = SeededGenerator(seed: 4)
        for count in 0..<400 {
            let bytes = (0..<count).map { _ in Array("\r\r\n\na".utf8).randomElement(using: &generator) ?? 0 }
            var expected = 0
            for (index, byte) in bytes.enumerated() {
                let followsCR = index > 0 && bytes[index - 1] == UInt8(ascii: "\r")
                if byte == UInt8(ascii: "\r") || (byte == UInt8(ascii: "\n") && !followsCR) { expected += 1 }
            }
            #expect(Int(scan_line_ends(bytes, count)) == expected, "\(bytes)")
        }
    }
}
