import System
import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Sources

/// Editions found by identifiers, and by the publication data of a row.
@Suite struct CatalogIdentifierTests {
    private typealias Dump = DumpFixture

    private static func catalog() async throws -> CatalogFixture {
        try await CatalogFixture([
            Dump.author(1, #""name": "Ursula K. Le Guin""#),
            Dump.work(2, #""title": "Malafrena""#, author: 1),
            Dump.edition(
                1,
                #""title": "Malafrena", "isbn_13": ["\#(Dump.isbn(1))"], "publishers": ["Ace Books"], "publish_date": "2001", "#
                    + #""number_of_pages": 300, "physical_format": "Paperback", "oclc_numbers": ["ocm00012345"], "#
                    + #""lccn": ["85-2"], "identifiers": {"goodreads": ["11"], "amazon": ["B00ABCDEF1"]}"#,
                work: 2),
            Dump.edition(
                2, #""title": "Malafrena", "identifiers": {"goodreads": ["12"], "librarything": ["77"]}"#,
                work: 2),
            Dump.edition(
                3,
                #""title": "Malafrena", "isbn_13": ["\#(Dump.isbn(3))"], "publishers": ["Vintage"], "publish_date": "2001", "#
                    + #""number_of_pages": 330, "physical_format": "Paperback", "identifiers": {"librarything": ["77"]}"#,
                work: 2),
        ])
    }

    private func find(_ catalog: CatalogFixture, _ set: (inout BookIdentifiers, inout Arena) -> Void)
        async throws
        -> CatalogFixture.Found
    {
        var (identifiers, arena) = (BookIdentifiers(), Arena())
        set(&identifiers, &arena)
        return try await catalog.find(.identifiers(identifiers), arena)
    }

    @Test func `an edition is found by its identifiers, with or without an ISBN`() async throws {
        let catalog = try await Self.catalog()
        #expect(try await find(catalog) { $0.goodreads = $1.append("11") }.record == "OL1M")
        #expect(try await find(catalog) { $0.goodreads = $1.append("12") }.record == "OL2M")
        #expect(try await find(catalog) { $0.amazon = $1.append("b00abcdef1") }.record == "OL1M")
        #expect(try await find(catalog) { $0.oclc = $1.append("(OCoLC)12345") }.record == "OL1M")
        #expect(try await find(catalog) { $0.lccn = $1.append(" 85-2 ") }.record == "OL1M")
        #expect(try await find(catalog) { $0.goodreads = $1.append("13") }.outcome == .notFound)
        // LibraryThing's id is the work's.
        #expect(try await find(catalog) { $0.libraryThing = $1.append("77") }.record == "OL2W")
        let book = try await find(catalog) { $0.goodreads = $1.append("11") }
        #expect(book[.oclcNumber] == ["ocm00012345"] && book[.lccn] == ["85-2"])
    }

    @Test(
        arguments: [
            (BookIdentifier.oclc, "ocm00012345", "12345"), (.oclc, "(OCoLC)12345", "12345"),
            (.oclc, "none", nil),
            (.lccn, "85-2", "85000002"), (.lccn, "n78-890351 ", "n78890351"),
            (.lccn, "85000002/AC/r86", "85000002"),
            (.goodreads, "0011", "11"), (.goodreads, "x", nil), (.goodreads, "", nil),
            (.amazon, "0441013597", nil),
            (.amazon, "B00ABCDEF1", "b00abcdef1"),
            (.libraryThing, String(repeating: "1", count: 1 << 16), nil),
        ] as [(BookIdentifier, String, String?)])
    func `identifiers have one form`(kind: BookIdentifier, text: String, form: String?) {
        let normalized = Array(text.utf8).withUnsafeBytes { kind.normalized($0) }
        #expect(normalized.map { String(decoding: $0, as: UTF8.self) } == form)
    }

    // MARK: The row's edition

    @Test(
        arguments: [
            ("year and pages", 2001, 301, "", nil, "OL1M"),
            ("publisher, year and format", 2001, nil, "Ace", .massMarket, "OL1M"),
            ("publisher and pages", nil, 330, "Vintage Books", nil, "OL3M"),
            ("publisher and year", 2001, nil, "Vintage", nil, "OL3M"),
            ("only the year", 2001, nil, "", nil, "OL2W"),
            ("nothing", nil, nil, "", nil, "OL2W"), ("another year", 1999, 300, "", nil, "OL2W"),
            ("another publisher", 2001, 300, "Gollancz", nil, "OL2W"),
        ] as [(String, Int32?, Int32?, String, EditionFormat?, String)])
    func `a match by title picks the edition that the row's data single out, or none`(
        name: String, year: Int32?, pages: Int32?, publisher: String, format: EditionFormat?, record: String
    ) async throws {
        var arena = Arena()
        var description = BookDescription(
            title: arena.append("Malafrena"), author: arena.append("Ursula K. Le Guin"))
        (description.year, description.pages, description.format) = (year, pages, format)
        description.publisher = arena.append(publisher)
        let found = try await Self.catalog().find(.described(description), arena)
        #expect(found.record == record, "\(name)")
        let isOfEdition = record.hasSuffix("M")
        #expect(found.match?.isOfEdition == isOfEdition, "\(name)")
        if isOfEdition { #expect(found.match?.evidence.contains("for:edition_same") == true, "\(name)") }
    }

    @Test func `a sketch keeps what it can, and leaves out what it cannot`() {
        for (year, pages) in [(2001, 300), (1450, 1), (3, 0), (9_999, 1 << 20), (-300, -4)] {
            var sketch = EditionSketch(isbn: 9_780_306_406_157)
            (sketch.year, sketch.pages, sketch.format, sketch.language) = (year, pages, .hardcover, 255)
            let read = EditionSketch(packed: sketch.packed)
            #expect(read.isbn == sketch.isbn && read.format == .hardcover && read.language == 255)
            #expect(read.year == nil || read.year == year)
            #expect(read.pages == nil || read.pages == pages)
        }
        #expect(EditionSketch(packed: EditionSketch(isbn: 9_799_999_999_990).packed).year == nil)
    }
}
