import Jobs
import System
import TestSupport
import Testing

@testable import Database
@testable import Store

extension SampleImport {
    /// Imports its files into `whole.sqlite` in batches of five records, each with a commit of its own, and expects that a
    /// store as it was at any of these commits resumes to the same counts and the same dump.
    ///
    /// - Parameter check: Compares something else in a resumed store; it gets the store's name.
    func expectResumption(alsoComparing check: (String) throws -> Void = { _ in }) async throws {
        var sample = self
        sample.batchRecords = 5
        sample.batchesPerCommit = 1
        let copies = CommitCopies(of: "whole.sqlite", in: folder)
        let whole = try await sample.run("whole.sqlite", observingCommits: copies.take)
        #expect(copies.names.count > 20)
        for name in copies.names {
            let hasEnded =
                try StoreFile.openForReading(folder.file(name)).number(
                    "SELECT count(*) FROM jobs WHERE ended_at IS NOT NULL") > 0
            let resumed = try await sample.run(name)
            if hasEnded { continue }
            #expect(resumed.job.counts == whole.job.counts, "\(name)")
            #expect(try dump(name) == dump("whole.sqlite"), "\(name)")
            try check(name)
        }
    }
}
