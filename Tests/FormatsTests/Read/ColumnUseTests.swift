import Books
import Formats
import System
import Testing

/// Columns that should hold titles or authors and hold none.
@Suite struct ColumnUseTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func warnings(_ text: String, _ settings: (inout ReadSettings) -> Void = { _ in }) async throws
        -> [String]
    {
        var reading = ReadSettings(files: [try files.write(text)])
        settings(&reading)
        return try await ReadLibrary(reading).surveyLibrary().files.flatMap(\.warnings).map { "\($0)" }
    }

    private func table(_ header: String, _ row: String, _ count: Int = 5) -> String {
        header + "\n" + (0..<count).map { "\(row.replacing("#", with: "\($0)"))\n" }.joined()
    }

    @Test func `a table without authors names the nearest columns`() async throws {
        let found = try await warnings(table("Title,Verfassername,ISBN", "Reef #,Ana Lee,"))
        #expect(found.count == 1)
        #expect(found.first?.contains("Verfassername") == true)
        #expect(found.first?.contains("author=Verfassername") == true)
    }

    @Test func `columns without any title or author are named`() async throws {
        let found = try await warnings(
            table("Title,Buchname,Author,Schreiber,ISBN", ",Reef,,Ana Lee,9780306406157"))
        #expect(found.count == 2)
        #expect(found.first?.contains("`Title`") == true)
        #expect(found.first?.contains("title=Buchname") == true)
        let authors = try await warnings(
            table("Title,Author,Schreiber,ISBN", "Reef #,,Ana Lee,9780306406157"))
        #expect(authors.count == 1)
        #expect(authors.first?.contains("`Author`") == true)
    }

    @Test func `empty titles and empty authors are both named`() async throws {
        let found = try await warnings(table("Title,Author,ISBN", ",,9780306406157"))
        #expect(found.count == 2)
        #expect(found.first?.contains("`Title` is empty") == true)
        #expect(found.last?.contains("`Author` is empty") == true)
    }

    @Test func `a table with neither column names the nearest for both`() async throws {
        let found = try await warnings(table("Worktitel,Verfassername,ISBN", "Reef #,Ana Lee,9780306406157"))
        #expect(found.count == 2)
        #expect(found.first?.contains("title=Worktitel") == true)
        #expect(found.last?.contains("author=Verfassername") == true)
    }

    @Test func `two records are enough to notice an empty column`() async throws {
        #expect(try await warnings(table("Title,Author,Schreiber", "Reef #,,Ana Lee", 2)).count == 1)
        #expect(try await warnings(table("Title,Author,Schreiber", "Reef #,,Ana Lee", 1)) == [])
    }

    @Test func `many records without a title are counted`() async throws {
        let some =
            table("Title,Author,ISBN", "Reef #,Ana Lee,") + ",Ana Lee,9780306406157\n,Ana Lee,9780306406157\n"
        let found = try await warnings(some)
        #expect(found.count == 1)
        #expect(found.first?.contains("2 of 7") == true)
    }

    @Test func `complete tables and lists of ISBNs are not questioned`() async throws {
        #expect(try await warnings(table("Title,Author,ISBN", "Reef,Ana Lee,")) == [])
        #expect(try await warnings("9780306406157\n9780306406157\n") == [])
        #expect(try await warnings(table("ISBN,Rating", "9780306406157,4")) == [])
        #expect(try await warnings(table("ISBN,Shelf mark", "9780306406157,A-#")) == [])
        #expect(try await warnings("Work Id,Edition Id,Bookshelf\nOL1W,OL2M,Currently Reading\n") == [])
    }

    @Test func `rows of separators and comments are counted`() async throws {
        let text = "Title,Author,ISBN\nReef,Ana Lee,\n,,\n\n# a comment\nTide,Bo Ek,\n,,\n"
        let path = try files.write(text)
        let survey = try await ReadLibrary(ReadSettings(files: [path])).surveyLibrary()
        #expect(survey.files[0].emptyRows == 2)
        #expect(survey.files[0].remarks.contains { $0.contains("2 rows") })
        let facts = try RowFacts.of(path, [.title])
        #expect(facts.rows == [["Reef"], ["Tide"]])
        #expect(facts.rejects == ["comment_line"])
    }
}
