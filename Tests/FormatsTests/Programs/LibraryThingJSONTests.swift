import Books
import Formats
import Syntax
import System
import TestSupport
import Testing

@Suite struct LibraryThingJSONTests {
    private static let saga = """
        {
          "books_id": "105446547",
          "title": "Saga, Vol. 2",
          "sortcharacter": "1",
          "primaryauthor": "Vaughan, Brian K.",
          "authors": [{"lf": "Vaughan, Brian K.", "fl": "Brian K. Vaughan"},
            {"lf": "Staples, Fiona", "fl": "Fiona Staples", "role": "Illustrator"}],
          "tags": ["space opera", "war"],
          "tagidA": [886, 631000],
          "collections": ["Your library"],
          "originalisbn": "1607066920",
          "isbn": {"0": "1607066920", "2": "9781607066927"},
          "publication": "Image Comics (2013), Edition: 0, Paperback, 144 pages",
          "date": "2013",
          "rating": 4.5,
          "language": ["English"],
          "ddc": {"code": ["741.5973"], "wording": ["Arts"]},
          "lcc": [],
          "subject": {"0": ["Graphic novels"], "3": ["Space \\u2014 wars"]},
          "series": "Saga",
          "workcode": "13335982",
          "entrydate": "2014-01-21",
          "dateread": "2014-02-03",
          "format": [{"code": "1.1.1", "text": "Paperback"}],
          "pages": "144 ",
          "weight": "0.4 pounds",
          "fromwhere": "Aardvark Books"
        }
        """

    /// The same book in an older layout.
    private static let elder = """
        {"book_id": 105446547, "title": "Saga, Vol. 2", "authors": [{"fl": "Brian K. Vaughan"},
        {"fl": "Fiona Staples", "role": "Illustrator"}], "tags": "space opera, war", "collections": "Your library",
        "isbn": ["9781607066927", "1607066920"], "publication": "Image Comics (2013), Edition: 0, Paperback, 144 pages",
        "date": 2013, "rating": "4.5", "language": "English", "ddc": {"code": "741.5973"}, "lcc": {"code": []},
        "subject": [["Graphic novels"], ["Space — wars"]], "series": ["Saga"], "work_code": "13335982",
        "entry_date": "2014-01-21", "date_read": "2014-02-03", "format": "Paperback", "pages": 144,
        "weight": "0.4 pounds", "fromwhere": "Aardvark Books"}
        """

    private func stream(
        _ bytes: PiecedBytes, _ start: Position = .start, _ block: Int = 1 << 16
    ) -> LibraryThingStream {
        LibraryThingStream(bytes, limits: .standard, from: start, blockBytes: block)
    }

    private func records(_ text: String) throws -> [StreamedRecord] {
        try StreamedRecord.all(of: stream(PiecedBytes(text.utf8))).records
    }

    @Test func `the layouts of all years give the same cells`() throws {
        let new = try #require(try records("{\"105446547\": \(Self.saga)}").first)
        let old = try #require(try records(Self.elder).first)
        #expect(new.flags == [])
        #expect(old.flags == [])
        #expect(new.cells == old.cells)
        #expect(
            new.cells.filter { !$0.isEmpty } == [
                "105446547", "Saga, Vol. 2", "Brian K. Vaughan|Fiona Staples", "|Illustrator",
                "9781607066927",
                "1607066920", "Image Comics", "2013", "144", "Paperback", "English", "Saga",
                "Graphic novels; Space — wars", "space opera, war", "Your library", "4.5", "2014-02-03",
                "2014-01-21", "Aardvark Books", "Image Comics (2013), Edition: 0, Paperback, 144 pages",
                "741.5973", "13335982", "weight=0.4 pounds",
            ])
    }

    @Test func `HTML escapes are decoded`() throws {
        let files = try WrittenFiles()
        let book = """
            {"books_id": "7", "title": "The Galdrab&oacute;k &amp; Other Men&#039;s Sins", "workcode": "1",
            "authors": [{"fl": "Mercurio L&oacute;pez"}], "collections": ["Mom &quot;n&quot; Pop"],
            "tags": ["AT&T", "sea & sun"], "review": "It&#039;s good"}
            """
        let path = try files.write("[\(book)]", as: "library.json")
        let facts = try RowFacts.of(path, [.title, .author, .shelves, .review])
        #expect(
            facts.rows == [
                [
                    "The Galdrabók & Other Men's Sins", "Mercurio López", "AT&T, sea & sun, Mom \"n\" Pop",
                    "It's good",
                ]
            ])
        #expect(try records("[\(book)]").first?.cells.contains("Mom \"n\" Pop") == true)
    }

    @Test func `a language is read as its code`() throws {
        let files = try WrittenFiles()
        let path = try files.write("[\(Self.saga)]", as: "library.json")
        #expect(try RowFacts.of(path, [.title, .language]).rows == [["Saga, Vol. 2", "en"]])
    }

    @Test func `an object by numbers, a list and consecutive objects give the same books`() throws {
        let other = "{\"books_id\": \"7\", \"title\": \"B\"}"
        let keyed = try records("{\"105446547\": \(Self.saga),\n\"7\": \(other)}")
        let listed = try records("[\(Self.saga),\n\(other)]")
        let inRow = try records("\(Self.saga)\n\(other)")
        let pages = try records("{\"105446547\": \(Self.saga)}\n{\"7\": \(other)}")
        #expect(keyed.map(\.cells).count == 2)
        for found in [listed, inRow, pages] { #expect(found.map(\.cells) == keyed.map(\.cells)) }
        #expect(try records("{}") == [])
        #expect(try records("[]") == [])
    }

    @Test func `a damaged book costs no other`() throws {
        let other = "{\"books_id\": \"7777\", \"title\": \"B\"}"
        let unclosed = "{\"books_id\": \"5555\", \"title\": \"A\""
        let quote = "{\"books_id\": \"6666\",\n\"title\": \"A,\n\"date\": \"1\"}"
        let found = try records("{\"5555\": \(unclosed),\n\"6666\": \(quote),\n\"7777\": \(other)}")
        #expect(found.map(\.flags) == [.unreadable, .unreadable, []])
        #expect(found.last?.cells.prefix(2) == ["7777", "B"])
    }

    @Test func `books are the same however the input is cut and wherever reading resumes`() throws {
        let other = "{\"books_id\": \"7777\", \"title\": \"B \\\"{[\\\\\"}"
        let text =
            "{\"105446547\": \(Self.saga),\n\"5555\": {\"a\": \"b,\n\"7777\": \(other)}\n{\"1\": \(Self.elder)}"
        #expect(try StreamContract.violations(Array(text.utf8)) { stream($0, $1, $2) } == [])
    }

    @Test func `every cut and random damage are handled`() throws {
        let bytes = Array("{\"105446547\": \(Self.elder), \"7\": \(Self.elder)}".utf8)
        for length in stride(from: 0, to: bytes.count, by: 5) {
            let found = try StreamedRecord.all(of: stream(PiecedBytes(bytes[..<length]))).records
            #expect(found.count <= 2)
            #expect(found.dropLast().allSatisfy { $0.flags == [] })
        }
        let violations = try StreamContract.violationsOfDamagedJSON(bytes, seed: 8259) { stream($0, $1, $2) }
        #expect(violations == [])
    }

    @Test func `memory does not grow with the input`() throws {
        var stream = LibraryThingStream(
            RepeatedBytes(Array("\"7\": \(Self.elder),\n".utf8), times: 3_000), limits: .standard,
            from: .start)
        #expect(try StreamedRecord.count(in: &stream) == 3_000)
        #expect(stream.heldBytes <= 256 * 1024)
    }

    @Test func `it is recognized by content, read like an import, and resumes`() async throws {
        let files = try WrittenFiles()
        let dvd = Self.elder.replacing("\"Paperback\"", with: "\"DVD\"").replacing("105446547", with: "8")
        let undated = "{\"books_id\": \"9\", \"title\": \"Undated\", \"date\": \"?\", \"workcode\": \"1\"}"
        let path = try files.write("[\(Self.saga), \(dvd), \(undated)]", as: "books.json")
        let settings = ReadSettings(files: [path], batchRecords: 1)
        let reading = try await Reading.of(settings)
        #expect(reading.columns?.formatName == "librarything-json")
        #expect(reading.titles == ["Saga, Vol. 2", "Undated"])
        #expect(reading.fact(2)[0] == "Brian K. Vaughan as author;Fiona Staples as illustrator")
        #expect(reading.fact(3)[0] == "Saga#")
        #expect(reading.fact(4)[0] == "Paperback")
        #expect(reading.fact(5) == ["", ""])
        #expect(reading.rejects.map(\.code) == ["not_a_book"])
        #expect(reading.rejects.first.flatMap { LibraryThingJSON().cells(ofRaw: $0.raw)?.count } != nil)
        for (index, end) in reading.ends.enumerated() {
            let head = try await Reading.of(settings, batches: index + 1)
            let tail = try await Reading.of(settings, from: end)
            #expect(head.records + tail.records == reading.records)
            #expect(head.rejects + tail.rejects == reading.rejects)
        }
    }
}
