import CScan
import TestSupport
import Testing

@Suite struct UTF8ScanTests {
    private func isUTF8(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { scan_is_utf8($0, buffer.count) != 0 } ?? true
        }
    }

    @Test func everyLeadWithEverySecondByteIsJudgedAsTheStandardLibraryDoes() {
        for lead in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                for rest: [UInt8] in [[], [0x80], [0xBF, 0x80], [0x80, 0x41], [0xC0, 0x80]] {
                    let bytes = [lead, second] + rest
                    #expect(isUTF8(bytes) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
                }
            }
        }
    }

    @Test func randomBytesAreJudgedAsTheStandardLibraryDoes() {
        var generator = SeededGenerator(seed: 5)
        let symbols: [[UInt8]] = [
            Array("a".utf8), Array("book-club".utf8), Array("é".utf8), Array("ʤ".utf8), Array("本".utf8),
            Array("😀".utf8), [0], [0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xC0, 0xAF], [0xFF],
        ]
        for round in 0..<4000 {
            // Two of three consist of whole characters.
            let picked = round % 3 == 0 ? symbols[...] : symbols[..<7]
            let bytes = (0..<Int.random(in: 0...20, using: &generator))
                .flatMap { _ in picked.randomElement(using: &generator) ?? [] }
            #expect(isUTF8(bytes) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
        }
    }
}
