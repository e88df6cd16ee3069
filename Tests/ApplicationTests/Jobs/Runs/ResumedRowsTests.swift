import Foundation
import Jobs
import Store
import System
import TestSupport
import Testing

/// Custom pipelines keep the promises of `etl import`.
@Suite struct ResumedRowsTests {
    /// Stages of every kind, before the others of `csv_import`.
    private static let stages = """
        stages:
          - stage: CheckExpectations
            settings: { expect: ["expect title is not missing or reject", "expect rating is not missing or warn"] }
          - stage: FilterRows
            workers: 3
            settings: { where: "not (title contains memory)" }
          - stage: MapFields
            workers: 2
            settings: { set: ["[Decade] = text(round(yearPublished / 10 - 0.5) * 10)", "review = ''"] }
          - stage: RenameColumns
            settings: { columns: ["Decade=Decade of publication"] }
          - stage: DropColumns
            settings: { columns: [spoiler] }
          - stage: RunProgram
            workers: 2
            settings: { command: [sed, -u, 's/"Publisher":"[A-M][^"]*"/"Publisher":"An early one"/'] }
          - stage: DeduplicateRows
            settings: { by: ["yearPublished", "binding"] }
          - stage: TeeRows
            settings: { out: "${OUT}" }
          - stage: SampleRows
            settings: { share: 0.8 }

        """

    private static func sample() async throws -> SampleImport {
        var sample = try await SampleImport()
        sample.stages = stages.replacing("${OUT}", with: sample.folder.file("rows.ndjson"))
        sample.batchesPerCommit = 2
        return sample
    }

    @Test func `an import killed at any commit resumes to the result of an uninterrupted one`() async throws {
        let sample = try await Self.sample()
        let outcome = try await sample.run("whole.sqlite")
        let whole = try sample.dump("whole.sqlite")
        #expect(outcome.end == .completed)
        #expect(outcome.job.counts.totalProcessed == 135)
        for code in ["filtered_out", "repeated_row", "not_sampled"] {
            #expect(whole.contains(code), "\(code)")
        }
        #expect(whole.contains("Decade of publication"))
        #expect(whole.contains("An early one"))

        let rows = try String(contentsOfFile: sample.folder.file("rows.ndjson"), encoding: .utf8)
        #expect(rows.split(separator: "\n").count > 40)
        let copies = CommitCopies(of: "watched.sqlite", in: sample.folder)
        try await sample.run("watched.sqlite", observingCommits: copies.take)
        #expect(copies.names.count > 10)
        for name in copies.tried {
            let resumed = try await sample.run(name)
            #expect(resumed.end == .completed)
            #expect(resumed.job.counts.totalProcessed == 135, "\(name)")
            #expect(try sample.dump(name) == whole, "\(name)")
            let again = try String(contentsOfFile: sample.folder.file("rows.ndjson"), encoding: .utf8)
            #expect(again == rows, "\(name)")
        }
    }

    @Test(arguments: [1, 7, 1_024])
    func `neither batches nor workers change the result`(records: Int) async throws {
        var sample = try await Self.sample()
        try await sample.run("reference.sqlite")
        sample.batchRecords = records
        try await sample.run("other.sqlite", reshaping: { $0.delayed(seed: UInt64(records), workers: 5) })
        #expect(try sample.dump("other.sqlite") == sample.dump("reference.sqlite"))
    }

    @Test func `importing the same file again changes nothing`() async throws {
        let sample = try await Self.sample()
        try await sample.run("s.sqlite")
        let before = try sample.dump("s.sqlite")
        let again = try await sample.run("s.sqlite")
        #expect(again.job.counts.booksCreated == 0)
        #expect(again.job.counts.booksUpdated == 0)
        #expect(try sample.dump("s.sqlite") == before)
    }

    @Test func `an expectation that ends the run ends it with its row`() async throws {
        var sample = try await SampleImport()
        sample.stages = """
            stages:
              - stage: CheckExpectations
                settings: { expect: "expect row < 40 or stop" }

            """
        let outcome = try await sample.run("s.sqlite")
        guard case .failed(let failure) = outcome.end else {
            Issue.record("\(outcome.end)")
            return
        }
        #expect(failure.message.hasPrefix("Row 40 violates"))
        #expect(failure.position?.record == 40)
    }
}
