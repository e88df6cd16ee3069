import Books
import Formats
import System
import Testing

/// Objects in JSON that are read as a table.
@Suite struct JSONTablesTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func read(_ text: String) throws -> (rows: [[String]], rejects: [String]) {
        let facts = try RowFacts.of(try files.write(text, as: "books.json"), [.title, .isbn13, .isbn10])
        return (facts.rows, facts.rejects)
    }

    @Test(arguments: [
        #"[{"title":"Reef","ids":{"isbn13":"9780306406157"}},{"title":"Tide"}]"#,
        #"[{"title":"Reef","identifiers":{"isbn_13":["9780306406157","9780306406158"]}},{"title":"Tide"}]"#,
        #"{"user":{"books":[{"title":"Reef","identifiers":{"ISBN-13":"9780306406157"}},{"title":"Tide"}]}}"#,
        #"[{"title":"Reef","edition":{"ids":[{"type":"ISBN_13","identifier":"9780306406157"}]}},{"title":"Tide"}]"#,
        #"{"items":[{"id":"x","volumeInfo":{"title":"Reef","authors":["A"],"industryIdentifiers":[{"type":"ISBN_13","#
            + #""identifier":"9780306406157"}]}},{"volumeInfo":{"title":"Tide","authors":["B"]}}]}"#,
    ])
    func `ISBNs within objects are found`(_ text: String) throws {
        let found = try read(text)
        #expect(found.rows.map { [$0[0], $0[1]] } == [["Reef", "9780306406157"], ["Tide", ""]])
    }

    @Test func `records of different shapes each give their ISBN`() throws {
        let text = """
            [{"title":"Reef","ids":{"isbn13":"9780306406157"}},
            {"title":"Tide","isbn":"9780140328721","similar":{"isbn13":"9780441172719"}}]
            """
        #expect(
            try read(text).rows.map { Set($0).subtracting([""]) } == [
                ["Reef", "9780306406157"], ["Tide", "9780140328721"],
            ])
    }

    @Test(arguments: [
        #"[{"title":"Reef"}][{"title":"Tide"},{"title":"Sand"}]"#,
        #"{"title":"Reef","author":"A"}"# + "\n" + #"[{"title":"Tide"},{"title":"Sand"}]"#,
        #"[{"title":"Reef","author":"A"},{"title":"Tide"}]"# + "\n" + #"{"title":"Sand"}"#,
        #"{"title":"Reef","author":"A"}[{"title":"Tide","author":"B"},{"title":"Sand","author":"C"}]"#,
        #"{"a":{"title":"Reef","author":"A"}}{"b":{"title":"Tide"},"c":{"title":"Sand"}}"#,
        #"{"title":"Reef","author":"A"} [] [{"title":"Tide"}] {"title":"Sand"}"#,
    ])
    func `every object of documents that were joined is a record`(_ text: String) throws {
        let found = try read(text)
        #expect(found.rows.map { $0[0] } == ["Reef", "Tide", "Sand"])
        #expect(found.rejects.isEmpty)
    }

    @Test func `both kinds of ISBN are found, and those of the record itself come first`() throws {
        let both = #"[{"title":"Reef","ids":{"isbn10":"0306406152","isbn13":"9780306406157"}}]"#
        #expect(try read(both).rows == [["Reef", "9780306406157", "0306406152"]])
        let own = #"[{"title":"Reef","isbn":"9780306406157","series":{"isbn":"9780441172719"}}]"#
        #expect(try read(own).rows == [["Reef", "9780306406157", ""]])
    }

    /// In JSON, `name` and `book` can be anything, so only the user can say that they are titles.
    @Test(arguments: ["name", "book", "Name"])
    func `a vague key is a title if the user says so`(key: String) throws {
        let file = try files.write(#"[{"\#(key)":"Reef","author":"A"}]"#, as: "books.json")
        #expect(throws: ETLError.self) { try RowFacts.of(file, [.title]) }
        var settings = ReadSettings(files: [file])
        settings.columns.columns[.title] = key
        #expect(try LibraryFile(file, index: 0, settings: settings).columns[.title] != nil)
    }

    @Test(arguments: [
        #"[{"title":"Reef","author":"A"},{"title":"Ti"#,
        #"[{"title":"Reef","author":"A"},{"title":"Tide","author":"#,
        #"{"title":"Reef","author":"A"}"# + "\n" + #"{"title":"Ti"# + "\n",
        #"{"title":"Reef","author":"A"}"# + "\n" + #"{"title":"Tide","author":nonsense}"# + "\n",
    ])
    func `a damaged object is said to be damaged`(_ text: String) throws {
        let found = try read(text)
        #expect(found.rows.map { $0[0] } == ["Reef"])
        #expect(found.rejects == ["record_unreadable"])
    }

    @Test func `a line that ends too early costs only itself`() throws {
        let found = try read(
            #"{"title":"Reef","author":"A"}"# + "\n" + #"{"title":"Ti"# + "\n"
                + #"{"title":"Foam","author":"B"}"# + "\n")
        #expect(found.rows.map { $0[0] } == ["Reef", "Foam"])
        #expect(found.rejects == ["record_unreadable"])
    }

    @Test(arguments: [
        ("{\"foo\":", "not complete"), ("[{\"foo\":1},{\"fo", "not complete"),
        ("{\"foo\":1}", "none of its objects"),
    ])
    func `the failure says whether the file is complete`(_ text: String, _ words: String) throws {
        let failure = #expect(throws: ETLError.self) { try self.read(text) }
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    }

    /// Its columns are known only once the whole file has been read, which takes seconds for a large one.
    @Test func `a stop ends the examination of a file`() throws {
        let file = try files.write(#"[{"title":"Reef","isbn":"9780306406157"}]"#, as: "books.json")
        let stop = StopSignal()
        stop.raise()
        let failure = #expect(throws: ETLError.self) {
            try LibraryFile(file, index: 0, settings: ReadSettings(files: [file]), stop: stop)
        }
        #expect(failure?.kind == .temporary && failure?.message.contains(file) == true)
    }
}
