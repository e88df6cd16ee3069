import System
import TestSupport
import Testing

@testable import Syntax

/// Tables with too many and too few quotes: the reader compared with the reference parser, with itself on
/// input cut and resumed elsewhere, and with the pass that only counts.
@Suite struct UnclosedQuoteRandomInputTests {
    /// A table most of whose records are valid.
    static func randomTable(columns: Int, damage: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        let cells = [
            "", "a", "Ana Lee", "\"Lee, Ana\"", "=\"\"", "=\"044\"", "\"Good.\nVery, good.\"",
            "\"a \"\"b\"\"\"", "\"\"",
            "5' 6\"", "é",
        ]
        let damaged = [
            "\"lost", "\"lost, and", "found\"", "\"a\nb, c", "\"a \"b, c\" d\"", "\"\"\"a", "\"a\"\"", "a,b",
            "\"",
            "\"x\n" + String(repeating: "y,", count: columns - 1) + "z\n\"", "\" \"b", "\"\" b", "\"\"\" \"",
        ]
        let quiet = Bool.random(using: &generator)
        let end = ["\n", "\r\n", "\r"].randomElement(using: &generator) ?? "\n"
        var text = ""
        for _ in 0..<Int.random(in: 1...14, using: &generator) {
            let width = Int.random(in: 0..<12, using: &generator) == 0 ? columns + 1 : columns
            let row = (0..<width).map { _ in
                let list = Int.random(in: 0..<damage, using: &generator) == 0 ? damaged : cells
                return (quiet && list == cells ? list[1] : list.randomElement(using: &generator)) ?? ""
            }
            text += row.joined(separator: ",").replacing("\n", with: end) + end
        }
        if Bool.random(using: &generator) { text.removeLast() }
        return Array(text.utf8)
    }

    private func agree(
        _ input: [UInt8], columns: Int, limits: RecordLimits, _ generator: inout SeededGenerator
    )
        throws -> CSVReading
    {
        let whole = try CSVReading(input, limits: limits, columns: columns)
        #expect(whole.end.byte == Int64(input.count))
        for _ in 0..<3 {
            let pieces = [Int.random(in: 1...90, using: &generator), 1, 0]
            let block = Int.random(in: 1...400, using: &generator)
            let most = (Int.random(in: 1...5, using: &generator), Int.random(in: 1...300, using: &generator))
            let reading = try CSVReading(
                input, limits: limits, columns: columns, pieces: pieces, blockBytes: block,
                maxRecords: most.0, maxBytes: most.1)
            #expect(reading == whole, "\(columns) \(limits) \(String(decoding: input, as: UTF8.self))")
            var reader = try RecordReader(
                PiecewiseBytes(input, pieces: pieces), dialect: .comma, encoding: .utf8, limits: limits,
                columns: columns, blockBytes: block)
            var passed = SkippedRecords()
            while try reader.passOn(counting: &passed, visiting: { _, _ in }) {}
            #expect(passed.count == whole.records.count { !$0.isBlank })
            #expect(passed.records == whole.records.count)
            #expect(passed.lines == whole.end.line - 1)
        }
        for (index, record) in whole.records.enumerated() {
            let rest = try CSVReading(input, limits: limits, columns: columns, from: record.position)
            #expect(
                rest.records == Array(whole.records[index...]),
                "from \(index) \(columns) \(limits) \(String(decoding: input, as: UTF8.self))")
        }
        return whole
    }

    @Test(arguments: 0..<8) func `damaged tables parse the same as by the reference parser`(_ seed: Int)
        throws
    {
        var generator = SeededGenerator(seed: 300 + UInt64(seed))
        var lost = 0
        for round in 0..<60 {
            let columns = [2, 3, 5, 8, 9, 12][round % 6]
            let input = Self.randomTable(columns: columns, damage: [8, 30, 80][round / 6 % 3], &generator)
            let whole = try agree(input, columns: columns, limits: .standard, &generator)
            let expected = ReferenceCSVParser.parse(input, columns: columns)
            #expect(
                whole.difference(from: expected) == nil,
                "\(columns) \(String(decoding: input, as: UTF8.self))")
            lost += expected.count { $0.flags.contains(.unreadable) }
        }
        // Otherwise the tables would test nothing.
        #expect(lost > 0)
    }

    @Test(arguments: [
        "\",\n,\" \"S", "\",\n,\"\" S", "\",\n,\"\"\" S", "\",\n,\" S\"", "\",\n, S", "\",\n,S",
        "\",\na,\" \"\"S\"",
    ])
    func `a blank after a delimiter counts in quotes, too`(text: String) throws {
        let input = Array(text.utf8)
        let reading = try CSVReading(input, columns: 2)
        #expect(reading.difference(from: ReferenceCSVParser.parse(input, columns: 2)) == nil)
    }

    @Test(arguments: 0..<8) func `under tight limits results do not depend on cuts`(_ seed: Int)
        throws
    {
        var generator = SeededGenerator(seed: 400 + UInt64(seed))
        for round in 0..<60 {
            let columns = [2, 3, 5, 8, 9, 12][round % 6]
            let limits = RecordLimits(
                fieldBytes: Int.random(in: 1...120, using: &generator),
                recordBytes: Int.random(in: 1...400, using: &generator),
                columns: Int.random(in: columns...2 * columns, using: &generator))
            let input = Self.randomTable(columns: columns, damage: [8, 30, 80][round / 6 % 3], &generator)
            _ = try agree(input, columns: columns, limits: limits, &generator)
        }
    }

    @Test func `undamaged tables are parsed literally`() throws {
        var generator = SeededGenerator(seed: 12)
        for round in 0..<120 {
            let columns = [2, 5, 9][round % 3]
            let input = Self.randomTable(columns: columns, damage: .max, &generator)
            let reading = try CSVReading(input, columns: columns)
            #expect(
                reading.records.allSatisfy { !$0.flags.contains(.unreadable) },
                "\(columns) \(String(decoding: input, as: UTF8.self))")
            #expect(try reading == CSVReading(input))
        }
    }
}
