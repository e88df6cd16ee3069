import Testing

@testable import System

/// Names of files as text: any bytes, and back.
@Suite struct FileNameTests {
    @Test(arguments: ["", "books.csv", "büchér \u{1F4DA}.csv", "\u{10FFFF}\u{10FDFF}", "a\u{301}/\u{0}"])
    func `a name that is UTF-8 is its own text`(name: String) {
        #expect(FileName.text(of: Array(name.utf8)) == name)
        #expect(Array(FileName.text(of: Array(name.utf8)).unicodeScalars) == Array(name.unicodeScalars))
        #expect(FileName.bytes(of: name) == Array(name.utf8))
        #expect(FileName.isText(name) && FileName.shown(name) == name)
    }

    @Test func `a byte that is not UTF-8 is one character, and is shown as its number`() {
        let name = Array("caf".utf8) + [0xE9] + Array(".csv".utf8)
        let text = FileName.text(of: name)
        #expect(text == "caf\u{10FEE9}.csv")
        #expect(FileName.bytes(of: text) == name)
        #expect(!FileName.isText(text))
        #expect(FileName.shown(text) == "caf\\xE9.csv")
    }

    @Test(
        arguments: [
            // The beginning of a character, a surrogate, an overlong slash, a number beyond Unicode.
            [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBA],
            // The characters that stand for bytes are not text themselves: two names would be one.
            Array("\u{10FEE9}".utf8), Array("\u{10FE80}".utf8),
        ] as [[UInt8]])
    func `each byte of what is not text is kept`(bytes: [UInt8]) {
        let name = Array("a".utf8) + bytes + Array("/ü".utf8)
        let text = FileName.text(of: name)
        #expect(text.unicodeScalars.count == bytes.count + 3)
        #expect(FileName.bytes(of: text) == name)
    }

    @Test func `names are compared byte by byte`() {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed)
        #expect(!FileName.areSame(composed, decomposed) && FileName.areSame(composed, composed))
        #expect(FileName.middle(of: decomposed + ".1.part", from: composed, to: ".part") == nil)
        #expect(FileName.middle(of: composed + ".1.part", from: composed, to: ".part") == ".1")
        #expect(FileName.middle(of: "aba", from: "ab", to: "ba") == nil, "they overlap")
        #expect(FileName.middle(of: "a\u{301}", from: "a") == "\u{301}")
    }

    @Test func `all names of random bytes come back, and no two have the same text`() {
        var random = SystemRandomNumberGenerator()
        // Bytes that begin, continue and end characters meet often.
        let pool: [UInt8] = [
            0x2F, 0x61, 0x7F, 0x80, 0x8F, 0xA9, 0xBA, 0xBB, 0xBF, 0xC3, 0xE2, 0xED, 0xF0, 0xF4, 0xFF,
        ]
        var names: [String: [UInt8]] = [:]
        for _ in 0..<20_000 {
            let name = (0..<Int.random(in: 0..<9, using: &random)).compactMap { _ in
                pool.randomElement(using: &random)
            }
            let text = FileName.text(of: name)
            #expect(FileName.bytes(of: text) == name)
            #expect(names[text, default: name] == name)
            names[text] = name
            #expect(FileName.isText(text) == (Array(text.utf8) == name))
        }
    }
}
