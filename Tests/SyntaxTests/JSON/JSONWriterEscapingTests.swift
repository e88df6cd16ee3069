import Foundation
import Syntax
import TestSupport
import Testing

/// The text of a JSON string that was written from bytes.
private func quoted(_ bytes: [UInt8]) -> String {
    var out = JSONWriter()
    bytes.withUnsafeBytes { out.string(utf8: $0) }
    return String(decoding: out.bytes, as: UTF8.self)
}

/// What Foundation reads from what was written.
private func readBack(_ bytes: [UInt8]) throws -> String {
    var out = JSONWriter()
    out.array { out in bytes.withUnsafeBytes { out.string(utf8: $0) } }
    return try JSONDecoder().decode([String].self, from: Data(out.bytes))[0]
}

@Suite struct JSONWriterEscapingTests {
    @Test func `quotes, backslashes and control characters are escaped, the slash is not`() {
        #expect(quoted(Array(#"He said "no" \ a/b"#.utf8)) == #""He said \"no\" \\ a/b""#)
        #expect(
            quoted([0x00, 0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1B, 0x1F, 0x7F])
                == "\"\\u0000\\b\\t\\n\\f\\r\\u001b\\u001f\u{7F}\"")
    }

    @Test func `the two line ends of Unicode are escaped and their neighbours are not`() {
        #expect(
            quoted(Array("a\u{2027}\u{2028}b\u{2029}\u{202A}".utf8)) == "\"a\u{2027}\\u2028b\\u2029\u{202A}\""
        )
    }

    @Test func `emoji and other scripts are written as they are`() {
        let text = "Гарри 📚 三体 ﷽ e\u{301} 👩‍👩‍👧"
        #expect(quoted(Array(text.utf8)) == "\"\(text)\"")
    }

    @Test(arguments: 0..<24)
    func `a special byte is found wherever it stands in a word`(position: Int) {
        for special in [UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x00, 0x1F, 0x0A] {
            for filler in [UInt8(0x20), 0x21, 0x23, 0x5B, 0x5D, 0x7F] {
                var bytes = [UInt8](repeating: filler, count: 24)
                bytes[position] = special
                #expect(throws: Never.self) {
                    let text = try readBack(bytes)
                    #expect(text == String(decoding: bytes, as: UTF8.self))
                }
            }
        }
    }

    @Test(
        arguments: [
            [0xFF], [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF0, 0x9F, 0x93], [0xE2, 0x80], [0x41, 0xC3], [0xC3, 0x41], [0xE2, 0x80, 0x22],
            [0xF8, 0x88, 0x80, 0x80, 0x80],
            [0xF1, 0x80, 0x41, 0xF1, 0x80, 0x80, 0xE2, 0x80, 0xA8],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 become U+FFFD as in String`(bytes: [UInt8]) throws {
        #expect(try readBack(bytes) == String(decoding: bytes, as: UTF8.self))
        #expect(quoted(bytes).contains("\u{FFFD}"))
    }

    @Test func `whatever the bytes, a reader gets what String makes of them`() throws {
        var random = SeededGenerator(seed: 0x15BE)
        // Bytes near the borders of the table of well-formed sequences, so that random text is often almost
        // right.
        let borders: [UInt8] = [
            0x00, 0x1F, 0x20, 0x22, 0x41, 0x5C, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xA8, 0xA9, 0xBF, 0xC0,
            0xC1,
            0xC2, 0xDF, 0xE0, 0xE2, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        for _ in 0..<4_000 {
            let length = Int.random(in: 0..<40, using: &random)
            let bytes = (0..<length).map { _ in
                Bool.random(using: &random)
                    ? borders.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
            }
            let text = try readBack(bytes)
            #expect(Array(text.utf8) == Array(String(decoding: bytes, as: UTF8.self).utf8), "\(bytes)")
        }
    }
}
