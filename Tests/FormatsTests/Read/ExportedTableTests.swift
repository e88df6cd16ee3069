import System
import Testing

@testable import Books
@testable import Formats
@testable import Queries

/// Importing the tables other than books that `etl export` writes.
@Suite struct ExportedTableTests {
    private static let tables: [(ExportedTable, ExportTable)] = [
        (.works, .works), (.editions, .editions), (.authors, .authors),
    ]

    private func file(of table: ExportTable, in files: WrittenFiles) throws -> String {
        let names = table.columns.map { "\($0.name)" }
        let cells = names.map { "\($0) of it" }
        return try files.write([names, cells].map { $0.joined(separator: ",") + "\n" }.joined())
    }

    @Test(arguments: ExportedTable.allCases) func `an exported table is rejected by name`(kind: ExportedTable)
        async throws
    {
        let files = try WrittenFiles()
        let table = try #require(Self.tables.first { $0.0 == kind }?.1)
        let path = try file(of: table, in: files)
        let failure = await failure(of: ReadSettings(files: [path]))
        #expect(failure?.kind == .unusableInput)
        #expect(failure?.message.contains("exported table of \(kind.rawValue)") == true)
        #expect(failure?.message.contains(path) == true)
        #expect(failure?.advice?.refers(to: UserCommand.exportTable) == true)
    }

    @Test func `an explicit format makes an exported table readable`() async throws {
        let files = try WrittenFiles()
        let path = try file(of: .works, in: files)
        var settings = ReadSettings(files: [path])
        settings.format = "generic"
        #expect(try await Reading.of(settings).titles == ["title of it: subtitle of it"])
    }

    @Test func `the table of books is accepted`() async throws {
        let files = try WrittenFiles()
        let path = try file(of: .books, in: files)
        #expect(try await Reading.of(ReadSettings(files: [path])).columns?.formatName == "etl")
    }
}
