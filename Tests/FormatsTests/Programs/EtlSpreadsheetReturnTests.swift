import Pipeline
import System
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Formats
@testable import Queries
@testable import Sources

/// Losses of a library that goes through a spreadsheet and back.
@Suite
struct EtlSpreadsheetReturnTests {
    private func spreadsheet(of store: FilledStore) throws -> ByteCollector {
        let collector = ByteCollector()
        try Export(try store.open()).write(.books, as: .csv) { (piece) throws(ETLError) in
            collector.take(piece)
        }
        return collector
    }

    /// Cells of the named columns, one list per record.
    private func cells(_ table: ByteCollector, _ names: String...) throws -> [[String]] {
        let header = try #require(table.records.first)
        return table.records.dropFirst().map { record in
            zip(header, record).filter { names.contains($0.0) }.map(\.1)
        }
    }

    @Test(arguments: [
        ("9,78E+12", "9780306406157; 0306406152", "isbn:9780306406157", "9780306406157"),
        ("9.78031E+12", "9780306406157; 0306406152", "ol:OL5M", "9780306406157"),
        ("", "9780306406157; 0306406152", "", "9780306406157"), ("9,78E+12", "", "", "9780441013593"),
        ("", "9,78E+12", "isbn:9780306406157", "9780306406157"), ("", "", "title:reef|ana lee|", nil),
        ("9780441013594", "9780306406157", "", "9780306406157"), ("9,79031E+12", "9780306406157", "", nil),
        ("9,78031E+12", "9780441013593; 9780306406157", "", "9780306406157"), ("", "", "", "9780441013593"),
    ])
    func `an ISBN that a spreadsheet damaged is restored from other cells of the row`(
        thirteen: String, isbns: String, edition: String, expected: String?
    ) async throws {
        let files = try WrittenFiles()
        let path = try files.write(
            """
            id;editionId;isbn13;isbns;title;authors;reviewStatus;isbndbQuality;library;sourceFormat;sourceId
            isbn:9780441013593;\(edition);\(thirteen);"\(isbns)";Reef;Ana Lee;verified;0;a;goodreads;1

            """)
        let settings = ReadSettings(files: [path])
        let file = try LibraryFile(path, index: 0, settings: settings)
        #expect(file.format.name == "etl")
        var reader = try LibraryFileReader(file, settings: settings)
        let chunk = try #require(try reader.next())
        let batch = Batch(
            sequence: 0, end: chunk.end, recordsRead: chunk.recordsRead, payload: chunk.rows)
        let validated = try await ValidateISBN().process(batch).payload
        #expect(
            validated.isbns == [
                RowISBN(isbn: expected.flatMap { ISBN($0) }, repair: expected.map { _ in .otherCell })
            ])
        let warnings = validated.library.rows[0].warnings.filter { $0.code.hasPrefix("isbn") }
        if let expected {
            #expect(warnings.map(\.code) == ["isbn_repaired"])
            #expect(warnings.map(\.field) == ["isbn13"] && warnings.map(\.value) == [thirteen])
            #expect(warnings[0].message.contains("\(expected) (rule: other_cell)"))
        } else {
            #expect(warnings.map(\.code) == (thirteen.isEmpty ? [] : ["isbn_scientific_notation"]))
        }
    }

    @Test func `a book without an ISBN or with a valid one has no warning`() async throws {
        let first = try spreadsheet(of: try await SmallLibrary.store())
        let again = try FilledStore()
        try await again.importing([first.text], job: "back")
        #expect(try again.open().number("SELECT count(*) FROM warnings WHERE code LIKE 'isbn%'") == 0)
    }

    @Test func `an unknown format is exported empty and stays unknown`()
        async throws
    {
        let store = try FilledStore()
        try await store.importing(
            ["Title,Author,Format\nReef,Ana Lee,\nTide,Ana Lee,Paperback\n"], job: "first")
        #expect(try store.open().number("SELECT count(*) FROM editions WHERE format = 'Paperback'") == 1)
        let sheet = try spreadsheet(of: store)
        #expect(try cells(sheet, "title", "format") == [["Reef", ""], ["Tide", "Paperback"]])
        let again = try FilledStore()
        try await again.importing([sheet.text], job: "back")
        #expect(try again.open().number("SELECT count(*) FROM editions WHERE format = 'Paperback'") == 1)
        #expect(
            try cells(spreadsheet(of: again), "title", "format") == [
                ["Reef", ""], ["Tide", "Paperback"],
            ])
    }

    @Test func `subtitles and the user's own title round-trip without asking providers again`()
        async throws
    {
        let store = try FilledStore()
        let known = [
            "9780306406157": ("Reef", "A Novel of the Sea"), "9780441013593": ("Tide", ""),
            "9780140328721": ("War and Peace", "A Novel"),
        ]
        for (isbn, (title, subtitle)) in known {
            store.known[isbn] = [
                KnownBook(
                    .openLibrary, isbn,
                    [(.workKey, "OL\(isbn.suffix(5))W"), (.title, title), (.editionTitle, title)]
                        + (subtitle.isEmpty ? [] : [(.subtitle, subtitle), (.editionSubtitle, subtitle)]))
            ]
        }
        try await store.importing(
            [
                """
                Title,Author,ISBN
                Reef: a novel of the sea,Ana Lee,9780306406157
                Tide: And What Comes After,Ana Lee,9780441013593
                Krieg und Frieden,Leo Tolstoy,9780140328721
                """
            ], job: "first")
        func titles(_ table: ByteCollector) throws -> Set<[String]> {
            Set(try cells(table, "title", "subtitle", "userTitle"))
        }
        let first = try spreadsheet(of: store)
        #expect(
            try titles(first) == [
                ["Reef", "A Novel of the Sea", "Reef: a novel of the sea"],
                ["Tide", "", "Tide: And What Comes After"],
                ["War and Peace", "A Novel", "Krieg und Frieden"],
            ])
        let again = try FilledStore()
        try await again.importing([first.text], job: "back")
        let second = try spreadsheet(of: again)
        #expect(
            try titles(second) == [
                ["Reef: a novel of the sea", "", "Reef: a novel of the sea"],
                ["Tide: And What Comes After", "", "Tide: And What Comes After"],
                ["War and Peace: A Novel", "", "Krieg und Frieden"],
            ])
        // A second round trip changes nothing, and an edited title is taken.
        try await again.importing([second.text], job: "own")
        let third = try spreadsheet(of: again)
        #expect(try titles(third) == titles(second))
        let corrected = second.text.replacing(",War and Peace: A Novel,", with: ",War & Peace,")
        try await again.importing([corrected], job: "corrected")
        #expect(try titles(spreadsheet(of: again)).contains(["War & Peace", "", "Krieg und Frieden"]))
    }
}
