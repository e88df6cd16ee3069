import Testing

@testable import Bytes

@Suite
struct BlanksTests {
    @Test(arguments: [
        ("", ""), ("   ", ""), ("a", "a"), (" a ", "a"), ("a b", "a b"), ("a  b", "a b"), ("a\tb", "a b"),
        ("\u{A0}a\u{A0}b\u{A0}", "a b"), ("a\u{3000}b", "a b"), ("\u{2003}\u{2009}a\r\n b", "a b"),
        ("é\u{A0}", "é"), ("à", "à"), ("\u{E0}\u{A0}\u{E0}", "à à"), ("\u{200D}x", "\u{200D}x"),
        ("„a‟", "„a‟"),
        ("\u{202F}", ""), ("\u{0}", "\u{0}"), ("Garc\u{ED}\u{AD}a  M", "Garc\u{ED}a M"), ("\u{AD}", ""),
    ])
    func `words are separated by one space, without leading or trailing ones`(
        text: String, collapsed: String
    ) {
        var arena = Arena()
        let whole = arena.append("<\(text)>")
        let result = arena.collapsingBlanks(whole.part(1..<Int(whole.length) - 1))
        #expect(arena[result] == collapsed)
    }

    @Test func `a double space is found anywhere`() {
        var arena = Arena()
        for length in 1...40 {
            let letters = (0..<length).map { $0 % 3 == 1 ? " " : "x" }.joined() + "yz"
            for place in 0..<letters.count {
                var text = letters
                text.insert(contentsOf: "  ", at: text.index(text.startIndex, offsetBy: place))
                let expected = text.split(separator: " ").joined(separator: " ")
                let collapsed = arena.collapsingBlanks(arena.append(text))
                #expect(arena[collapsed] == expected)
            }
            let clean = arena.append(letters)
            #expect(arena.collapsingBlanks(clean) == clean)
        }
    }

    @Test func `clean text is not copied`() {
        var arena = Arena()
        let text = arena.append(" already clean ")
        let bytes = arena.byteCount
        #expect(arena[arena.collapsingBlanks(text)] == "already clean")
        #expect(arena.byteCount == bytes)
    }

    @Test func `any bytes are accepted, including truncated characters`() {
        var arena = Arena()
        for bytes: [UInt8] in [
            [0xC2], [0xE2], [0xE2, 0x80], [0x80], [0xA0], [0x20, 0xE3, 0x80], [0x80, 0x80, 0x20],
        ] {
            let text = arena.append(bytes)
            #expect(arena.bytes(arena.collapsingBlanks(text)) == bytes.filter { $0 != 0x20 })
        }
    }
}
