import Pipeline
import Testing

@testable import Books
@testable import Formats

@Suite
struct ColumnMappingTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func failure(_ yaml: String) -> String? {
        do throws(DefinitionError) {
            _ = try ColumnMapping(Array(yaml.utf8), named: "m.yaml")
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `a mapping reads a table of an unknown format`() throws {
        let mapping = try files.write(
            """
            name: bookcase
            columns:
              title: [Buch, Titel]
              isbn13: EAN
              author: "#3"
              rating: Punkte
            rating: 10
            text: { delimiter: ";", encoding: windows-1252, header: 2 }

            """, as: "m.yaml")
        let table = try files.write(
            Array("Meine Bücher;;;\nTitel;EAN;Wer;Punkte\nRiff".utf8) + [0xE4]
                + Array(";9780306406157;Lee, Ana;7\n".utf8), as: "t.csv")
        let columns = try ColumnMapping(file: mapping)
        let facts = try RowFacts.of(table, [.title, .isbn13, .author, .rating]) {
            $0.mapping = columns
            $0.text = columns.text
        }
        #expect(facts.formatName == "bookcase")
        #expect(facts.rows == [["Riffä", "9780306406157", "Lee, Ana", "3.5"]])
    }

    @Test func `all mistakes in a mapping are reported at once with their position`() {
        let explicit = failure(
            "columns:\n  titel: A\n  isbn13: { a: b }\nrating: 1000\ntext: { delimiter: abc, quot: x }\n")
        #expect(explicit?.contains("m.yaml:2:3: There is no field `titel`. Did you mean `title`?") == true)
        #expect(explicit?.contains("m.yaml:3:11: A column must be a name") == true)
        #expect(explicit?.contains("`rating` must be a number from 1 to 100") == true)
        #expect(
            explicit?.contains(
                "`delimiter` must be one ASCII character that is not the quote, or tab, not `abc`.") == true
        )
        #expect(explicit?.contains("There is no key `quot`") == true)
        #expect(explicit?.contains("A mapping file needs the key `name`.") == true)
        #expect(
            failure("name: a\ncolumns: { title: A }\ndates: american\n")?.contains(
                "m.yaml:3:8: `dates` must be one of day-first, month-first, not `american`.") == true)
        #expect(failure("") != nil)
        #expect(failure("name: a\ncolumns: 3\n")?.contains("`columns` must be a mapping") == true)
    }

    @Test func `a mapping can set the date order`() throws {
        func order(_ line: String) throws -> DateOrder? {
            try ColumnMapping(Array("name: a\ncolumns: { title: A }\n\(line)".utf8), named: "m.yaml")
                .dateOrder
        }
        #expect(try order("") == nil)
        #expect(try order("dates: day-first\n") == .dayFirst)
        #expect(try order("dates: month-first\n") == .monthFirst)
    }

    @Test(arguments: ["#0", "#-1", "#3", "#\(Int.min)", "#\(Int.max)", "#99999999999999999999", "#", "#x"])
    func `a number without a column selects none`(number: String) {
        let header = HeaderNames(["Title", "Author"])
        #expect(ColumnOptions([.title: number]).missing(in: header) == [number])
        #expect(ColumnOptions([.title: "#2"]).missing(in: header) == [])
        #expect(ColumnOptions([.title: "#1"]).missing(in: HeaderNames([])) == ["#1"])
    }

    @Test func `reading options survive a resume`() throws {
        var settings = ReadSettings(files: ["a.csv"], format: "generic", limit: 7)
        settings.columns = try ColumnOptions(parsing: "title=Buch,isbn13=#2")
        for (key, word) in [
            ("encoding", "UTF-16LE"), ("delimiter", "tab"), ("quote", "none"), ("header", "3"),
        ] {
            let isTaken = settings.text.take(key, word)
            #expect(isTaken, "\(key)")
        }
        settings.explicitDateOrder = .monthFirst
        var other = ReadSettings(files: ["a.csv"])
        other.format = "goodreads"
        try other.take(words: settings.words)
        #expect(other == settings)
        #expect(ReadSettings(files: ["a.csv"]).words.isEmpty)
        try other.take(words: settings.words + [("encoding", "klingon"), ("new", "x")])
        #expect(other == settings)
    }
}

@Suite struct TextOptionsTests {
    /// Which of the given options are accepted, one after the other.
    private func taken(_ words: [(key: String, word: String)]) -> [Bool] {
        var choice = TextOptions()
        return words.map { choice.take($0.key, $0.word) }
    }

    @Test func `delimiter and quote must differ, in either order`() {
        #expect(taken([("delimiter", ";"), ("quote", ";"), ("quote", "|")]) == [true, false, true])
        #expect(taken([("quote", ";"), ("delimiter", ";"), ("delimiter", "|")]) == [true, false, true])
        #expect(taken([("quote", "none"), ("delimiter", "tab"), ("quote", "\t")]) == [true, true, false])
    }
}
