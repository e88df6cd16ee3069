import Books
import Foundation
import System
import TestSupport
import Testing

@testable import Contract
@testable import Database
@testable import Queries
@testable import Store

@Suite
struct QualityMetricsTests {
    // MARK: Quality

    @Test func `a job's metrics count the works and authors of its records`() async throws {
        let store = try await SmallLibrary.store()
        let job = try JobTable(try store.open()).existing("first")
        let counts = try QualityMetrics(try store.open()).counts(of: job)
        #expect(counts.works == 3 && counts.worksWithCover == 1)
        #expect(counts.authors == 3 && counts.authorsEnriched == 1)
        #expect(counts.recordsWithISBN == 2 && counts.recordsMatched == 2)
        #expect(counts.qualityPoints > 0)
    }

    @Test func `a job has the same metrics alone and next to other jobs`() async throws {
        let store = try await SmallLibrary.store()
        let alone = try QualityMetrics(try store.open()).counts(
            of: JobTable(try store.open()).existing("first"))
        try await store.importing(
            [[SmallLibrary.header, SmallLibrary.row("77", "Another", "Else")].joined(separator: "\n")],
            job: "second")
        let connection = try store.open()
        let jobTable = JobTable(connection)
        #expect(try QualityMetrics(connection).counts(of: jobTable.existing("first")) == alone)
        let second = try QualityMetrics(connection).counts(of: jobTable.existing("second"))
        #expect(second.works == 1 && second.authors == 1 && second.recordsWithISBN == 0)
    }

    @Test func `a job with few of many works counts only these, and a repeated one all`()
        async throws
    {
        let store = try FilledStore()
        let many = (1...40).map { SmallLibrary.row("\($0)", "Book \($0)", "Author \($0 / 2)") }
        func imported(_ rows: [String], _ job: String) async throws -> QualityCounts {
            let job = try await store.importing(
                [([SmallLibrary.header] + rows).joined(separator: "\n")], job: job)
            return try QualityMetrics(try store.open()).counts(of: job)
        }
        let alone = try await imported(many, "first")
        #expect(alone.works == 40 && alone.authors == 21)
        #expect(try await imported(many, "again") == alone)
        let few = try await imported([many[0], many[1], many[2]], "few")
        #expect(few.works == 3 && few.authors == 2)
        #expect(few.qualityPoints * 40 == alone.qualityPoints * 3)
    }

    @Test func `people with another role, or none stated, do not count as authors`() async throws {
        let store = try FilledStore()
        let rows = "Title,Author,Additional Authors,Translator\nReef,Ana Lee,Bo Ek,Kim Ro\n"
        let job = try await store.importing([rows], job: "j")
        #expect(try store.open().number("SELECT count(*) FROM contributors") == 3)
        #expect(try QualityMetrics(try store.open()).counts(of: job).authors == 1)
        // Also next to another job.
        try await store.importing([SmallLibrary.header + "\n" + SmallLibrary.earthsea], job: "k")
        #expect(try QualityMetrics(try store.open()).counts(of: job).authors == 1)
    }

    @Test func `the cover of an edition counts for its work`() async throws {
        let store = try FilledStore()
        store.known = [
            "9780441013593": [
                KnownBook(.googleBooks, "G", [(.title, "Dune"), (.editionCover, "https://x/1.jpg")])
            ]
        ]
        let job = try await store.importing([SmallLibrary.header + "\n" + SmallLibrary.dune], job: "j")
        #expect(try QualityMetrics(try store.open()).counts(of: job).worksWithCover == 1)
        // Also next to another job.
        try await store.importing([SmallLibrary.header + "\n" + SmallLibrary.earthsea], job: "k")
        #expect(try QualityMetrics(try store.open()).counts(of: job).worksWithCover == 1)
    }

    @Test func `a job that stored nothing has no metrics`() async throws {
        let store = try FilledStore()
        let job = try await store.importing([SmallLibrary.header + "\n" + SmallLibrary.nothing], job: "bad")
        #expect(try QualityMetrics(try store.open()).counts(of: job) == QualityCounts())
    }

    // MARK: Check

    @Test func `a sound store has no problems`() async throws {
        #expect(try StoreCheck(try await SmallLibrary.store().open()).problems().isEmpty)
    }

    @Test(arguments: [
        ("DELETE FROM works WHERE id = 1", ["editions", "contributors"]),
        ("DELETE FROM editions", ["entries"]),
        ("DELETE FROM authors", ["authors"]), ("DELETE FROM entries", ["records"]),
        ("DELETE FROM layouts", ["layouts"]), ("DELETE FROM libraries", ["libraries"]),
        ("INSERT INTO aliases VALUES ('x', 99)", ["aliases"]), ("DELETE FROM rejects", ["jobs"]),
    ])
    func `a dangling reference is found`(damage: String, checks: [String]) async throws {
        let store = try await SmallLibrary.store()
        try StoreFile.openForWriting(store.path).execute(damage)
        let problems = try StoreCheck(try store.open()).problems()
        #expect(problems.map(\.check) == checks)
        #expect(problems.allSatisfy { $0.count > 0 && $0.sentence.hasSuffix(".") })
    }

    // MARK: Snapshots

    @Test func `a snapshot shows one state of the store, whatever is committed meanwhile`() async throws {
        let store = try await SmallLibrary.store()
        let connection = try store.open()
        let writer = try StoreFile.openForWriting(store.path)
        var counts: [Int64] = []
        try connection.snapshot { () throws(ETLError) in
            counts.append(try connection.number("SELECT count(*) FROM works"))
            try writer.execute("DELETE FROM works")
            counts.append(try connection.number("SELECT count(*) FROM works"))
        }
        counts.append(try connection.number("SELECT count(*) FROM works"))
        #expect(counts == [3, 3, 0])
    }
}
