import Pipeline
import TestSupport
import Testing

@testable import Stages

@Suite struct JobCancellationTests {
    @Test func `a job at work stops after what is in hand, and can be taken up again`() async throws {
        var sample = try await SampleImport()
        sample.batchRecords = 2
        try await sample.run("whole.sqlite")
        let store = sample.folder.file("s.sqlite")
        let answers = Guarded<[JobCancellation.Answer]>([])
        let name = Guarded<String?>(nil)
        let outcome = try await sample.run(
            "s.sqlite",
            observing: { event in
                if case .began(let job) = event { name.withLock { $0 = job.name } }
                guard case .ran(.committed) = event, answers.withLock({ $0.isEmpty }),
                    let job = name.withLock({ $0 }), let answer = try? JobCancellation.request(job, in: store)
                else { return }
                answers.withLock { $0.append(answer) }
            })
        #expect(answers.withLock { $0 } == [.requested])
        #expect(outcome.end == .canceled)
        #expect(outcome.job.status == .canceled)
        #expect(outcome.job.counts.totalProcessed < 135)
        // What was asked of the first run is not asked of the second.
        var order = try sample.order(store: store)
        order.jobName = outcome.job.name
        #expect(try await ImportJob(order, clock: ManualClock()).run().end == .completed)
        #expect(try sample.dump("s.sqlite") == sample.dump("whole.sqlite"))
    }

    @Test func `a request for another job stops nobody`() throws {
        let folder = try TemporaryFolder()
        let lock = try StoreLock(store: folder.file("s.sqlite"))
        #expect(!lock.isStopRequested(of: "mine"))
        try StoreLock.requestStop(of: "mine too", store: folder.file("s.sqlite"))
        #expect(!lock.isStopRequested(of: "mine"))
        try StoreLock.requestStop(of: "mine", store: folder.file("s.sqlite"))
        #expect(lock.isStopRequested(of: "mine"))
        lock.forgetEarlierRun()
        #expect(!lock.isStopRequested(of: "mine"))
    }
}
