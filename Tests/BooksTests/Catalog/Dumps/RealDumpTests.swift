import Pipeline
import TestSupport
import Testing

@testable import Books

/// Samples of real dumps; skipped if they are absent.
@Suite(.enabled(if: SharedData.isPresent, "needs real files that are not in the repository"))
struct RealDumpTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func build(_ names: String...) async throws -> CatalogBuildReport {
        let files = try names.map { name in
            try folder.write(SharedData.bytes(name), to: String(name.split(separator: "/").last ?? "dump"))
        }
        return try await CatalogFixture.builder(folder).build(from: files)
    }

    @Test func `Open Library's samples are read`() async throws {
        let report = try await build(
            "openlibrary/reconcile_seed_ol_dump_all.txt", "openlibrary/reconcile_seed_ol_dump_editions.txt")
        #expect(report.sources.map(\.lines) == [33, 17])
        #expect(report.read.editions == 37)
        #expect(report.read.works == 1)
        #expect(report.read.authors == 1)
        #expect(report.read.redirects == 5)
        #expect(report.read.others == 1)
        // Keys such as `/books/OL_space_not_tabM` and `/books/multiple_isbn_13s`.
        #expect(report.malformed == [.badKey: 5])
        #expect(report.isbns == 16)
        #expect(report.read.wrongISBNs == 0)
        #expect(report.read.editionsWithoutISBN == 8)
        // One line has no date and is still read.
        let catalog = try Catalog(folder.file("catalog.sqlite"))
        let isbn = try #require(ISBN("0674258592"))
        let answers = try await catalog.answer(BookQueries(questions: [.isbn(isbn)]))
        let found = CatalogFixture.Found(answers, 0)
        #expect(found.record == "OL1003612M")
        #expect(found[.editionTitle] == ["Environmental health"])
        #expect(found[.workKey] == ["OL3342761W"])
        #expect(found[.publicationDate] == ["1997"])
    }

    @Test func `Wikidata's entities are read`() async throws {
        for name in ["EntityData_Q42", "rest_v1_item_Q42"] {
            let report = try await build(
                "wikidata/\(name).json", "wikidata/EntityData_Q45.json", "wikidata/EntityData_Q1.json")
            #expect(report.people == 1)
            #expect(report.sources.map(\.taken) == [1, 0, 0])
        }
        // A country and the universe are not writers.
        await #expect(throws: StageFailure.self) { _ = try await build("wikidata/EntityData_Q45.json") }
    }
}
