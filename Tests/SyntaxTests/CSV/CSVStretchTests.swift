import CScan
import Syntax
import System
import TestSupport
import Testing

/// The parser compared with the reference parser at the borders of stretches and blocks, and with hostile
/// input.
@Suite struct CSVStretchTests {
    private static let alphabet = Array("\",\r\n a=".utf8).map { [$0] } + [Array("é".utf8), [0]]
    private static let dialects: [Dialect] = [
        .comma, .semicolon, Dialect(delimiter: UInt8(ascii: ","), quote: nil),
        Dialect(delimiter: UInt8(ascii: " "), quote: UInt8(ascii: "a")),
    ]

    private func agree(
        _ input: [UInt8], dialect: Dialect = .comma, limits: RecordLimits = .standard, pieces: [Int] = [0],
        blockBytes: Int? = nil
    ) throws {
        let expected = ReferenceCSVParser.parse(input, dialect: dialect, limits: limits)
        let reading = try CSVReading(
            input, dialect: dialect, limits: limits, pieces: pieces, blockBytes: blockBytes)
        #expect(reading.difference(from: expected) == nil, "\(dialect) \(input.suffix(200))")
        #expect(reading.end.byte == Int64(input.count))
    }

    @Test(arguments: 0..<4) func `few symbols in any order parse the same at every split`(_ seed: Int) throws
    {
        var generator = SeededGenerator(seed: 500 + UInt64(seed))
        for _ in 0..<40 {
            let input = (0..<Int.random(in: 1...24, using: &generator))
                .flatMap { _ in Self.alphabet.randomElement(using: &generator) ?? [] }
            for split in 1...input.count {
                try agree(input, dialect: Self.dialects[seed], pieces: [split, 0], blockBytes: split)
            }
        }
    }

    @Test(arguments: [64, Int(SCAN_STRETCH)])
    func `content across a border parses the same`(_ border: Int) throws {
        var generator = SeededGenerator(seed: 77)
        for round in 0..<120 {
            let piece = (0..<12).flatMap { _ in Self.alphabet.randomElement(using: &generator) ?? [] }
            // The piece follows a complete record, an open unquoted field or an open quoted field.
            let head = ["a,b\n", "a,b", "a,\"b", "a,\"b\"\"c"][round % 4]
            let filler = border - Int.random(in: 0...piece.count, using: &generator) - head.utf8.count
            guard filler >= 2 else { continue }
            let text = [UInt8](repeating: UInt8(ascii: "x"), count: filler - 1) + [UInt8(ascii: "\n")]
            try agree(text + Array(head.utf8) + piece + Array("\"\n1,2\n".utf8))
            try agree(text + Array(head.utf8) + piece)
        }
    }

    @Test func `fields of many stretches parse the same`() throws {
        let long = String(repeating: "word, \n", count: 2500)
        for input in [
            "a,\"\(long)\",b\nc\n", "a,\"\"\"\(long)\",b\nc\n", "a,\"\(long)\"\"\",b\nc\n",
            "a,\"\(long)\"x,b\nc",
            "a,\"\(long)", "a,6\" \(long)\",b\r\nc", String(repeating: "\r\n", count: 5000),
        ] {
            try agree(Array(input.utf8))
        }
    }

    @Test func `input of only quotes or delimiters parses the same`() throws {
        for count in [63, 64, 65, 4095, 4096, 4097, 9000] {
            try agree([UInt8](repeating: UInt8(ascii: "\""), count: count))
            try agree(Array("a".utf8) + [UInt8](repeating: UInt8(ascii: "\""), count: count))
            try agree(Array("\"a\"b".utf8) + [UInt8](repeating: UInt8(ascii: "\""), count: count))
            try agree([UInt8](repeating: UInt8(ascii: ","), count: count) + Array("\n\"a\"\"\",b\n".utf8))
            let few = RecordLimits(columns: 3)
            try agree(
                [UInt8](repeating: UInt8(ascii: ","), count: count) + Array("\n1,2\n".utf8), limits: few)
            try agree(
                Array(String(repeating: "\"a\"\"b\",", count: count / 4).utf8) + Array("\n1,\"\"\"\"\n".utf8),
                limits: few)
        }
    }
}
