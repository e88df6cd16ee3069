import Pipeline
import TestSupport
import Testing

@testable import Stages

/// Samples of real dumps; skipped where they are not.
@Suite(.enabled(if: SharedData.isPresent, "../shared/data is not here"))
struct RealDumpTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func build(_ names: String...) async throws -> CatalogBuildReport {
        let files = try names.map { name in
            try folder.write(SharedData.bytes(name), to: String(name.split(separator: "/").last ?? "dump"))
        }
        return try await CatalogFixture.builder(folder).build(from: files)
    }

    @Test func openLibrarysSamplesAreRead() async throws {
        let report = try await build(
            "openlibrary/reconcile_seed_ol_dump_all.txt", "openlibrary/reconcile_seed_ol_dump_editions.txt")
        #expect(report.editionRecords == 0)
        #expect(report.isbns == 0)
    }

    @Test func wikidatasEntitiesAreRead() async throws {
        var people = 0
        for name in ["EntityData_Q42", "rest_v1_item_Q42", "EntityData_Q45", "EntityData_Q1"] {
            people += try await build("wikidata/\(name).json").people
        }
        #expect(people == 2)
    }
}
