import Pipeline
import System
import TestSupport
import Testing

@testable import Jobs
@testable import Services
@testable import Store

@Suite struct ImportProgressTests {
    private static func job(pending: Int = 0, _ counts: JobCounts = JobCounts()) -> Job {
        Job(
            id: 1, name: "spring", pipeline: "csv_import", library: "default", formatName: nil, mode: .update,
            status: .processing, inputs: [], options: nil, newestDate: nil, startedAt: 0, updatedAt: 0,
            endedAt: nil, totalCount: 100, checkpoint: .start, tailDigest: nil, counts: counts,
            recordsWithISBN: 0, recordsMatched: 0, busyMilliseconds: 0, failure: nil, pending: pending)
    }

    private static func committed(_ records: Int, rejects: [String: Int] = [:]) -> ImportEvent {
        .ran(
            .committed(
                end: .start, recordsRead: records, rejects: rejects.mapValues { Array(0..<$0) }))
    }

    private static func progress(after events: [ImportEvent]) -> ImportProgress {
        events.reduce(into: ImportProgress()) { $0.note($1) }
    }

    @Test func `before the job begins there is no progress`() {
        let progress = Self.progress(after: [.servicesLeftOut(["isbndb"])])
        #expect(
            progress.job == nil && progress.done == 0 && progress.rejected == 0 && progress.waiting.isEmpty)
    }

    @Test func `records that are stored and not pending are done`() {
        let progress = Self.progress(after: [
            .began(Self.job()), Self.committed(40, rejects: ["no_title_or_isbn": 2, "ragged_record": 1]),
            .pendingInBatch(10), Self.committed(40, rejects: ["no_title_or_isbn": 1]),
        ])
        #expect(progress.done == 70)
        #expect(progress.rejected == 4)
    }

    @Test func `a resumed job starts with its earlier progress`() {
        let counts = JobCounts(
            booksCreated: 50, booksUpdated: 5, duplicatesSkipped: 3, rejected: 2, enrichmentSucceeded: 0)
        let progress = Self.progress(after: [.began(Self.job(pending: 20, counts))])
        #expect(progress.done == 40)
        #expect(progress.rejected == 2)
    }

    @Test func `progress never goes back, though pending records are known before their batch is stored`() {
        var progress = Self.progress(after: [.began(Self.job()), Self.committed(10)])
        progress.note(.pendingInBatch(8))
        #expect(progress.done == 10)
        progress.note(Self.committed(8))
        #expect(progress.done == 10)
        progress.note(.finished(5))
        #expect(progress.done == 15)
        progress.note(.finished(50))
        #expect(progress.done == 18, "no more records are settled than were pending")
    }

    @Test func `in a pending pass the remaining records are those it works on`() {
        let progress = Self.progress(after: [
            .began(Self.job()), Self.committed(100), .pendingInBatch(30), .pendingPassBegan(4), .finished(1),
        ])
        #expect(progress.done == 100)
    }

    @Test func `a service is waited for until it has no open requests`() {
        func waiting(_ name: String, _ open: Int) -> ImportEvent {
            .waiting(ServiceStatus(service: name, open: open, pausedUntil: nil, secondsLeft: 1))
        }
        var progress = Self.progress(after: [waiting("wikidata", 2), waiting("isbndb", 5)])
        #expect(progress.waiting.map(\.service) == ["isbndb", "wikidata"])
        progress.note(waiting("isbndb", 0))
        #expect(progress.waiting.map(\.service) == ["wikidata"])
    }

    private static func waiting(_ name: String, calls: Int, open: Int = 9) -> ImportEvent {
        .waiting(ServiceStatus(service: name, calls: calls, open: open, pausedUntil: nil, secondsLeft: 1))
    }

    /// 300 requests of one a second, and 20 of one a second to a service that follows.
    private static let estimate = ImportEvent.estimated(
        ServiceEstimate(parts: [
            .init(service: "openlibrary", calls: 200...400, interval: 1),
            .init(service: "wikidata", calls: 10...30, interval: 1, followsOthers: true),
        ]))

    @Test func `the time left is first the forecast, without the requests that were made`() {
        var progress = Self.progress(after: [Self.estimate, .began(Self.job())])
        #expect(progress.serviceSecondsLeft(elapsed: 1) == nil, "nothing is waited for")
        progress.note(Self.waiting("openlibrary", calls: 10))
        #expect(progress.serviceSecondsLeft(elapsed: 10) == 290)
        // Slower than its rate limit allows.
        progress.note(Self.waiting("openlibrary", calls: 100))
        #expect(progress.serviceSecondsLeft(elapsed: 200) == 400)
    }

    @Test func `the more pending records are finished, the more their rate counts`() throws {
        var progress = Self.progress(after: [
            Self.estimate, .began(Self.job()), Self.committed(100), .pendingPassBegan(100),
            Self.waiting("openlibrary", calls: 100),
        ])
        #expect(progress.serviceSecondsLeft(elapsed: 100) == 200)
        progress.note(.finished(20))
        // 400 seconds at the records' rate.
        let early = try #require(progress.serviceSecondsLeft(elapsed: 100))
        #expect(abs(early - 240) < 0.001)
        progress.note(.finished(60))
        let late = try #require(progress.serviceSecondsLeft(elapsed: 100))
        #expect(abs(late - (0.2 * 200 + 0.8 * 25)) < 0.001)
    }

    @Test func `a service that follows others is asked nothing new when only it is waited for`() {
        let progress = Self.progress(after: [
            Self.estimate, .began(Self.job()), Self.waiting("openlibrary", calls: 250, open: 0),
            Self.waiting("wikidata", calls: 2),
        ])
        #expect(progress.serviceSecondsLeft(elapsed: 300) == 1, "what is queued")
    }
}
