import Foundation
import Glibc
import Pipeline
import TestSupport
import Testing

@testable import Application
@testable import Books
@testable import etl

/// `--events` while a job waits for services.
@Suite struct EventStreamTests {
    private static let job = Job(
        id: 1, name: "spring", pipeline: "csv_import", library: "default", formatName: nil, mode: .update,
        status: .processing, inputs: [], options: nil, newestDate: nil, startedAt: 0, updatedAt: 0,
        endedAt: nil, totalCount: 50, checkpoint: .start, tailDigest: nil, counts: JobCounts(),
        recordsWithISBN: 0, recordsMatched: 0, busyMilliseconds: 0, failure: nil)

    private struct Message: Decodable {
        struct Payload: Decodable {
            var type: String
            var status: String?
            var estimatedDuration: Int?
        }
        var payload: Payload
    }

    private let folder: TemporaryFolder
    private let clock = ManualClock()
    private let events: EventStream

    init() throws {
        folder = try TemporaryFolder()
        let path = folder.file("events")
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        events = EventStream(FileOutlet(descriptor: descriptor), path: path, clock: clock)
    }

    private func messages() throws -> [Message] {
        try String(decoding: Data(contentsOf: URL(filePath: folder.file("events"))), as: UTF8.self)
            .split(separator: "\n").map { try JSONDecoder().decode(Message.self, from: Data($0.utf8)) }
    }

    @Test func `a job that waits is reported at least every five seconds, with what it waits for`() throws {
        events.remind(Self.job, at: 0, waitingFor: nil)
        #expect(try messages().isEmpty, "the job has not begun")
        events.began(Self.job)
        for second in 1...60 {
            clock.block(nanoseconds: 1_000_000_000)
            events.remind(Self.job, at: 7, waitingFor: second > 30 ? "openlibrary (43 answers)" : nil)
        }
        let statuses = try messages().dropFirst().map(\.payload.status)
        #expect(statuses.count == 15)
        #expect(statuses.first == "Imported 7 of 50 records")
        #expect(statuses.last == "Imported 7 of 50 records, waiting for openlibrary (43 answers)")
    }

    @Test func `after the last message there are no reminders`() throws {
        events.began(Self.job)
        let report = RunReport(outcome: .completed, recordsCommitted: 0, stages: [], elapsed: 0)
        let survey = LibrarySurvey(files: [], recordCount: 0)
        events.ended(
            ImportOutcome(end: .completed, job: Self.job, report: report, survey: survey, milliseconds: 1),
            expiresAt: 0)
        clock.block(nanoseconds: 60_000_000_000)
        events.remind(Self.job, at: 7, waitingFor: nil)
        #expect(try messages().map(\.payload.type) == ["job_started", "job_complete"])
    }

    @Test func `the estimated duration includes the services`() throws {
        events.began(Self.job, servicesTaking: 100...400)
        #expect(try messages().first?.payload.estimatedDuration == 100 + 200_000)
    }
}
