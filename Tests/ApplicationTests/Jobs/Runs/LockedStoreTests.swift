import System
import TestSupport
import Testing

@testable import Jobs
@testable import Store

/// Runs whose store is locked by another program.
@Suite struct LockedStoreTests {
    private let lock = HeldLock()
    private let stop = StopSignal()
    private let explicit = Guarded<[String]>([])

    /// Stops the run as soon as it reports a wait.
    private var stopping: @Sendable (ImportEvent) -> Void {
        { [stop, explicit] event in
            guard case .locked(let path) = event else { return }
            explicit.withLock { $0.append(path) }
            stop.raise()
        }
    }

    @Test func `a run that waits between commits reports it, can be stopped and is resumed`()
        async throws
    {
        var sample = try await SampleImport()
        (sample.batchRecords, sample.batchesPerCommit) = (4, 1)
        try await sample.run("whole.sqlite")
        let store = sample.folder.file("s.sqlite")
        let outcome = try await sample.run(
            "s.sqlite", stop: stop,
            observingCommits: { [lock] in if $0 == .afterCommit(batch: 1) { lock.take(store) } },
            observing: stopping)
        #expect(outcome.end == .stopped)
        #expect(outcome.job.counts.totalProcessed == 8 && outcome.job.status == .failed)
        #expect(explicit.withLock { $0 } == [store])
        lock.release()
        let job = try JobTable(StoreFile.openForReading(store)).last()
        #expect(job?.counts.totalProcessed == 8 && job?.isUnfinished == true)
        #expect(try await sample.run("s.sqlite").end == .completed)
        #expect(try sample.dump("s.sqlite") == sample.dump("whole.sqlite"))
    }

    @Test func `a run that waits before its job begins can be stopped`() async throws {
        let sample = try await SampleImport()
        try await sample.run("s.sqlite")
        let store = sample.folder.file("s.sqlite")
        #expect(lock.take(store))
        let refusal = await #expect(throws: ETLError.self) {
            try await sample.run("s.sqlite", stop: stop, observing: stopping)
        }
        #expect(refusal?.kind == .temporary)
        #expect(explicit.withLock { $0 } == [store])
    }

    @Test func `a store that stays locked is given up after ten minutes`() async throws {
        let sample = try await SampleImport()
        try await sample.run("s.sqlite")
        let store = sample.folder.file("s.sqlite")
        #expect(lock.take(store))
        let clock = ManualClock()
        let request = try sample.request(store: store)
        let refusal = await #expect(throws: ETLError.self) {
            try await ImportJob(request, clock: clock).run()
        }
        #expect(refusal?.kind == .temporary)
        #expect(clock.nanoseconds() == 600_000_000_000)
    }
}
