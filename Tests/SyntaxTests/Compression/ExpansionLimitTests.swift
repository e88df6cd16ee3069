import System
import TestSupport
import Testing

@testable import Formats
@testable import Syntax

/// Limits of the expanded size of files.
@Suite struct ExpansionLimitTests {
    private static let table = "Title,Author\n" + String(repeating: "Reef,Ana Lee\n", count: 1_000)
    private static let rows = String(repeating: "<row><c t=\"str\"><v>Reef</v></c></row>", count: 500)

    /// Files, and the bytes that the first reading of each expands to, at least.
    private static let files: [(name: String, bytes: [UInt8], least: Int)] = [
        ("a.csv.gz", GzipBytes.stored(Array(table.utf8)), table.utf8.count),
        ("a.zip", ZipBytes.archive(texts: [("a.csv", table)]), table.utf8.count),
        (
            "a.xlsx",
            SheetDocument.excel([("Books", "<row><c t=\"str\"><v>Title</v></c></row>" + rows)]), 20_000
        ),
        (
            "a.json",
            Array(
                ("["
                    + Array(repeating: "{\"title\":\"Reef\",\"author\":\"Ana Lee\"}", count: 1_000)
                    .joined(separator: ",") + "]").utf8), 12_000
        ),
    ]

    /// Result of a survey of the files.
    private static func survey(
        _ names: [String], in folder: TemporaryFolder, limit: Int
    ) async throws -> LibrarySurvey {
        var settings = ReadSettings(files: names.map { folder.file($0) })
        settings.expansionLimit = ExpansionLimit(bytes: limit)
        try settings.expandArchives()
        return try await ReadLibrary(settings).surveyLibrary()
    }

    @Test(arguments: files.indices)
    func `a file that expands to more than the limit is refused`(_ index: Int) async throws {
        let (name, bytes, least) = Self.files[index]
        let folder = try TemporaryFolder()
        _ = try folder.write(bytes, to: name)
        #expect(try await Self.survey([name], in: folder, limit: 10 * least).recordCount >= 500)
        let failure = await #expect(throws: ETLError.self) {
            try await Self.survey([name], in: folder, limit: least - 1)
        }
        #expect(failure?.kind == .tooLarge)
        #expect(failure?.message.contains(name) == true)
    }

    @Test func `the files of a run are counted together`() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (Self.files[0].bytes, Self.files[1].bytes)
        _ = try folder.write(first, to: "a.gz")
        _ = try folder.write(second, to: "b.zip")
        let size = Self.table.utf8.count
        #expect(try await Self.survey(["a.gz", "b.zip"], in: folder, limit: 2 * size).files.count == 2)
        let failure = await #expect(throws: ETLError.self) {
            try await Self.survey(["a.gz", "b.zip"], in: folder, limit: 2 * size - 1)
        }
        #expect(failure?.kind == .tooLarge)
    }

    @Test func `the parts of an archive count whether they are libraries or not`() throws {
        let folder = try TemporaryFolder()
        let other = String(repeating: "neither a title nor a number\n", count: 1_000)
        let parts = (0..<10).map { ("\($0).txt", other) } + [("a.csv", "Title\nReef\n")]
        let path = try folder.write(ZipBytes.archive(texts: parts), to: "a.zip")
        func expand(limit: Int) throws -> [String] {
            var settings = ReadSettings(files: [path])
            settings.expansionLimit = ExpansionLimit(bytes: limit)
            try settings.expandArchives()
            return settings.files
        }
        #expect(try expand(limit: 20 * other.utf8.count) == ["\(path)/a.csv"])
        let failure = #expect(throws: ETLError.self) { try expand(limit: 5 * other.utf8.count) }
        #expect(failure?.kind == .tooLarge)
    }

    @Test func `an OpenDocument spreadsheet is counted while its sheets are listed`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            SheetDocument.open([("Books", String(repeating: "<table:table-row/>", count: 1_000))]),
            to: "a.ods")
        let failure = #expect(throws: ETLError.self) {
            try InputFile(path, limit: ExpansionLimit(bytes: 10_000))
        }
        #expect(failure?.kind == .tooLarge)
        #expect(try InputFile(path).expandedBytes == 0)
    }
}
