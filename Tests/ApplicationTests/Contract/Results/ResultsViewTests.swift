import Books
import Contract
import Foundation
import Queries
import Store
import Syntax
import Testing

@testable import TestSupport

@Suite struct ResultsViewTests {
    private let counts = JobCounts(
        booksCreated: 145, booksUpdated: 10, duplicatesSkipped: 40, rejected: 5, enrichmentSucceeded: 140)
    private let reject = RecordError(row: 15, isbn: "1234567890", error: "Invalid ISBN")

    @Test func `totals are the sums of their parts`() {
        #expect(counts.totalProcessed == 200)
        #expect(counts.successCount == 195)
        #expect(counts.failureCount == 5)
        #expect(counts.enrichmentFailed == 15)
        #expect(counts.successRate == "195/200")
    }

    @Test func `the import view has counts, errors and books in that order`() throws {
        let written = Written { out in
            var view = ImportResultsWriter(counts, into: &out)
            view.error(reject, into: &out)
            view.error(RecordError(row: 16, error: "No title", file: "b.csv"), into: &out)
            view.book(Sample.fullBook, into: &out)
            view.book(BookDTO(title: "Only a title"), into: &out)
            view.end(timestamp: 0, into: &out)
        }
        let results = try written.decoded(as: V32.ImportResults.self)
        #expect(results.booksCreated == 145 && results.booksUpdated == 10 && results.duplicatesSkipped == 40)
        #expect(
            results.enrichmentSucceeded + results.enrichmentFailed == results.booksCreated
                + results.booksUpdated)
        #expect(results.errors.map(\.row) == [15, 16])
        #expect(results.errors.map(\.isbn) == ["1234567890", ""])
        #expect(results.books.map(\.title) == ["The Left Hand of Darkness (SF Masterworks)", "Only a title"])
        #expect(
            written.text.hasPrefix(
                #"{"booksCreated":145,"booksUpdated":10,"duplicatesSkipped":40,"enrichmentSucceeded":140,"#
                    + #""enrichmentFailed":15,"errors":[{"row":15,"#))
    }

    @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
    func `the import view always has both arrays`(hasErrors: Bool, hasBooks: Bool) throws {
        let written = Written { out in
            var view = ImportResultsWriter(JobCounts(), into: &out)
            if hasErrors { view.error(reject, into: &out) }
            if hasBooks { view.book(BookDTO(title: "x"), into: &out) }
            view.end(timestamp: 0, into: &out)
        }
        let results = try written.decoded(as: V32.ImportResults.self)
        #expect(results.errors.isEmpty == !hasErrors)
        #expect(results.books.isEmpty == !hasBooks)
    }

    @Test func `a view of any length is written in pieces of limited size`() throws {
        let pieceLimit = 16 * 1024
        var out = JSONWriter()
        var largest = 0
        var whole = Data()
        func drainIfLong(_ out: inout JSONWriter) {
            largest = max(largest, out.bytes.count)
            if out.bytes.count >= pieceLimit { out.drain { whole.append(contentsOf: $0) } }
        }
        Envelope.beginSuccess(into: &out)
        var view = ImportResultsWriter(JobCounts(booksCreated: 5_000, rejected: 300), into: &out)
        for row in 0..<300 {
            view.error(RecordError(row: row, error: "Invalid ISBN"), into: &out)
            drainIfLong(&out)
        }
        for number in 0..<5_000 {
            view.book(BookDTO(title: "Book \(number)", authors: ["Somebody"]), into: &out)
            drainIfLong(&out)
        }
        view.end(timestamp: 0, into: &out)
        Envelope.endSuccess(ResponseMetadata(timestamp: 0), into: &out)
        out.drain { whole.append(contentsOf: $0) }

        #expect(largest < 2 * pieceLimit)
        let envelope = try JSONDecoder().decode(V32.ResponseEnvelope<V32.ImportResults>.self, from: whole)
        #expect(envelope.data?.errors.count == 300)
        #expect(envelope.data?.books.map(\.title) == (0..<5_000).map { "Book \($0)" })
    }

    @Test func `a client of either version finds its fields`() throws {
        var quality = QualityCounts()
        (quality.works, quality.worksWithCover, quality.qualityPoints) = (4, 3, 300)
        quality.notLookedUp = [.authorEnrichment]
        let written = Written { out in
            var view = ImportResultsWriter(counts, into: &out)
            view.error(reject, into: &out)
            view.book(Sample.fullBook, into: &out)
            view.book(BookDTO(title: "Only a title"), into: &out)
            view.end(timestamp: Sample.moment, quality: quality, into: &out)
        }
        #expect(
            try written.keys() == [
                "books", "booksCreated", "booksUpdated", "duplicatesSkipped", "enrichmentFailed",
                "enrichmentSucceeded", "errors", "quality", "successRate", "timestamp",
            ])
        let old = try written.decoded(as: V21.CSVResults.self)
        #expect(old.books.map(\.author) == ["Ursula K. Le Guin", ""])
        #expect(old.books.map(\.isbn) == ["9780441478125", ""])
        #expect(old.errors.count == 1 && old.successRate == "195/200" && old.timestamp == Sample.moment)
        let new = try written.decoded(as: V32.ImportResults.self)
        #expect(new.booksCreated == 145 && new.books.first?.authors == Sample.fullBook.authors)
        #expect(
            written.text.hasSuffix(
                #","quality":{"coverAvailability":0.75,"meanQuality":75,"#
                    + #""targets":{"isbnMatchRate":0.95,"coverAvailability":0.8,"meanQuality":60}}}"#),
            "\(written.text.suffix(200))")
    }

    @Test func `an empty view is complete`() {
        let written = Written { out in
            ImportResultsWriter(JobCounts(), into: &out).end(timestamp: 0, into: &out)
        }
        #expect(
            written.text
                == #"{"booksCreated":0,"booksUpdated":0,"duplicatesSkipped":0,"enrichmentSucceeded":0,"#
                + #""enrichmentFailed":0,"errors":[],"books":[],"successRate":"0/0","timestamp":0}"#)
    }

    private func jobView<Entry: JobResultsEntry>(_ entries: [Entry]) -> Written {
        Written { out in
            var view = JobResultsWriter<Entry>(into: &out)
            for entry in entries { view.entry(entry, into: &out) }
            view.error(reject, into: &out)
            view.end(into: &out)
        }
    }

    @Test func `the job view has only the array of its pipeline`() throws {
        let parsed = jobView([ParsedBook(Sample.fullBook)])
        #expect(try parsed.keys() == ["books", "errors"])
        #expect(try parsed.decoded(as: V32.JobResults.self).books?.count == 1)

        let enriched = jobView([
            EnrichedBook(work: Sample.fullWork, edition: Sample.fullEdition, authors: [Sample.fullAuthor])
        ])
        #expect(try enriched.keys() == ["enrichedBooks", "errors"])
        let entry = try enriched.decoded(as: V32.JobResults.self).enrichedBooks?.first
        #expect(entry?.work?.id == "OL82563W" && entry?.authors?.first?.key == "OL31353A")

        let detected = jobView([Sample.detectedBook])
        #expect(try detected.keys() == ["detectedBooks", "errors"])
        let results = try detected.decoded(as: V32.JobResults.self)
        #expect(results.detectedBooks?.count == 1)
        #expect(results.errors == [.init(row: 15, isbn: "1234567890", error: "Invalid ISBN")])
    }

    @Test func `the scan view is decoded by its client`() throws {
        let results = ScanResults(
            totals: ScanTotals(totalDetected: 25, approved: 20, needsReview: 5), books: [Sample.detectedBook],
            modelUsed: "gemini-2.0-flash-exp", processingTime: 8_500, timestamp: Sample.moment)
        let read = try Written(results).decoded(as: V21.ScanResults.self)
        #expect(read.totalDetected == 25 && read.approved == 20 && read.needsReview == 5)
        #expect(read.books.first?.confidence == 0.95)
        #expect(read.books.first?.boundingBox == V21.BoundingBox(x: 0, y: 1, width: 0.08, height: 0.25))
        #expect(read.books.first?.enrichment.status == "success")
        #expect(read.books.first?.enrichment.editions.first?.format == .massMarket)
        #expect(read.metadata.modelUsed == "gemini-2.0-flash-exp")
        #expect(read.metadata.timestamp == Sample.moment)
    }

    @Test func `each pipeline has a fitting view, and others are rejected`() {
        for pipeline in JobPipeline.allCases {
            #expect(ResultsView.standard(for: pipeline).fits(pipeline))
            #expect(ResultsView.job.fits(pipeline))
        }
        #expect(ResultsView.standard(for: .csvImport) == .imports)
        #expect(ResultsView.csv.fits(.csvImport) && !ResultsView.csv.fits(.aiScan))
        #expect(!ResultsView.imports.fits(.batchEnrichment) && !ResultsView.scan.fits(.csvImport))
        #expect(ResultsView.allCases.map(\.rawValue) == ["csv", "job", "scan", "import"])
        #expect(
            ResultsView.allCases.map { $0.path(jobId: "j") } == [
                "/v1/csv/results/j", "/v1/jobs/j/results", "/v1/scan/results/j", "/api/v2/imports/j/results",
            ])
        #expect(
            ResultsView.allCases.map { $0.key(jobId: "j") } == [
                "csv-results:j", "job-results:j", "scan-results:j", "import-results:j",
            ])
    }

    @Test(arguments: [(0, 0, 0.0), (0, 10, 0), (5, 10, 0.5), (12, 10, 1), (-3, 10, 0), (3, 0, 0), (3, -1, 0)])
    func `progress stays between 0 and 1`(processed: Int, total: Int, expected: Double) {
        #expect(JobProgress(processedCount: processed, totalCount: total).fraction == expected)
    }

    @Test func `a job's status is decoded by the client, and a completed job has progress 1`() throws {
        let empty = JobProgress(processedCount: 0, totalCount: 0)
        for (state, progress) in [(JobState.initialized, 0.0), (.completed, 1), (.failed, 0)] {
            let status = JobStatusDTO(jobId: "j", pipeline: .batchEnrichment, state: state, progress: empty)
            let read = try Written(status).decoded(as: V32.JobStatus.self)
            #expect(read.status == state.rawValue && read.progress == progress)
            #expect(read.pipeline == "batch_enrichment")
        }
    }
}
