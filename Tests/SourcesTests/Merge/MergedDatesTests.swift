import TestSupport
import Testing

@testable import Books
@testable import Formats
@testable import Sources

@Suite struct MergedDatesTests {
    @Test(arguments: [
        ("1981", "1981-03-05", "", "1981-03-05"), ("1981-03-05", "1981", "", "1981-03-05"),
        ("1981", "1982-03-05", "", "1981"), ("1981", "", "1981-03-05", "1981-03-05"),
        ("1981", "", "1982-03-05", "1981"), ("1981-03-05", "", "1981-04-06", "1981-03-05"),
    ])
    func `a year does not beat a full date in it, whatever the rule`(
        first: String, second: String, row: String, date: String
    ) async throws {
        for rule in ["priority", "earliest", "majority", "prefer:openlibrary"] {
            let merged = try await MergeFixture.merge(
                UserRow(cells: [.yearPublished: row]),
                [
                    Answer(.openLibrary, "O", [(.publicationDate, first)]),
                    Answer(.googleBooks, "G", [(.publicationDate, second)]),
                ], policy: try MergePolicy(overrides: ["publicationDate": rule]))
            #expect(merged[.publicationDate] == date, "\(rule)")
        }
    }
}
