import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Application
@testable import Books
@testable import Database

/// Real Goodreads exports, which are not part of the repository, are imported with counts that add up.
@Suite struct RealImportsTests {
    /// Records of each file, counted with Python's csv module, without blank ones and the header.
    private static let records = [
        "bookwyrm_goodreads-rating.csv": 3, "bookwyrm_goodreads.csv": 3,
        "jelu_goodreads-duplicate-events.csv": 6,
        "jelu_goodreads1.csv": 10, "jelu_goodreads_library_export-2022.csv": 10,
        "jelu_goodreads_library_export_one_line.csv": 1,
        "jelu_goodreads_library_export_one_line_modified.csv": 1,
        "jelu_goodreads_library_export_one_line_modified_review.csv": 5, "mouse-reeve_2015-07.csv": 123,
        "mouse-reeve_2016-10.csv": 157, "mouse-reeve_2018-01.csv": 181, "mouse-reeve_2020-10.csv": 358,
        "neodb_goodreads_library_export.csv": 10, "openlibrary_goodreads_library_export.csv": 3,
    ]

    @Test(
        .enabled(if: SharedData.isPresent, "needs real files that are not in the repository"),
        arguments: records.sorted { $0.key < $1.key })
    func `a real export is imported and its counts add up`(file: String, records: Int) async throws {
        var sample = try await SampleImport()
        sample.files = ["\(ProjectFiles.root)/../shared/data/goodreads/\(file)"]
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
