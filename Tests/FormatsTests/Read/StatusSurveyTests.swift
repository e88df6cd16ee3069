import System
import Testing

@testable import Books
@testable import Formats

@Suite
struct StatusSurveyTests {
    let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func warnings(_ statuses: [String], rules: String? = nil) async throws -> [String] {
        let rows = statuses.enumerated().map { "Book \($0),Ana Lee,\($1)\n" }.joined()
        var settings = ReadSettings(files: [try files.write("Title,Author,Status\n" + rows)])
        if let rules { settings.rules = try MappingRules(Array(rules.utf8), named: "rules.yaml") }
        return try await ReadLibrary(settings).surveyLibrary().files[0].warnings.map(\.description).filter {
            $0.contains("status")
        }
    }

    @Test func `statuses that mean nothing are named with their counts`() async throws {
        let found = try await warnings([
            "read", "tbr", "DNF", "Lesestapel", "Lesestapel", "loaned", "1", "yes", "",
        ])
        #expect(found.count == 1)
        #expect(found.first?.contains("`Lesestapel` (2), `loaned` (1)") == true, "\(found)")
        #expect(try await warnings(["read", "to-read", "currently-reading", "dnf", "Gelesen"]).isEmpty)
    }

    @Test func `statuses that a rule explains are known`() async throws {
        let rules = "shelves:\n  Lesestapel: {status: to-read}\n"
        #expect(try await warnings(["Lesestapel"], rules: rules).isEmpty)
    }

    private func shelf(_ name: String) throws -> [[String]] {
        let row = GoodreadsFixture.row(1).replacing("(#1),to-read,", with: "(#1),\(name),")
        return try RowFacts.of(files.write(GoodreadsFixture.header24 + "\n" + row + "\n"), [.exclusiveShelf])
            .rows
    }

    @Test(arguments: [
        "unfinished", "dnf", "didn-t-finish", "could-not-finish", "lost-interest", "abandoned",
        "did-not-finish",
        "DNF", "gave-up",
    ])
    func `a Goodreads shelf for books that were given up is that status`(name: String) throws {
        #expect(try shelf(name) == [["did-not-finish"]])
    }

    @Test func `other shelves of Goodreads' users stay as they are`() throws {
        #expect(try shelf("wishlist") == [["wishlist"]])
    }
}
