import FakeServices
import Pipeline
import TestSupport
import Testing

@testable import Jobs
@testable import Services
@testable import Store
@testable import System

/// Cancel requests in every phase of an import, and the result of a later run of the job.
@Suite struct CanceledPhasesTests {
    enum Phase: CaseIterable {
        case began, committed, pendingPass, finishing

        func isReached(by event: ImportEvent) -> Bool {
            switch (self, event) {
            case (.began, .began), (.committed, .ran(.committed)), (.pendingPass, .pendingPassBegan),
                (.finishing, .finished):
                true
            default: false
            }
        }
    }

    @Test(arguments: Phase.allCases)
    func `a job canceled in any phase ends before its services have answered, and can be finished`(
        phase: Phase
    ) async throws {
        let services = FakeServices()
        let server = try FakeServer { services.answer($0) }
        defer { server.stop() }
        let library = try NetworkImport(records: 100, named: true)
        _ = try await library.run("whole.sqlite", library.settings(server))

        // At this rate, Open Library needs a minute.
        var slow = library.settings(
            server, limits: ServiceLimits(rate: .init(perSecond: 4, burst: 4), concurrency: 4))
        slow.firstWaitPolicy = .timeout(0)
        let (isRequested, answers) = (Guarded(false), Guarded<[JobCancellation.Answer]>([]))
        let store = library.folder.file("s.sqlite")
        let job = ImportJob(
            try library.request("s.sqlite", slow), clock: SystemClock(),
            observing: { event in
                // Several batches may end at the same time.
                guard phase.isReached(by: event),
                    isRequested.withLock({ isRequested in
                        defer { isRequested = true }
                        return !isRequested
                    }),
                    let answer = try? JobCancellation.request("job", in: store)
                else { return }
                answers.withLock { $0.append(answer) }
            })
        let outcome = try await job.run()
        #expect(answers.withLock { $0 } == [.requested])
        #expect(outcome.end == .canceled && outcome.job.status == .canceled)
        #expect(outcome.job.pending > 0 || outcome.job.counts.totalProcessed < 100)

        let finished = try await library.run("s.sqlite", library.settings(server), again: true)
        #expect(finished.end == .completed && finished.job.pending == 0)
        #expect(try library.dump("s.sqlite") == library.dump("whole.sqlite"))
    }

    // MARK: While a continued job looks through its files

    /// A job that was stopped after its first batches, and the request that continues it.
    private func stoppedJob() async throws -> (sample: SampleImport, request: ImportRequest) {
        var sample = try await SampleImport()
        sample.batchRecords = 2
        let stop = StopSignal()
        var request = try sample.request(store: sample.folder.file("s.sqlite"))
        request.jobName = "job"
        let first = ImportJob(
            request, clock: ManualClock(), stop: stop,
            observing: { if case .ran(.committed) = $0 { stop.raise() } })
        #expect(try await first.run().end == .stopped)
        return (sample, request)
    }

    @Test func `a job that goes on can be canceled while its files are looked through`() async throws {
        let (sample, request) = try await stoppedJob()
        let answers = Guarded<[JobCancellation.Answer]>([])
        func run() async throws -> ImportOutcome {
            try await ImportJob(
                request, clock: ManualClock(),
                observing: { event in
                    guard case .surveyed = event,
                        let answer = try? JobCancellation.request("job", in: request.storePath)
                    else { return }
                    answers.withLock { $0.append(answer) }
                }
            ).run()
        }
        #expect(try await run().end == .canceled)
        // The job is canceled now, and still runs again.
        #expect(try await run().end == .canceled)
        #expect(answers.withLock { $0 } == [.requested, .requested])
        #expect(try await ImportJob(request, clock: ManualClock()).run().end == .completed)
        try await sample.run("whole.sqlite")
        #expect(try sample.dump("s.sqlite") == sample.dump("whole.sqlite"))
    }

    @Test func `a cancel request ends the look through the files`() async throws {
        let (sample, request) = try await stoppedJob()
        defer { withExtendedLifetime(sample) {} }
        let job = ImportJob(request, clock: ManualClock()).files
        let stored = try #require(try ImportJob.jobToContinue(request))
        let lock = try job.lock(for: stored)
        #expect(try JobCancellation.request("job", in: request.storePath) == .requested)
        await #expect(throws: ETLError.self) {
            // The request is looked for beside the survey, which may be over first.
            for _ in 0..<10_000 { _ = try await job.survey(request, resuming: stored, holding: lock) }
        }
    }
}
