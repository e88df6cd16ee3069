import Books
import Bytes
import System
import TestSupport
import Testing

@testable import Formats
@testable import Queries
@testable import Syntax

/// Exports in every format come back as the same library.
@Suite
struct ExportReturnTests {
    private func export(_ store: FilledStore, _ format: Export.Format) throws -> String {
        let collector = ByteCollector()
        try Export(try store.open()).write(.books, as: format) { (piece) throws(ETLError) in
            collector.take(piece)
        }
        return collector.text
    }

    @Test(arguments: [Export.Format.json, .ndjson])
    func `JSON comes back like CSV`(_ format: Export.Format) async throws {
        let store = try await SmallLibrary.store()
        func returned(_ format: Export.Format) async throws -> String {
            let again = try FilledStore()
            try await again.importing([export(store, format)], job: "back")
            return try export(again, .csv)
        }
        #expect(try await returned(format) == returned(.csv))
    }

    @Test func `a sheet comes back like CSV`() async throws {
        let store = try await SmallLibrary.store()
        let text = try export(store, .csv)
        var run: [[String]] = []
        var reader = try RecordReader(PiecedBytes(Array(text.utf8)), dialect: .comma, encoding: .utf8)
        while let (_, cells, arena) = try reader.next() { run.append(cells.map { arena[$0] }) }
        func escaped(_ text: String) -> String {
            text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        }
        let rows = run.map { SheetDocument.row($0.map(escaped)) }.joined()
        let folder = try TemporaryFolder()
        let path = try folder.write(SheetDocument.excel([("Books", rows)]), to: "books.xlsx")
        var settings = ReadSettings(files: [path])
        try settings.expandArchives()
        let sheet = try await Reading.of(settings)
        let csv = try await Reading.of(ReadSettings(files: [try folder.write(text, to: "books.csv")]))
        #expect(sheet.columns?.formatName == "etl")
        for fact in [1, 2, 3, 4, 5, 7] { #expect(sheet.fact(fact) == csv.fact(fact)) }
    }
}
