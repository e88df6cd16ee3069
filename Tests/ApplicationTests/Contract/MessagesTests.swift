import Contract
import Foundation
import Store
import Testing

@testable import TestSupport

@Suite struct MessagesTests {
    private func message(
        _ body: JobMessage.Body, jobId: String = "j1", pipeline: JobPipeline = .csvImport
    ) -> Written {
        Written(JobMessage(jobId: jobId, pipeline: pipeline, timestamp: Sample.moment, body))
    }

    @Test func `every message has the common envelope and repeats its type`() throws {
        let progress = JobProgress(processedCount: 1, totalCount: 2)
        let bodies: [JobMessage.Body] = [
            .started(totalItems: 2, estimatedDuration: 100),
            .progress(progress, sentence: "Looking up", currentItem: "Emma"),
            .complete(JobCompletion(counts: JobCounts(), duration: 1, expiresAt: 0)),
            .failed(JobFailure(.internalError, "x")), .readyAck,
            .reconnected(progress, .processing, lastUpdate: 0, sentence: "x"), .ping, .pong,
        ]
        for body in bodies {
            let written = message(body)
            #expect(
                try written.keys().filter { $0 != "payload" } == [
                    "jobId", "pipeline", "timestamp", "type", "version",
                ])
            let read = try written.decoded(as: V21.Message<V21.TypeOnly>.self)
            #expect(read.type.rawValue == body.type.rawValue)
            #expect(read.payload.type == read.type)
            #expect(read.jobId == "j1" && read.pipeline == .csvImport && read.version == "1.0.0")
            #expect(read.timestamp == Sample.moment)
        }
    }

    @Test func `start, progress and failure are decoded by the client`() throws {
        let started = try message(.started(totalItems: 10, estimatedDuration: 30_000))
            .decoded(as: V21.Message<V21.Started>.self).payload
        #expect(started.totalItems == 10 && started.estimatedDuration == 30_000)

        let progress = JobProgress(processedCount: 5, totalCount: 10)
        let explicit = try message(
            .progress(progress, sentence: "Processing image 5 of 10", currentItem: "IMG_1234.jpg")
        )
        .decoded(as: V21.Message<V21.Progress>.self).payload
        #expect(explicit.progress == 0.5 && explicit.processedCount == 5)
        #expect(explicit.status == "Processing image 5 of 10" && explicit.currentItem == "IMG_1234.jpg")

        let failed = try message(
            .failed(JobFailure(.csvProcessingFailed, "Missing title column", lineNumber: 42))
        )
        .decoded(as: V21.Message<V21.Failed>.self).payload
        #expect(
            failed.code == "E_CSV_PROCESSING_FAILED" && failed.retryable && failed.details.lineNumber == 42)
        let bare = try message(.failed(JobFailure(.invalidRequest, "x"))).decoded(
            as: V21.Message<V21.Failed>.self)
        #expect(bare.payload.details.lineNumber == nil && !bare.payload.retryable)
    }

    @Test func `handshake and reconnection are decoded by the client`() throws {
        let ack = try message(.readyAck).decoded(as: V21.Message<V21.ReadyAck>.self).payload
        #expect(ack.timestamp == Sample.moment)
        let body = JobMessage.Body.reconnected(
            JobProgress(processedCount: 65, totalCount: 100), .processing, lastUpdate: 1_700_004_950_000,
            sentence: "Reconnected, going on")
        let read = try message(body).decoded(as: V21.Message<V21.Reconnected>.self).payload
        #expect(read.progress == 0.65 && read.status == "processing" && read.totalCount == 100)
        #expect(read.lastUpdate == 1_700_004_950_000 && read.message == "Reconnected, going on")
        // A server that was started again does not know the counts of a job that ended before.
        let over = JobMessage.Body.reconnected(
            JobProgress(processedCount: 0, totalCount: 0), .completed, lastUpdate: 1, sentence: "Over")
        #expect(try message(over).decoded(as: V21.Message<V21.Reconnected>.self).payload.progress == 1)
    }

    @Test func `completion is a summary with a reference to the results`() throws {
        let counts = JobCounts(booksCreated: 195, rejected: 5, enrichmentSucceeded: 190)
        let completion = JobCompletion(counts: counts, duration: 2_341, expiresAt: Sample.moment + 999)
        let payload = try message(.complete(completion), jobId: "uuid-1")
            .decoded(as: V21.Message<V32.CompletePayload<V32.JobCompletionSummary>>.self).payload
        #expect(payload.type == "job_complete" && payload.pipeline == "csv_import")
        #expect(
            payload.summary
                == V32.JobCompletionSummary(
                    totalProcessed: 200, successCount: 195, failureCount: 5, duration: 2_341,
                    resourceId: "job-results:uuid-1"))
        #expect(payload.expiresAt == "2025-11-15T20:00:00Z")
        #expect(payload.resultsUrl == "/api/v2/imports/uuid-1/results")
    }

    @Test func `the completion of a scan has its totals`() throws {
        let scan = ScanTotals(totalDetected: 50, approved: 45, needsReview: 5)
        let completion = JobCompletion(counts: JobCounts(), duration: 0, expiresAt: 0, scan: scan)
        let payload = try message(.complete(completion), pipeline: .aiScan)
            .decoded(as: V21.Message<V32.CompletePayload<V32.AIScanSummary>>.self).payload
        #expect(payload.summary.totalDetected == 50)
        #expect(payload.summary.approved == 45 && payload.summary.needsReview == 5)
        #expect(payload.resultsUrl == "/v1/scan/results/j1")
    }

    @Test(arguments: JobPipeline.allCases)
    func `completion stays under one kilobyte with the longest job id and the largest numbers`(
        pipeline: JobPipeline
    ) {
        let quarter = Int.max / 4
        let counts = JobCounts(
            booksCreated: quarter, booksUpdated: quarter, duplicatesSkipped: quarter, rejected: quarter)
        let completion = JobCompletion(
            counts: counts, duration: .max, expiresAt: .max, pending: .max, quality: Self.awkwardQuality,
            scan: ScanTotals(totalDetected: .max, approved: .max, needsReview: .max))
        let written = Written(
            JobMessage(jobId: Sample.longestJobId, pipeline: pipeline, timestamp: .max, .complete(completion))
        )
        #expect(written.bytes.count < 1_024)
        #expect(!written.text.contains("["))
    }

    /// Figures with as many digits as there can be.
    private static let awkwardQuality: QualityCounts = {
        var quality = QualityCounts()
        (quality.recordsWithISBN, quality.recordsMatched) = (3_000_003, 1)
        (quality.works, quality.worksWithCover, quality.qualityPoints) = (3_000_007, 1, 200_000_011)
        (quality.authors, quality.authorsEnriched) = (3_000_017, 1)
        return quality
    }()

    @Test func `a batch of photos is reported photo by photo`() throws {
        func batch<Content: Decodable>(_ body: BatchMessage.Body, as: Content.Type) throws -> Content {
            let written = Written(BatchMessage(jobId: "b1", timestamp: Sample.moment, body))
            let read = try written.decoded(as: V21.BatchMessage<Content>.self)
            #expect(read.type.rawValue == body.type.rawValue && read.jobId == "b1")
            #expect(try written.decoded(as: V21.BatchMessage<V21.TypeOnly>.self).data.type == read.type)
            return read.data
        }
        let start = try batch(.initialized(totalPhotos: 3), as: V21.BatchInit.self)
        #expect(start.totalPhotos == 3 && start.status == "processing")

        let photos = [
            BatchPhoto(.complete, booksFound: 13),
            BatchPhoto(.error, booksFound: 4, error: "Invalid image format"),
            BatchPhoto(.queued),
        ]
        let progress = try batch(.progress(current: 1, photos: photos), as: V21.BatchProgress.self)
        #expect(progress.currentPhoto == 1 && progress.totalPhotos == 3)
        #expect(progress.photoStatus == "error" && progress.booksFound == 0 && progress.totalBooksFound == 13)
        #expect(
            progress.photos == [
                .init(index: 0, status: "complete", booksFound: 13, error: nil),
                .init(index: 1, status: "error", booksFound: 0, error: "Invalid image format"),
                .init(index: 2, status: "queued", booksFound: 0, error: nil),
            ])

        let end = try batch(
            .complete(photos: photos, books: [Sample.detectedBook]), as: V21.BatchComplete.self)
        #expect(end.totalBooks == 1 && end.books.first?.isbn == "9780743273565")
        #expect(end.photoResults.map(\.status) == ["success", "error", "error"])
        #expect(try batch(.canceling, as: V21.TypeOnly.self).type == .batchCanceling)
    }

    @Test func `a batch without photos or past its last photo is reported without a failure`() throws {
        let written = Written(BatchMessage(jobId: "b", timestamp: 0, .progress(current: 7, photos: [])))
        let progress = try written.decoded(as: V21.BatchMessage<V21.BatchProgress>.self).data
        #expect(progress.photoStatus == "queued" && progress.totalPhotos == 0)
    }
}
