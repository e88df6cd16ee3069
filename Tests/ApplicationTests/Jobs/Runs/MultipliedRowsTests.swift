import Foundation
import Jobs
import System
import TestSupport
import Testing

@testable import Database
@testable import Queries
@testable import Store

/// Imports in which a program makes several rows of one record.
@Suite struct MultipliedRowsTests {
    /// Each record whose title begins with `The` becomes three rows: itself, a sequel, and a row without a title. The sample
    /// has both with and without ISBN.
    private static let stages = #"""
        stages:
          - stage: RunProgram
            workers: 2
            settings:
              mostRows: 3
              command:
                - sed
                - -u
                - 's/^{\("$row":\([0-9]*\)\),.*"Title":"\(The [^"]*\)".*$/[{\1},{\1,"Book Id":"sequel-\2","Title":"\3, continued","ISBN":"","ISBN13":""},{\1,"Title":"bad","Book Id":"bad-\2","ISBN":"","ISBN13":""}]/'
          - stage: CheckExpectations
            settings: { expect: ["expect title != bad or reject", "expect not (title contains continued) or warn"] }

        """#

    private static func sample() async throws -> SampleImport {
        var sample = try await SampleImport()
        sample.stages = stages
        sample.batchesPerCommit = 2
        return sample
    }

    private static func count(_ sql: String, in store: String, of sample: SampleImport) throws -> Int {
        Int(try StoreFile.openForReading(sample.folder.file(store)).number(sql))
    }

    @Test func `each row is stored, and those that are rejected count once for their record`() async throws {
        let sample = try await Self.sample()
        let outcome = try await sample.run("s.sqlite")
        let job = try #require(outcome.end == .completed ? outcome.job : nil)
        let titles = try Self.count(
            "SELECT count(*) FROM entries WHERE source_id LIKE 'sequel-%'", in: "s.sqlite", of: sample)
        let rejects = try Self.count(
            "SELECT count(*) FROM rejects WHERE code = 'expectation_violated'", in: "s.sqlite", of: sample)
        #expect(titles > 10 && rejects == titles)
        #expect(job.counts.totalProcessed == 135 + 2 * titles)
        let stored = try Self.count("SELECT sum(count) FROM record_runs", in: "s.sqlite", of: sample)
        #expect(stored == job.counts.totalProcessed - job.counts.rejected)
        let warned = try Self.count(
            "SELECT count(*) FROM warnings WHERE code = 'expectation_warning'", in: "s.sqlite", of: sample)
        #expect(warned == titles)
        let store = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        #expect(try StoreCheck(store).problems().isEmpty)
    }

    @Test func `an import killed at any commit resumes to the result of an uninterrupted one`() async throws {
        let sample = try await Self.sample()
        try await sample.run("whole.sqlite")
        let whole = try sample.dump("whole.sqlite")
        let copies = CommitCopies(of: "watched.sqlite", in: sample.folder)
        try await sample.run(
            "watched.sqlite", observingCommits: copies.take,
            reshaping: { $0.delayed(seed: 1, workers: 3) })
        for name in copies.tried {
            #expect(try await sample.run(name).end == .completed)
            #expect(try sample.dump(name) == whole, "\(name)")
        }
    }

    @Test func `the same file again changes nothing, and an undo leaves nothing`() async throws {
        let sample = try await Self.sample()
        try await sample.run("s.sqlite")
        let before = try sample.dump("s.sqlite")
        let again = try await sample.run("s.sqlite")
        #expect(again.job.counts.booksCreated == 0 && again.job.counts.booksUpdated == 0)
        #expect(try sample.dump("s.sqlite") == before)
        let store = try ResultsStore(sample.folder.file("s.sqlite"), clock: ManualClock())
        let jobs = try JobTable(StoreFile.openForReading(sample.folder.file("s.sqlite"))).all().map(\.name)
        _ = try await store.undo(UndoRequest(jobs: jobs, withLater: true, name: "back"))
        #expect(try Self.count("SELECT count(*) FROM works", in: "s.sqlite", of: sample) == 0)
    }
}
