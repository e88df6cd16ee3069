import Syntax
import System
import TestSupport
import Testing

/// The parser compared with the reference parser, and with itself on differently cut input.
@Suite struct CSVRandomInputTests {
    private static let alphabet: [[UInt8]] = [
        Array("\"".utf8), Array("\"".utf8), Array("\"\"".utf8), Array(",".utf8), Array(",".utf8),
        Array("\r".utf8), Array("\n".utf8), Array("\r\n".utf8), Array("=".utf8), Array("=\"".utf8),
        Array("a".utf8), Array("bcd".utf8), [0], [0xFF], Array("é".utf8), Array("é".utf8.prefix(1)),
        [UInt8](repeating: UInt8(ascii: "x"), count: 61),
    ]

    static func randomInput(maxSymbols: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        // Some inputs prefer few symbols: parsers differ most on long runs of quotes or line ends.
        let symbols = (0..<Int.random(in: 2...alphabet.count, using: &generator)).compactMap { _ in
            alphabet.randomElement(using: &generator)
        }
        return (0..<Int.random(in: 0...maxSymbols, using: &generator))
            .flatMap { _ in symbols.randomElement(using: &generator) ?? [] }
    }

    @Test(arguments: 0..<8) func `random inputs parse the same as by the reference parser`(_ seed: Int) throws
    {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<400 {
            let input = Self.randomInput(maxSymbols: 60, &generator)
            let expected = ReferenceCSVParser.parse(input)
            #expect(try CSVReading(input).difference(from: expected) == nil, "\(input)")
            let reading = try CSVReading(
                input, pieces: [Int.random(in: 1...9, using: &generator), 1, 70],
                blockBytes: Int.random(in: 1...200, using: &generator),
                maxRecords: Int.random(in: 1...5, using: &generator),
                maxBytes: Int.random(in: 1...50, using: &generator))
            #expect(reading.difference(from: expected) == nil, "\(input)")
            #expect(reading.end.byte == Int64(input.count))
            #expect(reading.end.record == expected.count + 1)
        }
    }

    @Test(arguments: 0..<8) func `random inputs parse the same under tight limits`(_ seed: Int) throws {
        var generator = SeededGenerator(seed: 1000 + UInt64(seed))
        for _ in 0..<400 {
            let input = Self.randomInput(maxSymbols: 80, &generator)
            let limits = RecordLimits(
                fieldBytes: Int.random(in: 1...100, using: &generator),
                recordBytes: Int.random(in: 1...200, using: &generator),
                columns: Int.random(in: 1...6, using: &generator))
            let expected = ReferenceCSVParser.parse(input, limits: limits)
            for block in [1, 2, 64, 100_000] {
                let reading = try CSVReading(input, limits: limits, pieces: [0, 3], blockBytes: block)
                #expect(reading.difference(from: expected) == nil, "\(limits) \(input)")
                #expect(reading.end.byte == Int64(input.count))
            }
        }
    }

    @Test func `every cut of an input gives the same records`() throws {
        var generator = SeededGenerator(seed: 99)
        for _ in 0..<25 {
            let input = Self.randomInput(maxSymbols: 30, &generator)
            let expected = try CSVReading(input)
            for cut in 1...max(1, input.count) {
                let reading = try CSVReading(input, pieces: [cut, 0], blockBytes: cut)
                #expect(reading.difference(from: expected.records) == nil, "\(input) at \(cut)")
                #expect(reading.end == expected.end)
            }
        }
    }

    @Test func `parsing can resume at every record`() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<100 {
            let input = Self.randomInput(maxSymbols: 50, &generator)
            let whole = try CSVReading(input)
            for (index, record) in whole.records.enumerated() {
                let rest = try CSVReading(input, from: record.position)
                #expect(
                    rest.difference(from: Array(whole.records[index...])) == nil, "\(input) from \(index)")
                #expect(rest.end == whole.end)
            }
        }
    }
}
