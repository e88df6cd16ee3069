import Pipeline
import System
import TestSupport
import Testing

@testable import Contract
@testable import Formats
@testable import Jobs
@testable import Store

/// The messages about a job that waits for services.
@Suite struct ImportMessagesTests {
    private static let job = Job(
        id: 1, name: "spring", pipeline: "csv_import", library: "default", formatName: nil, mode: .update,
        status: .processing, inputs: [], options: nil, newestDate: nil, startedAt: 0, updatedAt: 0,
        endedAt: nil, totalCount: 50, checkpoint: .start, tailDigest: nil, counts: JobCounts(),
        recordsWithISBN: 0, recordsMatched: 0, busyMilliseconds: 0, failure: nil)

    private static func sentence(_ message: JobMessage) -> String? {
        if case .progress(_, let sentence, _) = message.body { sentence } else { nil }
    }

    @Test func `a job that waits is reported at least every five seconds, with what it waits for`() {
        var messages = ImportMessages()
        #expect(
            messages.reminder(Self.job, at: 0, waitingFor: nil, now: 9_000) == nil, "the job has not begun")
        _ = messages.began(Self.job, now: 0)
        let sentences = (1...60).compactMap { second in
            messages.reminder(
                Self.job, at: 7, waitingFor: second > 30 ? "openlibrary (43 answers)" : nil,
                now: Int64(second) * 1_000)
        }.map(Self.sentence)
        #expect(sentences.count == 15)
        #expect(sentences.first == "Imported 7 of 50 records")
        #expect(sentences.last == "Imported 7 of 50 records, waiting for openlibrary (43 answers)")
    }

    @Test func `a report that arrives after a later one does not turn the progress back`() {
        func count(_ message: JobMessage?) -> Int? {
            if case .progress(let progress, _, _) = message?.body { progress.processedCount } else { nil }
        }
        var messages = ImportMessages()
        _ = messages.began(Self.job, now: 0)
        #expect(count(messages.advanced(Self.job, to: 23, now: 10_000)) == 23)
        #expect(messages.advanced(Self.job, to: 17, now: 20_000) == nil)
        #expect(count(messages.reminder(Self.job, at: 17, waitingFor: nil, now: 30_000)) == 23)
        #expect(count(messages.advanced(Self.job, to: 29, now: 40_000)) == 29)
    }

    @Test func `after the last message there are no reminders`() {
        var messages = ImportMessages()
        _ = messages.began(Self.job, now: 0)
        let report = RunReport(outcome: .completed, recordsCommitted: 0, stages: [], elapsed: 0)
        let survey = LibrarySurvey(files: [], recordCount: 0)
        let outcome = ImportOutcome(
            end: .completed, job: Self.job, report: report, survey: survey, milliseconds: 1)
        #expect(messages.ended(outcome, expiresAt: 0, now: 1_000).body.type == .jobComplete)
        #expect(messages.reminder(Self.job, at: 7, waitingFor: nil, now: 90_000) == nil)
    }

    private static func outcome(_ end: ImportOutcome.End) -> ImportOutcome {
        let report = RunReport(outcome: .completed, recordsCommitted: 0, stages: [], elapsed: 0)
        let survey = LibrarySurvey(files: [], recordCount: 0)
        return ImportOutcome(end: end, job: job, report: report, survey: survey, milliseconds: 1)
    }

    @Test func `a job that can go on ends without an end, and says when`() {
        var messages = ImportMessages()
        _ = messages.began(Self.job, now: 0)
        let pause = JobPause(services: ["google-books"], resumeAt: 1_700_000_000_000)
        let paused = messages.ended(Self.outcome(.paused(pause)), expiresAt: 0, now: 1_000)
        #expect(
            paused.body
                == .paused(
                    JobProgress(processedCount: 0, totalCount: 50),
                    sentence: "Imported 0 of 50 records, waiting for google-books",
                    resumeAt: 1_700_000_000_000))
        #expect(paused.body.type == .jobProgress)
        let stopped = messages.ended(Self.outcome(.stopped), expiresAt: 0, now: 1_000)
        #expect(
            stopped.body
                == .paused(
                    JobProgress(processedCount: 0, totalCount: 50),
                    sentence: "Imported 0 of 50 records, stopped; it can be resumed", resumeAt: nil))
        #expect(messages.ended(Self.outcome(.canceled), expiresAt: 0, now: 1).body.type == .error)
    }

    @Test func `an import that cannot begin is an error with the line`() {
        let position = Position(file: 0, byte: 90, line: 7, record: 6)
        let failure = ETLError(.unusableInput, "Not text.", position: position)
        let message = ImportMessages.refused("spring", .csvImport, failure, now: 5)
        #expect(message.jobId == "spring" && message.timestamp == 5)
        #expect(
            message.body
                == .failed(
                    JobFailure(.csvProcessingFailed, "Not text.", lineNumber: 7, isRetryable: false)))
    }

    @Test(arguments: [
        (ETLError.Kind.missing, false), (.unusableInput, false), (.permission, false),
        (.configuration, false),
        (.inputOutput, true), (.temporary, true), (.unavailable, true), (.bug, true),
    ])
    func `only what may succeed later is retryable`(_ kind: ETLError.Kind, _ isRetryable: Bool) {
        let message = ImportMessages.refused("spring", .csvImport, ETLError(kind, "No."), now: 5)
        guard case .failed(let failure) = message.body else {
            Issue.record("\(message.body)")
            return
        }
        #expect(failure.isRetryable == isRetryable)
    }

    @Test func `the estimated duration includes the services`() {
        var messages = ImportMessages()
        let message = messages.began(Self.job, servicesTaking: 100...400, now: 0).first
        #expect(message?.body == .started(totalItems: 50, estimatedDuration: 100 + 200_000))
    }

    @Test func `a job tells its progress from its beginning`() {
        var messages = ImportMessages()
        let first = messages.began(Self.job, reading: "library.csv", now: 0).map(\.body)
        #expect(first.count == 2)
        #expect(
            first.last
                == .progress(
                    JobProgress(processedCount: 0, totalCount: 50), sentence: "Imported 0 of 50 records",
                    currentItem: "library.csv"))
        var goesOn = Self.job
        goesOn.counts.booksCreated = 20
        #expect(Self.sentence(messages.began(goesOn, now: 0)[1]) == "Imported 20 of 50 records")
    }
}
