import Foundation
import Pipeline
import System
import TestSupport
import Testing

@testable import Contract
@testable import Database
@testable import Jobs
@testable import Queries
@testable import Store

/// An edited export of books becomes edits: `etl set --from`.
@Suite struct SheetEditsTests {
    private let library: EditedLibrary

    init() async throws { library = try await EditedLibrary() }

    private func sheet(guardsFormulas: Bool = false) throws -> String {
        let collector = ByteCollector()
        try Export(StoreFile.openForReading(library.path)).write(
            .books, as: .csv, guardsFormulas: guardsFormulas
        ) { (piece) throws(ETLError) in collector.take(piece) }
        return collector.text
    }

    private func set(from text: String, isDryRun: Bool = false) async throws -> SheetReport {
        let file = try library.folder.write(text, to: "books.csv")
        return try await LibraryEdits(library.path, isDryRun: isDryRun).edit(fromSheet: file)
    }

    @Test func `only changed cells are set, and setting them again changes nothing`() async throws {
        try await library.rows([EditedLibrary.dune(review: "Old"), EditedLibrary.emma], as: "old")
        let before = try library.dump
        let text = try sheet()
        #expect(try await set(from: text).edits.rows.isEmpty)
        #expect(try library.dump == before)

        let edited = text.replacing(",Old,", with: ",\"New, with comma\",").replacing(
            "Jane Austen", with: "J. Austen")
        #expect(edited != text)
        let planned = try await set(from: edited, isDryRun: true)
        #expect(planned.edits.job == nil)
        #expect(try library.dump == before)
        let report = try await set(from: edited)
        #expect(report.edits.rows.flatMap(\.fields).map(\.field) == [.review, .authors])
        #expect(report.unknownRows.isEmpty && report.mistakes.isEmpty)
        #expect(try library.values("id:1", .review) == ["New, with comma"])
        #expect(try library.explain("id:2").authors.map(\.author.name) == ["J. Austen"])
        #expect(try StoreFile.openForReading(library.path).number("SELECT count(*) FROM entries") == 2)
        #expect(try await set(from: edited).edits.rows.isEmpty)
        #expect(try await set(from: sheet()).edits.rows.isEmpty)
        try library.checkStore()
        _ = try await library.undo(report.edits.job)
        #expect(try library.dump == before)
    }

    @Test func `rows without an entry and cells that cannot be used are named, the others are set`()
        async throws
    {
        try await library.rows([EditedLibrary.dune(review: "Old"), EditedLibrary.emma], as: "old")
        _ = try await LibraryEdits(library.path).remove(BookReference("id:2"), library: nil)
        let text = """
            sourceId,sourceFormat,library,title,rating,dateRead,review
            1,generic,default,Dune,"4,5",4/2/2020,New
            2,generic,default,Emma,5,,
            9,generic,default,Ulysses,5,,
            1,goodreads,default,Dune,5,,
            """
        let report = try await set(from: text)
        #expect(report.edits.rows.flatMap(\.fields).map(\.field) == [.rating, .review])
        #expect(try library.values("id:1", .rating) == ["4.5"])
        #expect(
            report.unknownRows.map(\.row) == [3, 4, 5]
                && report.unknownRows.map(\.isRemoved) == [true, false, false])
        #expect(report.mistakes.map(\.column) == ["dateRead"] && report.mistakes.map(\.row) == [2])
        // Dates and numbers that a spreadsheet has rewritten are the same, and a clear date is understood.
        let again = try await set(
            from:
                "library,sourceFormat,sourceId,rating,dateRead,dateAdded\ndefault,generic,1,4.50,2020/2/24,01.01.2020\n"
        )
        #expect(again.edits.rows.flatMap(\.fields).map(\.after) == [["2020-02-24"]] && again.mistakes.isEmpty)
    }

    @Test func `covers are exported in the largest size, which is no change`() async throws {
        try await library.rows([EditedLibrary.dune()], as: "old")
        let stored = "http://books.google.com/books/content?id=a&img=1&zoom=1&edge=curl"
        try Connection(library.path, .readWrite).execute("UPDATE editions SET cover = ?1", stored)
        let largest = "https://books.google.com/books/content?id=a&img=1&zoom=0"
        let text = try sheet()
        #expect(text.contains(largest) && !text.contains(stored))
        for what in [Export.What.editions, .books] {
            let collector = ByteCollector()
            try Export(StoreFile.openForReading(library.path)).write(what, as: .ndjson) {
                (piece) throws(ETLError) in collector.take(piece)
            }
            #expect(collector.text.contains("zoom=0") && !collector.text.contains("zoom=1"))
        }
        let field = try #require(StoredBookField.field(named: "cover"))
        let row = try #require(try StoreFile.openForReading(library.path).row("SELECT cover FROM editions"))
        #expect(field.value(row, 0) == ExpressionValue(text: largest))
        #expect(try await set(from: text).edits.rows.isEmpty)
        #expect(try library.dump.contains(stored))
        let edited = try await set(from: text.replacing(largest, with: "https://covers.example/a.jpg"))
        #expect(edited.edits.rows.flatMap(\.fields).map(\.field) == [.editionCover])
    }

    @Test func `another table is refused`() async throws {
        try await library.rows([EditedLibrary.dune()], as: "old")
        for text in ["", "title,rating\nDune,5\n", "\u{0}\u{1}"] {
            let failure = await #expect(throws: ETLError.self) { try await set(from: text) }
            #expect(failure?.kind == .unusableInput, "\(text)")
        }
    }

    @Test func `a cell that was guarded against formulas is the same`() async throws {
        try await library.rows([EditedLibrary.dune(review: "=1+1")], as: "old")
        #expect(try await set(from: sheet(guardsFormulas: true)).edits.rows.isEmpty)
        #expect(
            try await set(from: sheet(guardsFormulas: true).replacing("'=1+1", with: "'=2+2"))
                .edits.rows.first?.fields.first?.after == ["=2+2"])
    }
}
