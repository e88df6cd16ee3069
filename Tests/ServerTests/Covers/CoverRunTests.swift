import Contract
import Testing

@testable import Server

/// When covers are fetched.
@Suite struct CoverRunTests {
    private static func counts(unanswered: Int = 0) -> CoverCounts {
        var counts = CoverCounts()
        (counts.editions, counts.saved, counts.unanswered) = (3, 3 - unanswered, unanswered)
        return counts
    }

    /// A run that began for version 1 at time 0 and ended.
    private static func ended(_ counts: CoverCounts?, at now: UInt64) -> CoverRun {
        var run = begun(1, CoverRun(), at: 0)
        run.end(counts, failure: counts == nil ? "It failed." : "", at: 5, now: now)
        return run
    }

    /// A run that begins.
    private static func begun(_ version: UInt64, _ run: CoverRun, at now: UInt64) -> CoverRun {
        var run = run
        let begins = run.begin(version, now: now)
        #expect(begins && run.isRunning)
        return run
    }

    private static func begins(_ version: UInt64, _ run: CoverRun, at now: UInt64) -> Bool {
        var run = run
        return run.begin(version, now: now)
    }

    @Test func `one run at a time`() {
        var run = Self.begun(1, CoverRun(), at: 0)
        #expect(!Self.begins(2, run, at: .max))
        run.note(done: 2, total: 3)
        #expect(run.progress == (2, 3))
    }

    @Test func `a run follows each change of the store, after a pause as long as the run before`() {
        for (length, pause) in [(1, CoverRun.pause), (3 * CoverRun.pause, 3 * CoverRun.pause)] {
            let run = Self.ended(Self.counts(), at: length)
            #expect(run.counts?.saved == 3 && run.endedAt == 5 && !run.isRunning)
            #expect(!Self.begins(1, run, at: .max), "nothing has changed")
            #expect(!Self.begins(2, run, at: length + pause - 1))
            #expect(Self.begins(2, run, at: length + pause))
        }
    }

    @Test(arguments: [counts(unanswered: 1), nil])
    func `what was not answered is asked again after an hour, or after a change`(counts: CoverCounts?) {
        let run = Self.ended(counts, at: 1)
        #expect(run.failure.isEmpty == (counts != nil))
        #expect(!Self.begins(1, run, at: CoverRun.retryPause))
        #expect(Self.begins(1, run, at: 1 + CoverRun.retryPause))
        #expect(Self.begins(2, run, at: 1 + CoverRun.pause))
    }

    @Test func `a failure keeps what the run before has found`() {
        var run = Self.begun(2, Self.ended(Self.counts(), at: 1), at: .max / 2)
        run.end(nil, failure: "It failed.", at: 9, now: .max / 2)
        #expect(run.counts?.saved == 3 && run.failure == "It failed." && run.endedAt == 9)
    }
}
