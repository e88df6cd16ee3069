import Syntax
import System
import TestSupport
import Testing

/// Records over a limit are reported instead of parsed, and the records after them are not lost.
@Suite struct RecordLimitsTests {
    private func reader(
        _ head: String, _ byte: Character, _ count: Int, _ tail: String, limits: RecordLimits = .standard
    ) throws -> RecordReader {
        let bytes = LongBytes(
            head: Array(head.utf8), byte: byte.asciiValue ?? 0, count: count, tail: Array(tail.utf8))
        return try RecordReader(bytes, dialect: .comma, encoding: .utf8, limits: limits)
    }

    @Test func `a line of a gigabyte is reported in bounded memory`() throws {
        let length = 1 << 30
        var reader = try reader("a\n", "x", length, "\nb\n")
        let reading = try CSVReading(&reader)
        #expect(reading.cells == [["a"], [], ["b"]])
        #expect(reading.records.map(\.flags) == [[], .recordOverLimit, []])
        #expect(reading.records[1].rawLength == length)
        #expect(reading.records[1].raw == [UInt8](repeating: UInt8(ascii: "x"), count: 64 * 1024))
        #expect(reading.records[1].position == Position(byte: 2, line: 2, record: 2))
        #expect(reading.records[2].position == Position(byte: Int64(length) + 3, line: 3, record: 3))
        #expect(reader.heldBytes <= 16 << 20)
    }

    @Test(arguments: ["x", "\n", ","] as [Character])
    func `a quoted field of a hundred megabytes is one record`(filler: Character) throws {
        let length = 100 << 20
        var reader = try reader("a,\"", filler, length, "\",\"c\"\nb,\"1\n2\"\n")
        let reading = try CSVReading(&reader)
        #expect(reading.cells == [[], ["b", "1\n2"]])
        #expect(reading.records[0].flags == [.recordOverLimit])
        #expect(reading.records[0].rawLength == length + 8)
        let lines = filler == "\n" ? length + 2 : 2
        #expect(reading.records[1].position == Position(byte: Int64(length) + 9, line: lines, record: 2))
        #expect(reader.heldBytes <= 16 << 20)
    }

    @Test func `an unclosed quote is given up at the end of a line`() throws {
        let limits = RecordLimits(fieldBytes: 100, recordBytes: 200)
        let rows = (0..<50).map { "row \($0),\"\"\n" }.joined()
        for tail in ["", "x,\"quoted, text\"\n", "\"x\",y\n"] {
            let input = Array(("title,\"lost\n" + rows + tail).utf8)
            let reading = try CSVReading(input, limits: limits)
            #expect(reading.records[0].flags == [.recordOverLimit, .unterminatedQuote])
            #expect((200..<230).contains(reading.records[0].rawLength))
            #expect(reading.records == ReferenceCSVParser.parse(input, limits: limits))
        }
    }

    @Test(arguments: [
        "\"", "\"\n", "\"\r\nx,y\n", "\",z\n\"x\",\"y\n\"\n", "\"\",\"\nx,y\n", "\"\"", "\"z\nx,y\n",
    ])
    func `a long field ends at the same place, wherever the input is cut or resumed`(tail: String) throws {
        let limits = RecordLimits(fieldBytes: 20, recordBytes: 40)
        for encoding in [TextEncoding.utf8, .utf16LittleEndian] {
            let text = "a,b\n1,\"" + String(repeating: "line, \"\"\u{E9}\"\"\n", count: 9) + tail
            let input = Array(text.utf8)
            let bytes =
                encoding == .utf8
                ? input
                : text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
            let whole = try CSVReading(bytes, encoding: encoding, limits: limits)
            let expected = ReferenceCSVParser.parse(input, limits: limits)
            #expect(whole.records.map(\.cells) == expected.map(\.cells))
            #expect(whole.records.map(\.flags) == expected.map(\.flags))
            for piece in [1, 2, 3, 7, 64] {
                for block in [16, 64, 1_024] {
                    let pieced = try CSVReading(
                        bytes, encoding: encoding, limits: limits, pieces: [piece], blockBytes: block)
                    #expect(pieced == whole, "pieces of \(piece), blocks of \(block)")
                }
            }
            for (index, record) in whole.records.enumerated() {
                let rest = try CSVReading(bytes, encoding: encoding, limits: limits, from: record.position)
                #expect(rest.records == Array(whole.records[index...]))
            }
        }
    }

    @Test func `an unclosed quote costs one record, not the rest of the file`() throws {
        let limits = RecordLimits(fieldBytes: 100, recordBytes: 200)
        let rows = (0..<50).map { "row \($0),b\n" }
        let input = Array(("title,\"lost\n" + rows.joined()).utf8)
        let reading = try CSVReading(input, limits: limits)
        #expect(reading.records[0].flags == [.recordOverLimit, .unterminatedQuote])
        #expect((200..<220).contains(reading.records[0].rawLength))
        #expect(reading.cells.last == ["row 49", "b"])
        #expect(reading.cells.count > 20)
        #expect(reading.records[1].position.line == 51 - (reading.records.count - 1) + 1)
        #expect(reading.records == ReferenceCSVParser.parse(input, limits: limits))
    }

    @Test func `a long record with balanced quotes is delimited correctly`() throws {
        let limits = RecordLimits(fieldBytes: 50, recordBytes: 100)
        let field = "\"two\nlines, and \"\"quotes\"\"\""
        let input = Array(((0..<20).map { _ in field }.joined(separator: ",") + "\r\nnext\n").utf8)
        let reading = try CSVReading(input, limits: limits)
        #expect(reading.cells == [[], ["next"]])
        #expect(reading.records[0].flags == .recordOverLimit)
        #expect(reading.records[1].position == Position(byte: Int64(input.count - 5), line: 22, record: 2))
    }

    @Test func `a million columns are not held in memory`() throws {
        var reader = try reader("a\n", ",", 1_000_000, "\nb\n")
        let reading = try CSVReading(&reader)
        #expect(reading.cells == [["a"], [], ["b"]])
        #expect(reading.records[1].flags == .columnsOverLimit)
        #expect(reading.records[1].rawLength == 1_000_000)
        #expect(reading.records[1].raw.count == 64 * 1024)
    }

    @Test func `values exactly at the limits are allowed`() throws {
        let limits = RecordLimits(fieldBytes: 5, recordBytes: 15, columns: 3)
        for (input, flags) in [
            ("12345,\"12345\",1\n", RecordFlags()), ("123456\n", .fieldOverLimit),
            ("\"123456\"\n", .fieldOverLimit),
            ("12345,12345,1234\n", .recordOverLimit), ("1,2,3\n", []), ("1,2,3,4\n", .columnsOverLimit),
            ("12345,\"12345\",1\r\n", []), ("12345,\"12345\",1", []),
        ] {
            #expect(
                try CSVReading(Array(input.utf8), limits: limits).records.map(\.flags) == [flags], "\(input)")
        }
    }

    @Test func `a file of line ends has only blank records`() throws {
        var reader = try reader("", "\n", 3 << 20, "a\n")
        #expect(try reader.countRest() == 1)
        let blank = try CSVReading([UInt8](repeating: UInt8(ascii: "\r"), count: 10_000))
        #expect(blank.records.count == 10_000)
        #expect(blank.records.allSatisfy { $0.isBlank })
        #expect(blank.end == Position(byte: 10_000, line: 10_001, record: 10_001))
    }

    @Test func `counting finds the same records over limits as parsing`() throws {
        let limits = RecordLimits(fieldBytes: 10, recordBytes: 40, columns: 4)
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let input = CSVRandomInputTests.randomInput(maxSymbols: 60, &generator)
            var reader = try RecordReader(
                PiecewiseBytes(input), dialect: .comma, encoding: .utf8, limits: limits, blockBytes: 32)
            let expected = ReferenceCSVParser.parse(input, limits: limits).count { !$0.isBlank }
            #expect(try reader.countRest() == expected, "\(input)")
        }
    }
}
