import Contract
import Foundation
import Store
import System
import TestSupport
import Testing

@testable import Books
@testable import Queries

@Suite
struct ErrorListTests {
    private func list(
        _ store: FilledStore, _ job: String? = nil, as format: ErrorList.Format, warnings: Bool = false,
        safe: Bool = false
    ) throws -> ByteCollector {
        let collector = ByteCollector()
        try ErrorList(try store.open()).write(
            of: job, as: format, includesWarnings: warnings, guardsFormulas: safe
        ) { (piece) throws(ETLError) in collector.take(piece) }
        return collector
    }

    @Test func `a reject has row, line, field, value, code, reason and the original record`() async throws {
        let store = try await SmallLibrary.store()
        let lines = try list(store, as: .ndjson).lines
        let byte =
            SmallLibrary.text.utf8.count
            - "\(SmallLibrary.nothing)\n\(SmallLibrary.dune)\n".utf8.count
        #expect(
            lines == [
                #"{"kind":"reject","row":5,"line":5,"byte":\#(byte),"stage":"ValidateISBN","field":"ISBN13","value":"12345","#
                    + #""code":"no_title_or_isbn","reason":"The row has neither a title nor an ISBN."#
                    + #" An ISBN has 10 or 13 digits; this number has neither.","raw":""#
                    + SmallLibrary.nothing.replacing("\"", with: "\\\"") + #""}"#
            ])
    }

    @Test func `warnings are listed among rejects in input order`() async throws {
        let store = try await SmallLibrary.store()
        var seen: [String] = []
        try ErrorList(try store.open()).forEach(of: "first", includesWarnings: true) {
            (error) throws(ETLError) in
            seen.append("\(error.kind.rawValue) \(error.row) \(error.code)")
        }
        let array = try list(store, as: .json, warnings: true).text
        #expect(array.ranges(of: "\"byte\"").count == 1, "imported records have no byte position")
        #expect(seen == ["warning 4 isbn13_check_digit", "reject 5 no_title_or_isbn"])
    }

    @Test func `the JSON list is one array, empty if there are no errors`() async throws {
        let store = try await SmallLibrary.store()
        let array = try JSONSerialization.jsonObject(with: Data(list(store, as: .json, warnings: true).bytes))
        #expect((array as? [[String: Any]])?.count == 2)
        try await store.importing([SmallLibrary.header + "\n" + SmallLibrary.dune], job: "second")
        #expect(try list(store, as: .json).text == "[]\n", "the newest job is the default")
        #expect(try list(store, "second", as: .ndjson).bytes.isEmpty)
    }

    // MARK: CSV

    /// The list parsed again, each row by column name.
    private func rows(_ collector: ByteCollector) -> [[String: String]] {
        let records = collector.records
        return records.dropFirst().map { Dictionary(zip(records[0], $0)) { first, _ in first } }
    }

    @Test func `in CSV a reject is its own row with its own columns, and can be imported once corrected`()
        async throws
    {
        let store = try await SmallLibrary.store()
        let collector = try list(store, as: .csv)
        #expect(collector.lines[0] == SmallLibrary.header + ",_etl_reason,_etl_detail,_etl_row")
        let row = try #require(rows(collector).first)
        #expect(row["Author"] == "Nobody at all")
        #expect(row["_etl_reason"] == "no_title_or_isbn")
        #expect(row["_etl_row"] == "5")
        let corrected = collector.text.replacing("4,,Nobody at all", with: "4,Found,Nobody at all")
        #expect(corrected != collector.text)
        let job = try await store.importing([corrected], as: ["corrected.csv"], job: "corrected")
        #expect(job.counts.booksCreated == 1 && job.counts.rejected == 0)
    }

    @Test func `a row with warnings is listed once, with the user's values`()
        async throws
    {
        let store = try FilledStore()
        let both = SmallLibrary.row("9", "T", "A", isbn: "9780441013594", review: "Mine, \"all\" mine")
            .replacing("\"2020/10/21\"", with: "\"########\"")
        try await store.importing([SmallLibrary.header + "\n" + both], job: "j")
        let rows = rows(try list(store, as: .csv, warnings: true))
        #expect(rows.count == 1)
        #expect(rows[0]["My Review"] == "Mine, \"all\" mine")
        #expect(rows[0]["_etl_reason"]?.contains("; ") == true, "both codes are listed")
        #expect(rows[0]["Title"] == "T")
    }

    @Test func `the header is the file's own, even if every record was rejected`() async throws {
        let store = try FilledStore()
        try await store.importing([SmallLibrary.header + "\n" + SmallLibrary.nothing], job: "bad")
        #expect(try list(store, as: .csv).lines[0].hasPrefix("Book Id,Title,"))
    }

    @Test func `cells are split by the file's own dialect`() async throws {
        let store = try FilledStore()
        let text = "Title;Author;ISBN13;Note\n;\"Nobody; at all\";12345;\"a,b\"\nT;A;;\n"
        try await store.importing([text], job: "semicolons")
        let row = try #require(rows(try list(store, as: .csv)).first)
        #expect(row["Author"] == "Nobody; at all")
        #expect(row["Note"] == "a,b")
    }

    @Test func `without the file the columns of stored records are used, else numbers`()
        async throws
    {
        let store = try await SmallLibrary.store()
        try FileManager.default.removeItem(atPath: store.folder.file("books.csv"))
        #expect(
            try list(store, as: .csv).lines[0] == SmallLibrary.header + ",_etl_reason,_etl_detail,_etl_row")

        try await store.importing(
            [SmallLibrary.header + "\n" + SmallLibrary.nothing], as: ["bad.csv"], job: "bad")
        try FileManager.default.removeItem(atPath: store.folder.file("bad.csv"))
        let lines = try list(store, "bad", as: .csv).lines
        #expect(lines[0].hasPrefix("column 1,column 2,"))
        #expect(lines[0].hasSuffix("column 23,_etl_reason,_etl_detail,_etl_row"))
        #expect(lines[1].hasPrefix("4,,Nobody at all,"))
    }

    @Test func `the header of a changed file is not used`() async throws {
        let store = try FilledStore()
        try await store.importing([SmallLibrary.header + "\n" + SmallLibrary.nothing], job: "bad")
        _ = try store.folder.write("Title,Author\nOther,File\n", to: "books.csv")
        #expect(try list(store, as: .csv).lines[0].hasPrefix("column 1,"))
    }

    @Test func `files with different columns share one header, and rows name their file`() async throws {
        let store = try FilledStore()
        try await store.importing(
            ["Title,Author,ISBN13\n,Nobody,12345\n", "Author,Title,Shelf\nNobody else,,x\n"],
            as: ["a.csv", "b.csv"], job: "two")
        let collector = try list(store, as: .csv)
        #expect(collector.lines[0] == "Title,Author,ISBN13,Shelf,_etl_reason,_etl_detail,_etl_row")
        #expect(rows(collector).map { $0["Author"] } == ["Nobody", "Nobody else"])
        #expect(rows(collector).map { $0["_etl_row"] } == ["1#2", "2#2"])
        #expect(rows(collector)[1]["Shelf"] == "x")
    }

    @Test func `cells beyond the header have numbered columns`() async throws {
        let store = try FilledStore()
        try await store.importing(["Title,ISBN13\nGood,\n,12345,more,\"and, more\"\n"], job: "wide")
        let collector = try list(store, as: .csv)
        #expect(collector.lines[0] == "Title,ISBN13,column 3,column 4,_etl_reason,_etl_detail,_etl_row")
        #expect(rows(collector)[0]["column 4"] == "and, more")
        #expect(collector.records.allSatisfy { $0.count == 7 })
    }

    @Test func `formulas are guarded only on request`() async throws {
        let store = try FilledStore()
        try await store.importing(["Title,Author,ISBN13\n,=cmd|' /C calc'!A0,1\n"], job: "evil")
        #expect(try list(store, as: .csv).text.contains(",=cmd"))
        #expect(try list(store, as: .csv, safe: true).text.contains(",'=cmd"))
    }

    @Test func `an unknown job is missing`() async throws {
        let store = try await SmallLibrary.store()
        func ask() throws { _ = try list(store, "nobody", as: .ndjson) }
        let failure = try #require(throws: ETLError.self, performing: ask)
        #expect(failure.kind == .missing)
        #expect(failure.message.contains("nobody"))
    }

    @Test func `every code in use is in the list of reasons`() throws {
        let codes = Set(ReasonCode.allCases.map(\.code))
        for reason in ISBNFault.Reason.allCases { #expect(codes.contains(reason.rawValue), "\(reason)") }
        #expect(
            codes.isSuperset(of: ["isbn_repaired", "isbn_conflict", "no_title_or_isbn", "ambiguous_match"]))
    }
}
