import Pipeline
import TestSupport
import Testing

@testable import Application
@testable import Books
@testable import Database

/// Goodreads exports are imported with counts that add up.
@Suite struct RealImportsTests {
    /// Records of each file, counted with Python's csv module, without blank ones and the header.
    private static let records = TestFiles.cases(
        own: [("etl_2015.csv", 5), ("etl_2018.csv", 10), ("etl_2024.csv", 7), ("etl_2026.csv", 4)],
        shared: [
            ("bookwyrm_goodreads-rating.csv", 3), ("bookwyrm_goodreads.csv", 3),
            ("jelu_goodreads-duplicate-events.csv", 6), ("jelu_goodreads1.csv", 10),
            ("jelu_goodreads_library_export-2022.csv", 10), ("jelu_goodreads_library_export_one_line.csv", 1),
            ("jelu_goodreads_library_export_one_line_modified.csv", 1),
            ("jelu_goodreads_library_export_one_line_modified_review.csv", 5),
            ("mouse-reeve_2015-07.csv", 123), ("mouse-reeve_2016-10.csv", 157),
            ("mouse-reeve_2018-01.csv", 181), ("mouse-reeve_2020-10.csv", 358),
            ("neodb_goodreads_library_export.csv", 10), ("openlibrary_goodreads_library_export.csv", 3),
        ])

    @Test(arguments: records)
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
