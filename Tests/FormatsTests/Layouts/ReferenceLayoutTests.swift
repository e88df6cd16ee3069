import Foundation
import Testing

@testable import Books
@testable import Formats

/// The records of reference managers.
@Suite struct ReferenceLayoutTests {
    private func written(_ layout: any ExportLayout, _ entries: [LibraryEntry]) -> String {
        let writer = layout.makeWriter()
        writer.begin()
        for entry in entries { writer.write(entry) }
        writer.end()
        return String(decoding: writer.take(), as: UTF8.self)
    }

    @Test func `BibTeX has names with the family name first, and no commands in texts`() {
        let text = written(BibTeX.layout, [ExportLayoutTests.fullEntry()])
        #expect(
            text == """
                @book{leguin2000raksmorgas,
                  title = {{Räksmörgås \\{1\\} \\& "2"}},
                  author = {Le Guin, Ursula K. and {Plato}},
                  translator = {Bailhache, Jean},
                  publisher = {publisher},
                  year = {2000},
                  month = {7},
                  day = {1},
                  origdate = {1969},
                  series = {Hainish Cycle},
                  number = {4},
                  isbn = {9780441478125},
                  pagetotal = {304},
                  language = {fr},
                  origlanguage = {en},
                  keywords = {To Re-Read!, sf, Science fiction, Gender},
                  annote = {Line one Line two\\_\\%},
                  note = {notes}
                }

                """)
    }

    @Test(arguments: ["bibtex", "ris", "csl-json"])
    func `genres that nobody gave are no keywords, and the user's subjects are reported`(name: String) throws
    {
        let layout = try #require(LibraryFormats.layouts.first { $0.name == name })
        var entry = ExportLayoutTests.fullEntry()
        var losses = EntryLosses()
        layout.makeWriter().survey(entry, losses: &losses)
        let changed = losses.list.filter { $0.field == "categories" }.map(\.written)
        #expect(changed == ["keyword Science fiction", "keyword Gender"])
        #expect(written(layout, [entry]).contains("Gender"))
        entry.areSubjectsDerived = true
        losses.removeAll()
        layout.makeWriter().survey(entry, losses: &losses)
        #expect(!losses.list.contains { $0.field == "categories" })
        #expect(!written(layout, [entry]).contains("Gender") && written(layout, [entry]).contains("sf"))
    }

    @Test func `RIS has one value on each line`() {
        let lines = written(RIS.layout, [ExportLayoutTests.fullEntry()]).split(separator: "\r\n")
        #expect(lines.first == "TY  - BOOK" && lines.last == "ER  - ")
        #expect(lines.contains("AU  - Le Guin, Ursula K.") && lines.contains("A4  - Bailhache, Jean"))
        #expect(lines.contains("DA  - 2000/07/01") && lines.contains("RN  - Line one Line two_%"))
        #expect(lines.allSatisfy { $0.dropFirst(2).hasPrefix("  - ") })
    }

    @Test func `CSL-JSON is a list of books with dates as numbers`() throws {
        let text = written(CSLJSON.layout, [ExportLayoutTests.fullEntry(), LibraryEntry()])
        let books = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        #expect(books.count == 2)
        let issued = books[0]["issued"] as? [String: [[Int]]]
        #expect(issued == ["date-parts": [[2000, 7, 1]]])
        let authors = books[0]["author"] as? [[String: String]]
        #expect(authors == [["family": "Le Guin", "given": "Ursula K."], ["literal": "Plato"]])
        #expect(books[1]["id"] as? String == "book")
        #expect(written(CSLJSON.layout, []) == "[\n\n]\n")
    }

    @Test func `no two records have one key`() {
        let text = written(BibTeX.layout, Array(repeating: ExportLayoutTests.fullEntry(), count: 3))
        let keys = text.split(separator: "\n").filter { $0.hasPrefix("@book{") }
        #expect(Set(keys).count == 3)
        #expect(keys.last == "@book{leguin2000raksmorgas-3,")
    }

    @Test func `years before the common era are dates`() {
        var entry = LibraryEntry()
        entry[.title] = "Iliad"
        entry[.firstPublicationYear] = "-850"
        #expect(written(CSLJSON.layout, [entry]).contains("[[-850]]"))
        #expect(written(BibTeX.layout, [entry]).contains("origdate = {-850}"))
    }

    @Test func `people whose role has no field are reported`() {
        var losses = EntryLosses()
        RIS.layout.makeWriter().survey(ExportLayoutTests.fullEntry(), losses: &losses)
        let lost = losses.list.map { "\($0.field): \($0.value)" }
        #expect(lost.contains("contributors: Ann Ek Jr. (narrator)"))
        #expect(lost.contains("series: SF Masterworks") && lost.contains("rating: 4.25"))
        #expect(!lost.contains { $0.hasPrefix("title") })
    }
}
