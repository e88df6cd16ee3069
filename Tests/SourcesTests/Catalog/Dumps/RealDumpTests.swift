import System
import TestSupport
import Testing

@testable import Books
@testable import Sources

/// Samples of dumps as their providers publish them.
@Suite struct RealDumpTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func build(_ names: [String]) async throws -> CatalogBuildReport {
        let files = try names.map { name in
            try folder.write(TestFiles.bytes(name), to: String(name.split(separator: "/").last ?? "dump"))
        }
        return try await CatalogFixture.builder(folder).build(from: files)
    }

    @Test func `Open Library's dumps are read with their usual damage`() async throws {
        let report = try await build(["openlibrary/etl_dump_all.txt", "openlibrary/etl_dump_editions.txt"])
        #expect(report.sources.map(\.lines) == [7, 7])
        // One line has spaces for tabs and one has no date; both are read.
        #expect(report.read.editions == 6)
        #expect(report.read.works == 1)
        #expect(report.read.authors == 1)
        #expect(report.read.redirects == 2)
        #expect(report.read.deletes == 1)
        // A page of the site.
        #expect(report.read.others == 1)
        // The key `OL_no_numberM`, and a line that is cut off.
        #expect(report.malformed == [.badKey: 1, .badJSON: 1])
        #expect(report.isbns == 3)
        #expect(report.read.wrongISBNs == 1)
        #expect(report.read.editionsWithoutISBN == 3)

        let catalog = try Catalog(folder.file("catalog.sqlite"))
        let isbns = try ["9999901018", "9789999901116", "9999901034"].map { try #require(ISBN($0)) }
        let answers = try await catalog.answer(BookQueries(queries: isbns.map { .isbn($0) }))
        let lantern = CatalogFixture.Found(answers, 0)
        #expect(lantern.record == "OL99000101M")
        #expect(lantern[.title] == ["The Salt Lantern"])
        #expect(lantern[.workKey] == ["OL99000101W"])
        #expect(lantern[.authorName] == ["Mira Talvik"])
        #expect(lantern[.pageCount] == ["312"])
        // This edition has the work's old key.
        #expect(CatalogFixture.Found(answers, 1)[.workKey] == ["OL99000101W"])
        // The hyphens of this ISBN-10 are ignored, and so is the wrong ISBN-13 next to it.
        #expect(CatalogFixture.Found(answers, 2).record == "OL99000104M")
    }

    @Test(.enabled(if: TestFiles.hasShared, Comment(rawValue: TestFiles.needsShared)))
    func `samples of Open Library's own dumps are read`() async throws {
        let report = try await build([
            "openlibrary/reconcile_seed_ol_dump_all.txt", "openlibrary/reconcile_seed_ol_dump_editions.txt",
        ])
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
        let answers = try await catalog.answer(BookQueries(queries: [.isbn(isbn)]))
        let found = CatalogFixture.Found(answers, 0)
        #expect(found.record == "OL1003612M")
        #expect(found[.editionTitle] == ["Environmental health"])
        #expect(found[.workKey] == ["OL3342761W"])
        #expect(found[.publicationDate] == ["1997"])
    }

    @Test func `Wikidata's entities are read`() async throws {
        let kinds = TestFiles.cases(
            own: [["etl_EntityData_Q990000101", "etl_EntityData_Q990000102"], ["etl_rest_Q990000101"]],
            shared: [
                ["EntityData_Q42", "EntityData_Q45", "EntityData_Q1"],
                ["rest_v1_item_Q42", "EntityData_Q45", "EntityData_Q1"],
            ])
        for names in kinds {
            let report = try await build(names.map { "wikidata/\($0).json" })
            #expect(report.people == 1)
            #expect(report.sources.map(\.taken) == [1] + names.dropFirst().map { _ in 0 })
        }
        // An island is not a writer, so there is nothing to build.
        await #expect(throws: ETLError.self) {
            _ = try await build(["wikidata/etl_EntityData_Q990000102.json"])
        }
    }
}
