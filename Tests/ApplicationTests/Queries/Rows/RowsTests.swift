import System
import TestSupport
import Testing

@testable import Formats
@testable import Queries
@testable import Store
@testable import Syntax

@Suite
struct RowsTests {
    @Test(
        arguments: [
            ("", []), ("[]", []), ("[", []), (#"["a"]"#, ["a"]),
            (#"["a\"b","ü\u00fc🦄",""]"#, ["a\"b", "üü🦄", ""]),
            (#"{"a":1}"#, []), (#"["a"] x"#, []), ("[1]", []), ("null", []),
        ] as [(String, [String])])
    func `a stored list is read, and invalid text is an empty list`(stored: String, expected: [String]) {
        #expect(StoredList.strings(stored) == expected)
    }

    @Test func `a stored list round-trips`() {
        let lists = [["a"], ["\u{2028}", "\"", "\\", "\u{1}"], Array(repeating: "x", count: 1_000)]
        for list in lists { #expect(StoredList.strings(StoredList.stored(list) ?? "") == list) }
    }

    @Test func `a series is read with its number, and damaged text gives none`() {
        let stored = #"[{"name":"Earthsea Cycle","number":"1"},{"name":"Lone"},{"name":"X","more":[1,{}]}]"#
        #expect(StoredSeries.read(stored).map(\.description) == ["Earthsea Cycle #1", "Lone", "X"])
        for damaged in ["", "[{", #"[{"name":1}]"#, #"["x"]"#] { #expect(StoredSeries.read(damaged).isEmpty) }
    }

    @Test func `raw records are split as the parser split them`() {
        var raw = RawCells()
        func cells(_ text: String, _ dialect: Dialect = .comma) -> [String] {
            raw.cells(of: Array(text.utf8), dialect).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(cells("a,\"b \"\"c\"\"\",,\"x\ny\"") == ["a", "b \"c\"", "", "x\ny"])
        #expect(cells("=\"0439\",6\" tall,\"ab\"cd") == ["=\"0439\"", "6\" tall", "abcd"])
        #expect(cells("a;\"b;c\";d,e", .semicolon) == ["a", "b;c", "d,e"])
        #expect(cells("") == [])
        #expect(cells("\"never closed,a\nb") == ["never closed,a\nb"])
        let given = raw.cells(of: Array("\"a\nb\",\"c,d,".utf8), .delimited(.comma), isGivenUp: true)
        #expect(given.map { String(decoding: $0, as: UTF8.self) } == ["a\nb", "\"c", "d", ""])
        for (text, expected) in [
            ("1,\"Lost,Ana,=\"\",\"\",x", ["1", "\"Lost", "Ana", "=\"\"", "", "x"]), ("a,\"", ["a", "\""]),
            ("a\"b,c", ["a\"b", "c"]),
        ] {
            let given = raw.cells(of: Array(text.utf8), .delimited(.comma), isGivenUp: true)
            #expect(given.map { String(decoding: $0, as: UTF8.self) } == expected)
        }
        #expect(cells("two\nrecords") == ["two\nrecords"], "text that is not a single record stays whole")
        #expect(cells(String(repeating: ",", count: 64 << 10)).count == (64 << 10) + 1)
    }

    @Test func `an error table puts each cell under its column`() {
        var table = ErrorTable()
        func row(_ cells: [String], _ layout: [String]) -> [String] {
            table.row(cells.map { Array($0.utf8) }, of: layout).map { String(decoding: $0, as: UTF8.self) }
        }
        table.add(layout: ["A", "B", "A"])
        table.add(layout: ["B", "C"])
        table.makeRoom(for: 4, of: ["B", "C"])
        #expect(table.header == ["A", "B", "A", "C", "column 5", "column 6"] + CorrectedList.addedColumns)
        #expect(row(["1", "2", "3"], ["A", "B", "A"]) == ["1", "2", "3", "", "", ""])
        #expect(row(["b", "c", "d", "e"], ["B", "C"]) == ["", "b", "", "c", "d", "e"])
        #expect(row(["short"], ["B", "C"]) == ["", "short", "", "", "", ""])
    }
}
