import Contract
import Foundation
import Store
import Testing

@Suite struct JobSummaryTests {
    private func summary(_ quality: QualityCounts) -> JobSummary {
        JobSummary(
            jobId: "j1", pipeline: .csvImport, state: .completed,
            counts: JobCounts(
                booksCreated: 3, booksUpdated: 2, duplicatesSkipped: 1, rejected: 4, enrichmentSucceeded: 4),
            duration: 2_341, expiresAt: Sample.moment, quality: quality,
            stages: [
                StageMetrics(
                    name: "read", recordsIn: 0, recordsOut: 10, busyMs: 5, blockedOnInputMs: 0,
                    blockedOnOutputMs: 7)
            ],
            peakMemoryBytes: 64 << 20)
    }

    private struct Read: Decodable {
        let jobId, pipeline, status: String
        let totalProcessed, successCount, failureCount, booksCreated, booksUpdated, duplicatesSkipped: Int
        let enrichmentSucceeded, enrichmentFailed, duration: Int
        let resourceId, expiresAt: String
        let quality: [String: Double]
        let stages: [Stage]
        let peakMemoryBytes: Int64

        struct Stage: Decodable, Equatable {
            let name: String
            let `in`, out, busyMs, blockedOnInputMs, blockedOnOutputMs: Int
        }
    }

    /// The closing summary of `docs/contract.md`.
    @Test func `the summary has every documented key`() throws {
        let written = Written(summary(QualityCounts()))
        let keys = [
            "jobId", "pipeline", "status", "totalProcessed", "successCount", "failureCount", "booksCreated",
            "booksUpdated", "duplicatesSkipped", "enrichmentSucceeded", "enrichmentFailed", "duration",
            "resourceId", "expiresAt", "rejectedByReason", "repairedByRule", "warnings", "pending", "decided",
            "quality", "notLookedUp", "stages", "services", "peakMemoryBytes",
        ]
        #expect(try written.keys() == keys.sorted())
        let read = try written.decoded(as: Read.self)
        #expect(read.status == "completed" && read.pipeline == "csv_import")
        #expect(read.totalProcessed == 10 && read.successCount == 6 && read.failureCount == 4)
        #expect(read.enrichmentSucceeded == 4 && read.enrichmentFailed == 1)
        #expect(read.resourceId == "job-results:j1" && read.expiresAt == "2025-11-15T20:00:00Z")
        #expect(
            read.stages == [
                .init(name: "read", in: 0, out: 10, busyMs: 5, blockedOnInputMs: 0, blockedOnOutputMs: 7)
            ])
        #expect(read.peakMemoryBytes == 67_108_864)
    }

    @Test func `a service that answered has its number of calls and their duration`() throws {
        struct Read: Decodable {
            struct Service: Decodable, Equatable {
                let name: String
                let calls, hits, found, notFound, unanswered, throttled: Int
                let p50Ms, p95Ms, p99Ms: Double?
            }
            let services: [Service]
            let pending, decided: Int
        }
        var asked = summary(QualityCounts())
        (asked.pending, asked.decided) = (3, 2)
        asked.services = [
            ServiceCalls(
                name: "openlibrary", calls: 9, hits: 8, found: 7, notFound: 6, unanswered: 5, throttled: 4,
                p50: 1.5, p95: 20, p99: 300),
            ServiceCalls(
                name: "wikidata", calls: 1, hits: 0, found: 0, notFound: 0, unanswered: 1, throttled: 0),
        ]
        let read = try Written(asked).decoded(as: Read.self)
        #expect(read.pending == 3 && read.decided == 2)
        #expect(
            read.services == [
                .init(
                    name: "openlibrary", calls: 9, hits: 8, found: 7, notFound: 6, unanswered: 5,
                    throttled: 4, p50Ms: 1.5, p95Ms: 20, p99Ms: 300),
                .init(
                    name: "wikidata", calls: 1, hits: 0, found: 0, notFound: 0, unanswered: 1, throttled: 0,
                    p50Ms: nil, p95Ms: nil, p99Ms: nil),
            ])
    }

    @Test func `metrics without data are left out`() throws {
        #expect(try Written(summary(QualityCounts())).decoded(as: Read.self).quality.isEmpty)
        var counts = QualityCounts()
        counts.authors = 4
        counts.authorsEnriched = 3
        #expect(try Written(summary(counts)).decoded(as: Read.self).quality == ["authorEnrichment": 0.75])
    }

    @Test func `metrics are rates, and the mean quality is in points`() throws {
        var counts = QualityCounts()
        counts.recordsWithISBN = 200
        counts.recordsMatched = 195
        counts.works = 4
        counts.worksWithCover = 4
        counts.qualityPoints = 270
        counts.authors = 3
        let quality = try Written(summary(counts)).decoded(as: Read.self).quality
        #expect(
            quality == [
                "isbnMatchRate": 0.975, "coverAvailability": 1, "authorEnrichment": 0, "meanQuality": 67.5,
            ])
    }

    @Test func `counts of batches add up`() {
        var one = QualityCounts()
        one.recordsWithISBN = 1
        one.recordsMatched = 1
        one.works = 1
        one.worksWithCover = 1
        one.qualityPoints = 50
        one.authors = 2
        one.authorsEnriched = 1
        var sum = QualityCounts()
        for _ in 0..<4 { sum += one }
        for target in QualityTarget.allCases { #expect(sum[target] == one[target]) }
        #expect(sum.authors == 8)
    }

    /// Each target is "more than".
    @Test(arguments: [
        (QualityTarget.isbnMatchRate, 0.95), (.coverAvailability, 0.80), (.authorEnrichment, 0.70),
        (.meanQuality, 60),
    ])
    func `a target is met above its threshold, not at it`(target: QualityTarget, threshold: Double) {
        #expect(!target.isMet(by: threshold))
        #expect(target.isMet(by: threshold.nextUp))
        #expect(target.threshold == threshold)
    }
}
