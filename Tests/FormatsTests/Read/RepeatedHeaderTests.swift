import Foundation
import System
import Testing

@testable import Books
@testable import Formats

/// Exports that were concatenated.
@Suite struct RepeatedHeaderTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func facts(_ text: String) throws -> (rows: [[String]], rejects: [String]) {
        let facts = try RowFacts.of(try files.write(text), [.title])
        return (facts.rows, facts.rejects)
    }

    @Test(arguments: ["Title,Author\n", "\u{FEFF}Title,Author\n", "\"Title\",\" Author \"\n"])
    func `a header in the middle of a file is not a book`(header: String) throws {
        let facts = try facts("Title,Author\nDune,Frank Herbert\n\(header)Emma,Jane Austen\n")
        #expect(facts.rows == [["Dune"], ["Emma"]])
        #expect(facts.rejects == ["repeated_header"])
    }

    @Test func `a repeated header is set aside with its position and bytes`() async throws {
        let path = try files.write("Title,Author\nDune,Frank Herbert\nTitle,Author\n")
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.recordsRead == 2)
        let reject = try #require(reading.rejects.first)
        #expect(reject.position.record == 3)
        #expect(String(decoding: reject.raw, as: UTF8.self) == "Title,Author")
        #expect(ReasonCode.repeatedHeader.isSetAside && ReasonCode.repeatedHeader.isReject)
    }

    @Test(arguments: [
        ("Title,Somebody", "Title"), ("title,author", "title"), ("Title,", "Title"),
        ("Title,Author,", "Title"), (",Title,Author", ""),
    ])
    func `a row that only resembles the header is a book`(row: String, title: String) throws {
        let facts = try facts("Title,Author\nDune,Frank Herbert\n\(row)\n")
        #expect(facts.rows == [["Dune"], [title]])
        #expect(facts.rejects == [])
    }

    @Test func `a file without a header has no repeated header`() throws {
        let text = "9780306406157\n9780140449136\n9780306406157\n"
        let path = try files.write(text)
        let facts = try RowFacts.of(path, [.isbn13])
        #expect(facts.rows == [["9780306406157"], ["9780140449136"], ["9780306406157"]])
        #expect(facts.rejects == [])
    }

    @Test func `a joined LibraryThing export with mixed encodings is read after the second header`() throws {
        let header =
            "'TITLE','AUTHOR (first, last)','DATE','LCC','DDC','ISBNs','PUBLICATION INFO','RATINGS','REVIEWS','ENTRY DATE','COPIES','COLLECTIONS','TAGS','COMMENT'"
        let row = "A,B C,2001,,,,,,,,1,Your library,,"
        let facts = try facts([header, row, header, row].joined(separator: "\n") + "\n")
        #expect(facts.rows.count == 2)
        #expect(facts.rejects == ["repeated_header"])
    }
}
