import Foundation
import Syntax
import TestSupport
import Testing

/// The output of a writer as text.
private func written(_ layout: JSONWriter.Layout = .compact, _ write: (inout JSONWriter) -> Void) -> String {
    var out = JSONWriter(layout)
    write(&out)
    return String(decoding: out.bytes, as: UTF8.self)
}

@Suite struct JSONWriterTests {
    @Test func `commas are between values and nowhere else`() {
        let text = written { out in
            out.object { out in
                out.field("a", 1)
                out.field("b", [true, false])
                out.field("c") { out in out.field("d", [[String]]()) }
                out.key("e")
                out.array { out in
                    out.object { _ in }
                    out.null()
                    out.array { _ in }
                }
            }
        }
        #expect(text == #"{"a":1,"b":[true,false],"c":{"d":[]},"e":[{},null,[]]}"#)
    }

    @Test func `an absent value omits its key`() {
        let nothing: String? = nil
        let something: String? = "x"
        #expect(
            written {
                $0.object {
                    $0.field("a", nothing)
                    $0.field("b", something)
                }
            } == #"{"b":"x"}"#)
        #expect(written { $0.object { $0.field("a", nothing) } } == "{}")
    }

    @Test func `pretty output keeps the order of writing and puts empty brackets on one line`() {
        let text = written(.pretty) { out in
            out.object { out in
                out.field("z", 1)
                out.field("a", ["x", "y"])
                out.field("none", [String]())
                out.field("empty") { _ in }
                out.field("nested") { out in out.field("deep", true) }
            }
        }
        #expect(
            text == """
                {
                  "z": 1,
                  "a": [
                    "x",
                    "y"
                  ],
                  "none": [],
                  "empty": {},
                  "nested": {
                    "deep": true
                  }
                }
                """)
    }

    @Test func `a single value is a complete text`() {
        #expect(written { $0.string("") } == #""""#)
        #expect(written { $0.integer(7) } == "7")
        #expect(
            written {
                $0.beginArray()
                $0.endArray()
            } == "[]")
    }

    @Test func `lines of NDJSON follow each other without commas`() {
        let text = written { out in
            for number in 1...3 {
                out.object { $0.field("n", number) }
                out.endLine()
            }
        }
        #expect(text == "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n")
    }

    @Test func `draining between values does not change the output`() {
        var out = JSONWriter()
        var pieces: [String] = []
        out.beginObject()
        out.key("list")
        out.beginArray()
        for number in 0..<5 {
            out.integer(Int64(number))
            out.drain { pieces.append(String(decoding: $0, as: UTF8.self)) }
            #expect(out.bytes.isEmpty)
        }
        out.endArray()
        out.endObject()
        out.drain { pieces.append(String(decoding: $0, as: UTF8.self)) }
        #expect(pieces == [#"{"list":[0"#, ",1", ",2", ",3", ",4", "]}"])
    }

    private struct DiskFull: Error {}

    private func drainIntoFullDisk(_ out: inout JSONWriter) throws(DiskFull) {
        try out.drain { _ throws(DiskFull) in throw DiskFull() }
    }

    @Test func `bytes that could not be drained are kept`() {
        var out = JSONWriter()
        out.string("kept")
        var failed = false
        do throws(DiskFull) { try drainIntoFullDisk(&out) } catch { failed = true }
        #expect(failed)
        #expect(String(decoding: out.bytes, as: UTF8.self) == #""kept""#)
    }

    @Test(arguments: [
        (0, "0"), (-1, "-1"), (9, "9"), (10, "10"), (9_780_439_708_180, "9780439708180"),
        (Int64.max, "9223372036854775807"), (Int64.min, "-9223372036854775808"),
    ])
    func `integers keep every digit`(number: Int64, expected: String) {
        #expect(written { $0.integer(number) } == expected)
    }

    @Test(arguments: [
        (0.95, "0.95"), (1, "1"), (-3, "-3"), (0, "0"), (0.1 + 0.2, "0.30000000000000004"), (1e22, "1e+22"),
        (0x1p53, "9007199254740992.0"), (.leastNonzeroMagnitude, "5e-324"), (4.47, "4.47"), (-0.0, "-0.0"),
    ])
    func `doubles have the fewest digits that read back the same`(
        number: Double, expected: String
    ) {
        #expect(written { $0.number(number) } == expected)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
    func `numbers that JSON cannot represent are null`(number: Double) {
        #expect(written { $0.array { $0.number(number) } } == "[null]")
    }

    @Test func `keys from data are escaped like strings`() {
        #expect(
            written {
                $0.object {
                    $0.key("a\"\n")
                    $0.integer(1)
                }
            } == #"{"a\"\n":1}"#)
    }
}

/// A JSON string written from bytes.
private func quoted(_ bytes: [UInt8]) -> String {
    var out = JSONWriter()
    bytes.withUnsafeBytes { out.string(utf8: $0) }
    return String(decoding: out.bytes, as: UTF8.self)
}

/// The string Foundation reads from the written JSON.
private func readBack(_ bytes: [UInt8]) throws -> String {
    var out = JSONWriter()
    out.array { out in bytes.withUnsafeBytes { out.string(utf8: $0) } }
    return try JSONDecoder().decode([String].self, from: Data(out.bytes))[0]
}

@Suite struct JSONWriterEscapingTests {
    @Test func `quotes, backslashes and control characters are escaped, slashes are not`() {
        #expect(quoted(Array(#"He said "no" \ a/b"#.utf8)) == #""He said \"no\" \\ a/b""#)
        #expect(
            quoted([0x00, 0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1B, 0x1F, 0x7F])
                == "\"\\u0000\\b\\t\\n\\f\\r\\u001b\\u001f\u{7F}\"")
    }

    @Test func `Unicode line separators are escaped, their neighbours are not`() {
        #expect(
            quoted(Array("a\u{2027}\u{2028}b\u{2029}\u{202A}".utf8)) == "\"a\u{2027}\\u2028b\\u2029\u{202A}\""
        )
    }

    @Test func `emoji and other scripts are written unescaped`() {
        let text = "Гарри 📚 三体 ﷽ e\u{301} 👩‍👩‍👧"
        #expect(quoted(Array(text.utf8)) == "\"\(text)\"")
    }

    @Test(arguments: 0..<24)
    func `a special byte is found at any position of a word`(position: Int) {
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
    func `invalid UTF-8 becomes U+FFFD as in String`(bytes: [UInt8]) throws {
        #expect(try readBack(bytes) == String(decoding: bytes, as: UTF8.self))
        #expect(quoted(bytes).contains("\u{FFFD}"))
    }

    @Test func `any bytes read back as String decodes them`() throws {
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
