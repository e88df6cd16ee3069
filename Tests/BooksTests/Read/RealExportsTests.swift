import Books
import Foundation
import Pipeline
import Testing

/// Exports of real libraries, which are not part of the repository; skipped if they are absent.
@Suite(.enabled(if: RealExports.arePresent, "needs real files that are not in the repository"))
struct RealExportsTests {
    /// Records of each file, counted with another implementation (Python's csv module).
    static let files: [(name: String, records: Int)] = [
        ("bookwyrm_goodreads-rating.csv", 3), ("bookwyrm_goodreads.csv", 3),
        ("jelu_goodreads-duplicate-events.csv", 6),
        ("jelu_goodreads1.csv", 10), ("jelu_goodreads_library_export-2022.csv", 10),
        ("jelu_goodreads_library_export_one_line.csv", 1),
        ("jelu_goodreads_library_export_one_line_modified.csv", 1),
        ("jelu_goodreads_library_export_one_line_modified_review.csv", 5), ("mouse-reeve_2015-07.csv", 123),
        ("mouse-reeve_2016-10.csv", 157), ("mouse-reeve_2018-01.csv", 181), ("mouse-reeve_2020-10.csv", 358),
        ("neodb_goodreads_library_export.csv", 10), ("openlibrary_goodreads_library_export.csv", 3),
    ]

    @Test(arguments: files)
    func `Goodreads exports are read in full without rejects or notices`(name: String, records: Int)
        async throws
    {
        let settings = ReadSettings(files: [RealExports.path(name)], batchRecords: 50)
        let reading = try await Reading.of(settings)
        #expect(reading.columns?.profile == "goodreads")
        #expect(reading.columns?.unmapped == [])
        #expect(reading.recordsRead == records)
        #expect(reading.records.count == records)
        #expect(reading.fact(5).filter { !$0.isEmpty } == [])
        #expect(reading.titles.allSatisfy { !$0.isEmpty && !$0.contains(", #") })
        #expect(reading.fact(2).allSatisfy { $0.contains(" as author") })
        let survey = try await ReadLibrary(settings).surveyLibrary()
        #expect(survey.recordCount == records)
        #expect(survey.newestDate != nil)
        for (index, end) in reading.ends.enumerated() {
            let head = try await Reading.of(settings, batches: index + 1)
            let tail = try await Reading.of(settings, from: end)
            #expect(head.records + tail.records == reading.records)
        }
    }
}

enum RealExports {
    static let directory: URL = {
        var directory = URL(fileURLWithPath: #filePath)
        while directory.path != "/",
            !FileManager.default.fileExists(atPath: directory.appendingPathComponent("Package.swift").path)
        {
            directory.deleteLastPathComponent()
        }
        return directory.appendingPathComponent("../shared/data/goodreads").standardizedFileURL
    }()

    static let arePresent = FileManager.default.fileExists(atPath: directory.path)

    static func path(_ name: String) -> String { directory.appendingPathComponent(name).path }
}
