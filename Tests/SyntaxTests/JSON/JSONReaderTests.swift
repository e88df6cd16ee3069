import Bytes
import Foundation
import Syntax
import TestSupport
import Testing

@Suite
struct JSONReaderTests {
    @Test
    func `a decoder reads the keys it knows and skips the others`() throws {
        let document = #" {"a" : "x", "skip":{"deep":[1,{"k":[]}]}, "n": -12, "t":[true,null,"é\n"], "":0}  "#
        var letters: [UInt8] = []
        var number: Int64?
        var list: [String] = []
        var empty: Int64?
        try JSONReader.read(Array(document.utf8)) { reader throws(JSONReadError) in
            try reader.forEachKey { key, reader throws(JSONReadError) in
                switch key {
                case "a": try reader.string(into: &letters)
                case "n": number = try reader.integer()
                case "t":
                    try reader.forEachElement { reader throws(JSONReadError) in
                        if let string = try reader.stringIfAny() { list.append(string.string) }
                    }
                case "": empty = try reader.integer()
                default: break
                }
            }
            try reader.finish()
        }
        #expect(letters == Array("x".utf8))
        #expect(number == -12)
        #expect(list == ["é\n"])
        #expect(empty == 0)
    }

    @Test(arguments: [
        (#""plain""#, "plain"), (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u00e9\u4E2d""#, "é中"), (#""\ud83d\ude00!""#, "😀!"), (#""a\u0000b""#, "a\0b"),
        (#""\ud83d""#, "\u{FFFD}"), (#""\ude00x""#, "\u{FFFD}x"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
        (#""\ud83dA""#, "\u{FFFD}A"), (#""\ud83d\n""#, "\u{FFFD}\n"),
        ("\"0123456789 naïve 😀 \\\\ 0123456789\"", "0123456789 naïve 😀 \\ 0123456789"),
    ])
    func `strings decode as RFC 8259 specifies`(document: String, expected: String) throws {
        let decoded = try JSONReader.read(Array(document.utf8)) { reader throws(JSONReadError) in
            let string = try reader.string().string
            try reader.finish()
            return string
        }
        #expect(decoded == expected)
        #expect(Array(decoded.utf8) == Array(expected.utf8))
    }

    @Test
    func `a text is decoded into the arena`() throws {
        var arena = Arena()
        let texts = try JSONReader.read(Array(#"["one","","t\u0077o","ü"]"#.utf8)) {
            reader throws(JSONReadError) in
            var texts: [Text] = []
            try reader.forEachElement { reader throws(JSONReadError) in
                texts.append(try reader.text(into: &arena))
            }
            return texts
        }
        #expect(texts.map { arena[$0] } == ["one", "", "two", "ü"])
    }

    @Test
    func `a key matches by its decoded text, escaped or not`() throws {
        let seen = try JSONReader.read(Array(#"{"t\u0069tle":1,"titl":2,"titles":3,"title":4}"#.utf8)) {
            reader throws(JSONReadError) in
            var seen: [Int64?] = []
            try reader.forEachKey { key, reader throws(JSONReadError) in
                if key == "title" { seen.append(try reader.integer()) }
            }
            return seen
        }
        #expect(seen == [1, 4])
    }

    @Test
    func `invalid UTF-8 costs a character, not the record`() throws {
        let document: [UInt8] = [0x22, 0x61, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80, 0x62, 0x22]
        let decoded = try JSONReader.read(document) { reader throws(JSONReadError) in
            try reader.string().string
        }
        #expect(decoded == String(decoding: document[1..<9], as: UTF8.self))
        #expect(decoded.hasPrefix("a\u{FFFD}") && decoded.hasSuffix("b"))
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.0", nil), ("1e3", nil),
            ("100000000000000000000000000", nil),
        ] as [(String, Int64?)])
    func `an integer has digits only and fits`(document: String, expected: Int64?) throws {
        let value = try JSONReader.read(Array(document.utf8)) { reader throws(JSONReadError) in
            let value = try reader.integer()
            try reader.finish()
            return value
        }
        #expect(value == expected)
    }

    @Test(
        arguments: [
            ("", .truncated, 0), ("  ", .truncated, 2), ("{", .truncated, 1), ("[1,", .truncated, 3),
            ("[1,]", .syntax, 3), ("{\"a\":1,}", .syntax, 7), ("{a:1}", .syntax, 1), ("[1 2]", .syntax, 3),
            ("nul", .truncated, 3), ("nulx", .syntax, 3), ("01", .trailingBytes, 1), ("-", .truncated, 1),
            ("1.", .truncated, 2), ("1.e5", .syntax, 2), ("1e", .truncated, 2), (".5", .syntax, 0),
            ("+1", .syntax, 0), ("\"\t\"", .syntax, 1), (#""\x""#, .syntax, 2), (#""\u12g4""#, .syntax, 5),
            ("\"abc", .truncated, 4), ("{} {}", .trailingBytes, 3), ("[}", .syntax, 1), ("{]", .syntax, 1),
            ("{\"a\" 1}", .syntax, 5), ("{1:2}", .unexpected(.number), 1), ("\u{A0}1", .syntax, 0),
        ] as [(String, JSONReadError.Kind, Int)])
    func `invalid JSON is rejected with its position`(
        document: String, kind: JSONReadError.Kind, offset: Int
    ) {
        #expect(Self.skipError(Array(document.utf8)) == JSONReadError(kind, at: offset))
    }

    @Test
    func `a value of another kind is reported`() {
        let error = Self.error(Array("  12".utf8)) { reader throws(JSONReadError) in
            try reader.forEachKey { _, _ in }
        }
        #expect(error == JSONReadError(.unexpected(.number), at: 2))
        #expect(error?.description.contains("byte 2") == true)
    }

    @Test
    func `nesting ends at the limit, read or skipped, without using the stack`() {
        let limit = JSONReader.depthLimit
        let fits = String(repeating: "[", count: limit) + "1" + String(repeating: "]", count: limit)
        #expect(Self.skipError(Array(fits.utf8)) == nil)
        let mixed =
            String(repeating: "{\"a\":[", count: limit / 2) + "1" + String(repeating: "]}", count: limit / 2)
        #expect(Self.skipError(Array(mixed.utf8)) == nil)
        #expect(Self.skipError(Array("[\(fits)]".utf8)) == JSONReadError(.tooDeep, at: limit))
        let bomb = [UInt8](repeating: UInt8(ascii: "["), count: 4_000_000)
        #expect(Self.skipError(bomb) == JSONReadError(.tooDeep, at: limit))
        let objects = Array(String(repeating: #"{"":"#, count: 100_000).utf8)
        #expect(Self.skipError(objects)?.kind == .tooDeep)
    }

    @Test
    func `a document cut at any byte is rejected as truncated`() throws {
        let document = Array(
            #"{"a":[1.5e-3,"é\ud83d\ude00",{"b":null}],"c":{"d":[true,false,[]]},"e":""}"#.utf8)
        #expect(Self.skipError(document) == nil)
        for length in 0..<document.count {
            let error = Self.skipError(Array(document[..<length]))
            #expect(error?.kind == .truncated, "cut at \(length)")
            #expect(error?.offset == length)
        }
    }

    @Test
    func `a byte order mark is skipped`() {
        #expect(Self.skipError([0xEF, 0xBB, 0xBF] + Array("{}".utf8)) == nil)
    }

    static func skipError(_ document: [UInt8]) -> JSONReadError? {
        error(document) { reader throws(JSONReadError) in
            try reader.skip()
            try reader.finish()
        }
    }

    static func error(
        _ document: [UInt8], _ body: (inout JSONReader) throws(JSONReadError) -> Void
    ) -> JSONReadError? {
        do throws(JSONReadError) {
            try JSONReader.read(document, body)
            return nil
        } catch {
            return error
        }
    }
}
