import Books
import Services
import System
import Testing

@testable import Sources

/// The edition in a row of Open Library's search.
@Suite struct OpenLibraryDocEditionTests {
    /// The values of each row of a response.
    private static func values(_ rows: String...) throws -> [[Field: [String]]] {
        let body = #"{"docs":[\#(rows.joined(separator: ","))]}"#
        #expect(OpenLibraryDoc.works(in: Array(body.utf8))?.count == rows.count, "matching needs no edition")
        return try #require(OpenLibraryDoc.packed(in: Array(body.utf8))).map { row in
            var found: [Field: [String]] = [:]
            row.bytes.withUnsafeBytes { bytes in
                let isValid = PackedRecord.forEachValue(bytes) { field, _, range in
                    found[field, default: []].append(String(decoding: bytes[range], as: UTF8.self))
                }
                #expect(isValid)
            }
            return found
        }
    }

    private static func row(editions: String) -> String {
        #"{"key":"/works/OL1W","title":"Dune","author_name":["Frank Herbert"],"editions":\#(editions)}"#
    }

    @Test func `the edition has its own values, and none of the lists of all editions`() throws {
        let edition = #"""
            {"key":"/books/OL2M","title":"Der Wüstenplanet","isbn":["3453318684","978-3-453-31868-7","no"],
            "language":["xyz","ger"],"publisher":["Heyne","Other"],"publish_date":["2020"],"cover_i":7,
            "number_of_pages":800,"format":["?","Paperback"]}
            """#
        let row = #"""
            {"key":"/works/OL1W","title":"Dune","author_name":["Frank Herbert"],"author_key":["OL3A"],
            "subject":["Sand","Spice"],"isbn":["9780441172719","9783453318687"],"publisher":["Ace","Heyne"],
            "language":["eng","ger"],"publish_date":["1965"],"format":["Hardcover"],"number_of_pages_median":412,
            "editions":{"numFound":1,"docs":[{"title":"No key","isbn":["9780441172719"]},
            \#(edition),{"key":"/books/OL3M","isbn":["9780441172719"]}]}}
            """#
        let values = try #require(try Self.values(row).first)
        #expect(values[.isbn13] == ["9783453318687"] && values[.isbn10] == ["3453318684"])
        #expect(values[.editionKey] == ["OL2M"] && values[.editionTitle] == ["Der Wüstenplanet"])
        #expect(values[.publisher] == ["Heyne"] && values[.language] == ["de"])
        #expect(values[.publicationDate] == ["2020"] && values[.pageCount] == ["800"])
        #expect(values[.format] == ["Paperback"])
        #expect(values[.editionCover] == ["https://covers.openlibrary.org/b/id/7-L.jpg"])
        #expect(values[.title] == ["Dune"] && values[.subject] == ["Sand", "Spice"])
        #expect(values[.authorName] == ["Frank Herbert"] && values[.authorKey] == ["OL3A"])
    }

    @Test(arguments: [
        "null", "7", "true", #""OL2M""#, "[]", #"[{"key":"/books/OL2M","isbn":["9780441172719"]}]"#, "{}",
        #"{"docs":null}"#, #"{"docs":{"key":"/books/OL2M"}}"#, #"{"docs":[]}"#,
        #"{"docs":[null,7,"x",[[]]]}"#,
        #"{"docs":[{"isbn":["9780441172719"]}]}"#,
        #"{"docs":[{"key":"/works/OL2W","isbn":["9780441172719"]}]}"#,
        #"{"docs":[{"key":7,"isbn":["9780441172719"]}]}"#,
    ])
    func `a row without an edition with a key is a work without edition`(editions: String) throws {
        let bare = #"{"key":"/works/OL1W","title":"Dune","author_name":["Frank Herbert"]}"#
        let values = try Self.values(Self.row(editions: editions), bare)
        #expect(values[0] == values[1])
        #expect(values[0][.title] == ["Dune"] && values[0][.editionKey] == nil && values[0][.isbn13] == nil)
    }

    @Test(arguments: [
        #""isbn":null"#, #""isbn":[]"#, #""isbn":["9780441172710","x","",null,7,{},[]]"#, #""isbn":{"a":1}"#,
        #""isbn":9780441172719"#, #""title":[],"publisher":[null],"language":[7],"format":{},"cover_i":-1"#,
        #""number_of_pages":0,"publish_date":null,"cover_i":"x""#, #""number_of_pages":100000"#,
    ])
    func `unusable values are no values`(members: String) throws {
        let values = try Self.values(
            Self.row(editions: #"{"docs":[{"key":"/books/OL2M",\#(members)}]}"#))
        #expect(values[0][.editionKey] == ["OL2M"])
        #expect(values[0].keys.filter { $0.isOfEdition } == [.editionKey])
    }

    @Test func `of huge lists as much is read as of a record, and the edition is kept`() throws {
        let isbns = (0..<20_000).map { body in
            let number = 978_000_000_000 + Int64(body)
            return #""\#(number)\#(ISBNCheckDigit.ofThirteen(number))""#
        }
        let others = String(repeating: #",{"key":"/books/OL3M"}"#, count: 10_000)
        let subjects = String(repeating: #""\#(String(repeating: "s", count: 12_000))","#, count: 120)
        let row = #"""
            {"subject":[\#(subjects)"x"],"key":"/works/OL1W","title":"Dune","editions":{"docs":[
            {"isbn":[\#(isbns.joined(separator: ","))],"publisher":["Ace"\#(String(repeating: #","B""#, count: 10_000))],
            "title":"Dune","title":"Dune 2","key":"/books/OL2M","key":"/books/OL9M"}\#(others)]}}
            """#
        let values = try #require(try Self.values(row).first)
        #expect(values[.editionKey] == ["OL2M"] && values[.publisher] == ["Ace"])
        #expect(values[.editionTitle] == ["Dune"])
        #expect(values[.isbn13]?.count == DumpISBNs.limit)
        #expect((1...EditionDump.subjectLimit).contains(values[.subject]?.count ?? 0))
    }

    @Test func `only a person's search requests editions; look-ups find works that have none of the title`() {
        let service = ServiceDefinition.openLibrary.reader
        let text = "dune\tfrank herbert"
        let (matched, shown) = (service.request(.title, [text]).url, service.request(.shownTitle, [text]).url)
        #expect(matched.contains("title=dune&author=frank%20herbert&fields=key,title,"), "\(matched)")
        #expect(!matched.contains("editions") && !matched.contains("subject"), "\(matched)")
        #expect(shown.contains(",subject,editions,editions.key,editions.title,"), "\(shown)")
        #expect(shown.contains(",editions.isbn,") && !shown.contains(",isbn"), "\(shown)")
    }
}
