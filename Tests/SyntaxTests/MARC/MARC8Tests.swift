import Syntax
import TestSupport
import Testing

@Suite struct MARC8Tests {
    private func decode(_ bytes: [UInt8]) -> (text: String, replaced: Int) {
        var decoder = MARC8()
        var output: [UInt8] = []
        bytes.withUnsafeBytes { decoder.decode($0, into: &output) }
        return (String(decoding: output, as: UTF8.self), decoder.replaced)
    }

    @Test func `combining marks precede their letter in MARC-8 and are composed in Unicode`() {
        #expect(decode([0xE2] + Array("etude".utf8)).text == "étude")
        #expect(decode(Array("M".utf8) + [0xE8] + Array("unchen".utf8)).text == "München")
        // Two marks on a letter keep their order; without a composed form they stay separate.
        #expect(decode([0xF2, 0xE3, 0x61]).text.unicodeScalars.count == 1)
        #expect(decode([0xA1, 0x6F]).text == "Ło")
    }

    @Test func `a mark without a letter is kept`() {
        #expect(decode([0xE2]).text == "\u{301}")
        #expect(decode([0x61, 0x20, 0xE2]).text == "a \u{301}")
    }

    @Test func `escape sequences select other sets, and each text begins with the default ones`() {
        #expect(decode([0x1B, 0x28, 0x32, 0x60, 0x61, 0x1B, 0x28, 0x42, 0x21]).text == "אב!")
        #expect(decode([0x1B, 0x28, 0x4E, 0x61, 0x41]).text == "Аа")
        #expect(decode([0x1B, 0x2D, 0x4E, 0xE1, 0xC1]).text == "Аа")
        #expect(decode([0x1B, 0x28, 0x33, 0x47]).text == "ا")
        #expect(decode([0x48, 0x1B, 0x62, 0x32, 0x1B, 0x73, 0x4F]).text == "H₂O")
        #expect(decode([0x1B, 0x67, 0x61, 0x1B, 0x73]).text == "α")
        var decoder = MARC8()
        var output: [UInt8] = []
        for text: [UInt8] in [[0x1B, 0x28, 0x4E, 0x41], [0x41]] {
            text.withUnsafeBytes { decoder.decode($0, into: &output) }
        }
        #expect(String(decoding: output, as: UTF8.self) == "аA")
    }

    @Test func `Chinese characters are replaced one by one and counted`() {
        let decoded = decode([
            0x41, 0x1B, 0x24, 0x31, 0x21, 0x30, 0x21, 0x21, 0x30, 0x22, 0x1B, 0x28, 0x42, 0x42,
        ])
        #expect(decoded.text == "A\u{FFFD}\u{FFFD}B")
        #expect(decoded.replaced == 2)
    }

    @Test func `non-sorting marks are removed`() {
        #expect(decode([0x88] + Array("The ".utf8) + [0x89] + Array("end".utf8)).text == "The end")
    }

    @Test func `any bytes become UTF-8 of bounded length`() {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<2_000 {
            // Escapes are frequent, otherwise few sets would be selected.
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                Bool.random(using: &random) && Bool.random(using: &random)
                    ? 0x1B : UInt8.random(in: 0...255, using: &random)
            }
            var decoder = MARC8()
            var output: [UInt8] = []
            bytes.withUnsafeBytes { decoder.decode($0, into: &output) }
            #expect(String(validating: output, as: UTF8.self) != nil)
            #expect(output.count <= 3 * bytes.count)
        }
    }
}
