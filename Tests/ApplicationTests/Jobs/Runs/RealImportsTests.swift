import Jobs
import System
import TestSupport
import Testing

@testable import Database
@testable import Store

/// Goodreads exports are imported with counts that add up.
@Suite struct RealImportsTests {
    @Test(arguments: TestFiles.goodreadsExports)
    func `an export is imported and its counts add up`(file: String, records: Int) async throws {
        var sample = try await SampleImport()
        sample.files = [TestFiles.path("goodreads/\(file)")]
        let outcome = try await sample.run("s.sqlite")
        let counts = outcome.job.counts
        #expect(outcome.end == .completed)
        #expect(counts.totalProcessed == records)
        #expect(counts.totalProcessed == counts.successCount + counts.failureCount)
        #expect(counts.rejected == 0)
        let outcomes = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
            .integer("SELECT sum(count) FROM record_runs")
        #expect(outcomes == Int64(counts.successCount))
    }
}
