import Bytes
import Foundation
import System
import TestSupport
import Testing

@testable import Books
@testable import Store

/// The archive of a BookWyrm account.
@Suite struct BookWyrmArchiveTests {
    private static let json = #"""
        {"id": "https://books.example/user/rat", "type": "Person", "bookwyrmUser": true, "icon": {"url": "a.png"},
         "settings": {"show_goal": true}, "goals": [{"goal": 12, "year": 2023}], "books": [
          {"work": {"id": "https://books.example/book/1", "title": "W", "firstPublishedDate": "1998-03-30T00:00:00Z",
             "editions": ["https://books.example/book/2"]},
           "edition": {"id": "https://books.example/book/2", "title": "Seeing", "subtitle": "Like a State",
             "languages": ["English", "French"], "series": "S", "seriesNumber": "2", "isbn13": "9780300070163",
             "openlibraryKey": "OL680025M", "publishers": ["Yale", "Other"], "publishedDate": "1999-01-02T00:00:00Z",
             "pages": 445, "physicalFormat": "Paperback", "subjects": ["Politics", "History"]},
           "authors": [{"type": "Author", "name": "James C. Scott", "aliases": ["Jim Scott"]}, {"name": "Bo Ek"}],
           "shelves": [{"id": "https://books.example/user/rat/books/to-read", "name": "To Read"},
             {"id": "https://books.example/user/rat/books/read", "name": "Read"},
             {"id": "https://books.example/user/rat/books/mine-12", "name": "Mine, all"}],
           "lists": [{"name": "my list", "list_item": {"notes": "<p>n</p>"}}],
           "comments": [{"content": "<p>so far</p>", "progress": 10}], "quotations": [{"quote": "<p>Q \u00fc</p>"}],
           "reviews": [{"published": "2023-08-14", "content": "<p>New</p><p>end</p>", "rating": 4.5, "name": "great"},
             {"published": "2020-01-01", "content": "Old", "rating": 2.0},
             {"published": "2024-01-01", "content": "", "rating": null}],
           "readthroughs": [
             {"start_date": "2018-01-01T00:00:00Z", "finish_date": "2018-02-03T00:00:00Z", "stopped_date": null},
             {"start_date": "2022-05-01T00:00:00Z", "finish_date": null, "stopped_date": "2022-06-01T00:00:00Z"},
             {"start_date": null, "finish_date": null}]},
          {"work": {}, "edition": {"id": "https://books.example/book/9", "title": "Bare"}, "authors": [],
           "shelves": [], "lists": [], "comments": [], "quotations": [], "reviews": [], "readthroughs": []}],
         "saved_lists": [], "follows": []}
        """#

    private static let fields: [LibraryField] = [
        .sourceID, .isbn13, .openLibraryEdition, .publisher, .yearPublished, .originalYear, .pageCount,
        .exclusiveShelf, .shelves, .rating, .review, .dateStarted, .dateRead, .earlierReadings,
    ]

    /// The archive as BookWyrm packs it: the JSON, then images.
    private static var tar: [UInt8] {
        func member(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
            var header = [UInt8](repeating: 0, count: 512)
            header.replaceSubrange(0..<name.utf8.count, with: name.utf8)
            let size = String(bytes.count, radix: 8)
            let digits = Array((String(repeating: "0", count: 11 - size.count) + size).utf8)
            header.replaceSubrange(124..<135, with: digits)
            header.replaceSubrange(257..<262, with: "ustar".utf8)
            return header + bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
        }
        let image = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        return member("archive.json", Array(json.utf8)) + member("avatar.png", Array("{\"".utf8) + image)
            + [UInt8](repeating: 0, count: 1_024)
    }

    @Test(arguments: ["archive.json", "account.tar", "account.tar.gz"])
    func `a book has its status, shelves, stars, reviews and readings`(name: String) throws {
        let files = try WrittenFiles()
        let bytes =
            switch name {
            case "archive.json": Array(Self.json.utf8)
            case "account.tar": Self.tar
            default: GzipBytes.stored(Self.tar)
            }
        let path = try files.write(bytes, as: name)
        let found = try RowFacts.of(path, Self.fields)
        #expect(found.formatName == "bookwyrm-archive")
        #expect(found.rejects.isEmpty)
        #expect(found.rows.count == 2)
        #expect(
            found.rows.first == [
                "https://books.example/book/2", "9780300070163", "OL680025M", "Yale", "1999-01-02", "1998",
                "445",
                "read", "to-read, Mine  all", "4.5", "Old\n\nNew\n\nend", "2022-05-01", "2022-06-01",
                #"["2018-01-01/2018-02-03"]"#,
            ])
        #expect(
            found.rows.last == ["https://books.example/book/9"] + [String](repeating: "", count: 13))
        let people = try #require(try RowFacts.people(path).first)
        #expect(people.contains("James C. Scott") && people.contains("Bo Ek"))
    }

    @Test func `an archive that was cut off rejects its last book`() throws {
        let files = try WrittenFiles()
        let cut = try #require(Self.json.range(of: #""stopped_date": null},"#))
        let path = try files.write(String(Self.json[..<cut.lowerBound]), as: "cut.json")
        let found = try RowFacts.of(path, Self.fields)
        #expect(found.rows.isEmpty)
        #expect(found.rejects.count == 1)
    }

    @Test func `its entries are those of the CSV`() {
        let prefixes = ["bookwyrm-archive", "bookwyrm"].map {
            KeyComposer.entryPrefix(library: "l", formatName: $0)
        }
        #expect(prefixes[0] == prefixes[1])
    }
}
