import Syntax
import System
import TestSupport
import Testing

@Suite struct CSVParserTests {
    /// An input, its cells, and the flags of its records if any are set.
    struct Example: CustomTestStringConvertible, Sendable {
        var input: String
        var cells: [[String]]
        var flags: [RecordFlags]

        init(_ input: String, _ cells: [[String]], _ flags: [RecordFlags]? = nil) {
            self.input = input
            self.cells = cells
            self.flags = flags ?? cells.map { _ in [] }
        }

        var testDescription: String { input.debugDescription }
    }

    static let examples: [Example] = [
        Example("", []),
        Example("a,b\nc,d\n", [["a", "b"], ["c", "d"]]),
        Example("a,b\nc,d", [["a", "b"], ["c", "d"]]),
        Example("a\r\nb\rc\nd", [["a"], ["b"], ["c"], ["d"]]),
        Example("\n\r\n\r", [[""], [""], [""]]),
        Example("a\r\r\nb", [["a"], [""], ["b"]]),
        Example(",", [["", ""]]),
        Example("a,", [["a", ""]]),
        Example("\"\"", [[""]]),
        Example("\"a,b\",\"c\r\nd\"\n", [["a,b", "c\r\nd"]]),
        Example("\"a \"\"b\"\" c\"", [["a \"b\" c"]]),
        Example("\"\"\"\"", [["\""]]),
        Example("\"\"\"\",\"\"\"\"\"\"\n", [["\"", "\"\""]]),
        // Goodreads' two ways of keeping an ISBN as text, until 2015 and since.
        Example("=\"0439708184\",=\"\"\n", [["=\"0439708184\"", "=\"\""]]),
        Example("\"=\"\"0439708184\"\"\",\"=\"\"\"\"\"\n", [["=\"0439708184\"", "=\"\""]]),
        // Damage is kept and flagged.
        Example("6\" tall,b", [["6\" tall", "b"]], [.strayQuote]),
        Example("=\"a,b\"", [["=\"a", "b\""]], [.strayQuote]),
        Example("=\"a\"b", [["=\"a\"b"]], [.strayQuote]),
        Example("==\"a\"", [["==\"a\""]], [.strayQuote]),
        Example(" \"a\"", [[" \"a\""]], [.strayQuote]),
        Example("\"ab\"cd,e", [["abcd", "e"]], [.textAfterQuote]),
        Example("\"ab\" ,e", [["ab ", "e"]], [.textAfterQuote]),
        Example("\"a\"b\"c\",e\n", [["ab\"c\"", "e"]], [.textAfterQuote]),
        Example("\"a\"\"b\"c\n", [["a\"bc"]], [.textAfterQuote]),
        Example("a,\"b\nc", [["a", "b\nc"]], [.unterminatedQuote]),
        Example("a,\"b\"\"", [["a", "b\""]], [.unterminatedQuote]),
        Example("\"", [[""]], [.unterminatedQuote]),
        Example("a\0b,\0", [["a\0b", "\0"]], [.nul]),
        Example("é,\"ʤ\"\nb", [["é", "ʤ"], ["b"]]),
    ]

    @Test(arguments: examples) func `each example gives the expected cells and flags`(_ example: Example)
        throws
    {
        let reading = try CSVReading(Array(example.input.utf8))
        #expect(reading.cells == example.cells)
        #expect(reading.records.map(\.flags) == example.flags)
    }

    @Test(arguments: examples) func `the reference parser agrees with each example`(_ example: Example) {
        let records = ReferenceCSVParser.parse(Array(example.input.utf8))
        #expect(records.map { $0.cells.map { String(decoding: $0, as: UTF8.self) } } == example.cells)
        #expect(records.map(\.flags) == example.flags)
    }

    @Test func `invalid UTF-8 is flagged and kept`() throws {
        let reading = try CSVReading([0x61, 0x2C, 0xFF, 0x0A, 0x62, 0x0A])
        #expect(reading.records.map(\.cells) == [[[0x61], [0xFF]], [[0x62]]])
        #expect(reading.records.map(\.flags) == [.invalidUTF8, []])
    }

    @Test func `a record of empty fields is blank and is numbered`() throws {
        let reading = try CSVReading(Array("a\n\n,,\n\"\",\"\"\n \nb\n".utf8))
        #expect(reading.records.map(\.isBlank) == [false, true, true, true, false, false])
        #expect(reading.records.map(\.position.record) == [1, 2, 3, 4, 5, 6])
    }

    @Test func `quotes are ordinary characters in a dialect without them`() throws {
        let bytes = Array("\"a\t\"b\"\"c\n\"\td".utf8)
        let dialect = Dialect(delimiter: UInt8(ascii: "\t"), quote: nil)
        let reading = try CSVReading(bytes, dialect: dialect)
        #expect(reading.cells == [["\"a", "\"b\"\"c"], ["\"", "d"]])
        #expect(reading.records.allSatisfy { $0.flags == [] })
        #expect(reading.records == ReferenceCSVParser.parse(bytes, dialect: dialect))
    }

    @Test func `line numbers are those of an editor`() throws {
        let reading = try CSVReading(Array("a,\"x\r\ny\rz\n\"\r\nb\rc\n".utf8))
        #expect(
            reading.records.map(\.position) == [
                Position(byte: 0, line: 1, record: 1), Position(byte: 13, line: 5, record: 2),
                Position(byte: 15, line: 6, record: 3),
            ])
        #expect(reading.end == Position(byte: 17, line: 7, record: 4))
    }

    @Test(arguments: examples) func `a prefix yields exactly the records that are certainly complete`(
        _ example: Example
    ) {
        let bytes = Array(example.input.utf8)
        let parser = CSVParser(dialect: .comma)
        var whole = ParsedRecords()
        _ = bytes.withUnsafeBytes { parser.parse($0, isFinal: true, into: &whole) }
        for count in 0...bytes.count {
            var run = ParsedRecords()
            let ending = bytes[..<count].withUnsafeBytes { parser.parse($0, isFinal: false, into: &run) }
            #expect(ending == .needsInput)
            #expect(Array(run.marks) == Array(whole.marks.prefix(run.marks.count)))
            #expect(Array(run.cells) == Array(whole.cells.prefix(run.cells.count)))
            #expect(run.consumed == run.marks.last?.next ?? 0)
        }
    }
}
