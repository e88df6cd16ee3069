import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Stages

/// Samples of real dumps, read where they lie beside the project; skipped where they are not.
@Suite(.enabled(if: RealDumpTests.isThere, "../shared/data is not here"))
struct RealDumpTests {
    static let data: URL = {
        var folder = URL(filePath: #filePath)
        repeat { folder.deleteLastPathComponent() }
        while folder.path != "/" && !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
        return folder.appending(path: "../shared/data").standardized
    }()
    static var isThere: Bool { FileManager.default.fileExists(atPath: data.path) }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func build(_ names: String...) async throws -> CatalogBuildReport {
        try await CatalogFixture.builder(folder).build(from: names.map { Self.data.appending(path: $0).path })
    }

    @Test func openLibrarysSamplesAreRead() async throws {
        let report = try await build("openlibrary/reconcile_seed_ol_dump_all.txt", "openlibrary/reconcile_seed_ol_dump_editions.txt")
        #expect(report.editionRecords == 0)
        #expect(report.isbns == 0)
    }

    @Test func wikidatasEntitiesAreRead() async throws {
        let names = ["EntityData_Q42", "rest_v1_item_Q42", "EntityData_Q45", "EntityData_Q1"].map { "wikidata/\($0).json" }
        var people = 0
        for name in names {
            people += try await build(name).people
        }
        #expect(people == 2)
    }
}
