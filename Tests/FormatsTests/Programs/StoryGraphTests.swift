import System
import Testing

@testable import Books
@testable import Formats

@Suite
struct StoryGraphTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func file(_ rows: String...) throws -> String {
        let header =
            "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,"
            + "Read Count,Moods,Pace,Star Rating,Review,Tags,Owned?\n"
        return try files.write(header + rows.map { $0 + "\n" }.joined())
    }

    @Test func `date ranges, quarter stars and yes or no are read`() throws {
        let path = try file(
            "Reef,Ana Lee,,9780306406157,paperback,read,2025/01/02,,\"2024/01/02-2024/02/03, 2025/05/18-2025/05/26\","
                + "2,,,3.75,,a,Yes",
            "Tide,Bo Ek,,9780306406157,digital,did-not-finish,2025/01/02,2025/03/04,2025/03/04,1,,,0.0,,,No",
            "Wave,Bo Ek,,,audio,to-read,2025/01/02,,,0,,,,,,")
        let facts = try RowFacts.of(path, [.dateStarted, .dateRead, .rating, .exclusiveShelf, .ownedCopies])
        #expect(facts.formatName == "storygraph")
        #expect(
            facts.rows == [
                ["2025-05-18", "2025/05/26", "3.75", "read", "1"],
                ["", "2025/03/04", "0.0", "did-not-finish", "0"], ["", "", "", "to-read", ""],
            ])
    }

    @Test func `a UUID is the source id and not an ISBN, and an ASIN stays to be reported`() throws {
        let uuid = "fbdd6b7c-f512-47f2-aa94-d8bf0d5f5175"
        let path = try file(
            "Reef,Ana Lee,,\(uuid),,read,,,,,,,,,,", "Tide,Bo Ek,,B00ABC1234,,read,,,,,,,,,,")
        let facts = try RowFacts.of(path, [.sourceID, .isbn13])
        #expect(facts.rows == [[uuid, ""], ["", "B00ABC1234"]])
    }

    @Test func `contributors have their roles in brackets`() throws {
        let path = try file(
            "Reef,\"Ana Lee, Bo Ek\",\"Kim Ro (Translator), Di Fo (Narrator), Wu (collective)\",,,,,,,,,,,,,")
        #expect(
            try RowFacts.people(path) == [
                "Reef: Ana Lee (author), Bo Ek (contributor), Kim Ro (translator), Di Fo (narrator), "
                    + "Wu (collective) (contributor)"
            ])
    }

    @Test func `a row with an extra cell is kept and reported`() async throws {
        let path = try file("Reef,Ana Lee,,,,read,,,,,,,4.0,,,,,No")
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.recordsRead == 1)
        #expect(reading.fact(5) == ["ragged_record::18"])
    }
}
