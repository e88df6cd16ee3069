import Foundation
import Syntax
import TestSupport
import Testing

@Suite
struct JSONReaderOracleTests {
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `random documents give the values that JSONSerialization gives`(seed: UInt64) throws {
        var writer = RandomDocument(seed: seed)
        for _ in 0..<150 {
            let document = Array(writer.document().utf8)
            let expected = try JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed)
            let actual = try JSONReader.read(document) { reader throws(JSONReadError) in
                let value = try Self.tree(&reader)
                try reader.finish()
                return value
            }
            #expect(Self.same(actual, expected), "\(String(decoding: document, as: UTF8.self))")
            #expect(JSONReaderTests.skipError(document) == nil)
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `damaged documents are accepted or rejected as by JSONSerialization`(seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 1000)
        var writer = RandomDocument(seed: seed)
        let alphabet = Array(#"{}[]",:\/truefalsn0129.-+ u"#.utf8)
        var refused = 0
        for _ in 0..<400 {
            var document = Array(writer.document().utf8)
            let place = Int.random(in: 0..<document.count, using: &random)
            let byte = alphabet.randomElement(using: &random) ?? 0x20
            guard document[place] < 0x80 else { continue }
            if Bool.random(using: &random) {
                document[place] = byte
            } else {
                document.insert(byte, at: place)
            }
            // JSONSerialization rejects unpaired surrogates; this reader returns them as U+FFFD, as
            // documented.
            if String(decoding: document, as: UTF8.self).contains("\\u") { continue }
            let expected = try? JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed)
            let error = JSONReaderTests.skipError(document)
            if let error, error.kind == .syntax, error.offset < document.count {
                // JSONSerialization is more lenient than RFC 8259 in two points: raw control characters in
                // strings and a comma before the closing bracket.
                if [0x09, 0x0A, 0x0D, UInt8(ascii: "]"), UInt8(ascii: "}")].contains(document[error.offset]) {
                    continue
                }
            }
            #expect((error == nil) == (expected != nil), "\(String(decoding: document, as: UTF8.self))")
            if error != nil { refused += 1 }
        }
        #expect(refused > 20)
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `arbitrary bytes neither trap nor cause reads past the end`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            let noise = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random)
                    : Array(#"{["\:,]}1-e"#.utf8).randomElement(using: &random) ?? 0
            }
            if let error = JSONReaderTests.skipError(noise) { #expect(error.offset <= noise.count) }
        }
    }

    /// The document as the nested values that JSONSerialization makes of it.
    private static func tree(_ reader: inout JSONReader) throws(JSONReadError) -> Any {
        switch try reader.peek() {
        case .object:
            var object: [String: Any] = [:]
            try reader.forEachKey { key, reader throws(JSONReadError) in
                object[key.string] = try tree(&reader)
            }
            return object
        case .array:
            var array: [Any] = []
            try reader.forEachElement { reader throws(JSONReadError) in array.append(try tree(&reader)) }
            return array
        case .string: return try reader.string().string
        case .number: return Double(String(decoding: try reader.number(), as: UTF8.self)) ?? .nan
        case .bool: return try reader.bool()
        case .null:
            _ = try reader.takeNull()
            return NSNull()
        }
    }

    private static func same(_ a: Any, _ b: Any) -> Bool {
        switch (a, b) {
        case (let a as [String: Any], let b as [String: Any]):
            a.count == b.count && a.allSatisfy { key, value in b[key].map { same(value, $0) } ?? false }
        case (let a as [Any], let b as [Any]):
            a.count == b.count && zip(a, b).allSatisfy { same($0, $1) }
        case (let a as String, let b as String): Array(a.utf8) == Array(b.utf8)
        case (is NSNull, is NSNull): true
        case (let a as Bool, let b as NSNumber): a == b.boolValue
        case (let a as Double, let b as NSNumber): a == b.doubleValue
        default: false
        }
    }
}

/// Writes JSON documents of random shape, spacing and escapes.
private struct RandomDocument {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func document() -> String { blank() + value(depth: 0) + blank() }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 5 ? 5 : 8), using: &random) {
        case 0: return string()
        case 1: return ["0", "-0", "12", "-7.25", "1e3", "2.5E-2", "1234", "0.1"][pick(8)]
        case 2: return ["true", "false"][pick(2)]
        case 3: return "null"
        case 4: return ["[ ]", "{}", "{\n}", "[]"][pick(4)]
        case 5, 6:
            let members = (0...pick(4)).map { _ in
                blank() + string() + blank() + ":" + blank() + value(depth: depth + 1) + blank()
            }
            var keys: Set<String> = []
            let distinct = members.filter { keys.insert(String($0.prefix { $0 != ":" })).inserted }
            return "{" + distinct.joined(separator: ",") + "}"
        default:
            let elements = (0...pick(4)).map { _ in blank() + value(depth: depth + 1) + blank() }
            return "[" + elements.joined(separator: ",") + "]"
        }
    }

    private mutating func string() -> String {
        let parts = [
            "a", "title", "0123456789abcdef", "é", "中文", "😀", #"\""#, #"\\"#, #"\/"#, #"\n"#, #"\u00e9"#,
            #"\ud83d\ude00"#, " ", "{", "]", ":", ",", "\u{7F}", "\u{A0}",
        ]
        // A number in front makes keys distinct: the meaning of a repeated key is not defined.
        return "\"\(UInt32.random(in: 0...UInt32.max, using: &random))"
            + (0..<pick(8)).map { _ in parts[pick(parts.count)] }.joined() + "\""
    }

    private mutating func blank() -> String { ["", "", "", " ", "\n", "\t\r\n  "][pick(6)] }
    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
}
