import Testing

@testable import Pipeline
@testable import System

/// After this a test counts as hanging. All tests start together, so the time includes that of all others.
private let hangLimit = TimeLimitTrait.Duration.minutes(60)

/// Treatment of a batch that waits for its next attempt when the run must end.
@Suite struct GivingUpTests {
    /// A clock whose pauses last until they are cancelled, which only the end of the run does.
    private struct EndlessPauses: RunClock {
        func nanoseconds() -> UInt64 { 0 }
        func epochMilliseconds() -> Int64 { 0 }
        func sleep(nanoseconds: UInt64) async { await StopSignal().wait() }
    }

    /// Fails with a transient error for the batch that begins with a given number, until `isBack` is set.
    private struct FailsTransiently: Stage {
        let number: Int
        let isBack: Guarded<Bool>
        var retriesTransientFailures: Bool { true }

        func process(_ batch: consuming Batch<NumberBatch>) async throws(ETLError) -> Batch<NumberBatch> {
            if batch.payload.values.first == number, !isBack.withLock({ $0 }) {
                throw ETLError(.transient, "Ask again in a minute.")
            }
            return batch
        }
    }

    /// A defective stage that loses one batch by changing its sequence number.
    private struct Renumbers: Stage {
        func process(_ batch: consuming Batch<NumberBatch>) async throws(ETLError) -> Batch<NumberBatch> {
            guard batch.sequence == 3 else { return batch }
            return Batch(
                sequence: 1_000, end: batch.end, recordsRead: batch.recordsRead, payload: batch.payload,
                rejects: batch.rejects)
        }
    }

    private func flow(_ source: CountingSource, _ stage: some Stage, _ sink: NumberSink, workers: Int) -> Flow
    {
        Flow(
            sourceName: "CountUp", source: source,
            stages: [.init(name: "Ask", stage: stage, workers: workers)], sinkName: "Collect", sink: sink,
            window: 4)
    }

    @Test(.timeLimit(hangLimit), arguments: [1, 2, 8])
    func `a stop during a long pause ends the run, and the next run continues`(workers: Int) async {
        let sink = NumberSink()
        let stop = StopSignal()
        let isBack = Guarded(false)
        let source = CountingSource(total: 1_000, perBatch: 10)
        let flow = flow(source, FailsTransiently(number: 50, isBack: isBack), sink, workers: workers)
        let report = await Runner(flow, clock: EndlessPauses()).run(stop: stop) { event in
            if case .retrying = event { stop.raise() }
        }
        #expect(report.outcome == .stopped)
        let checkpoint = sink.kept.withLock { $0.checkpoint }
        #expect(checkpoint.byte <= 50)
        #expect(sink.kept.withLock { $0.values } == Array(0..<Int(checkpoint.byte)))

        isBack.withLock { $0 = true }
        let rest = await Runner(flow, clock: EndlessPauses()).run(from: checkpoint)
        #expect(rest.outcome == .completed)
        #expect(sink.kept.withLock { $0.values } == Array(0..<1_000))
    }

    @Test(.timeLimit(hangLimit))
    func `a stop while the last batch waits leaves the run stopped`() async {
        let sink = NumberSink()
        let stop = StopSignal()
        let flow = flow(
            CountingSource(total: 20, perBatch: 10), FailsTransiently(number: 10, isBack: Guarded(false)),
            sink,
            workers: 1)
        let report = await Runner(flow, clock: EndlessPauses()).run(stop: stop) { event in
            if case .retrying = event { stop.raise() }
        }
        #expect(report.outcome == .stopped)
        #expect(!sink.kept.withLock { $0.isFinished })
        #expect(sink.kept.withLock { $0.values } == Array(0..<10))
    }

    @Test(.timeLimit(hangLimit))
    func `a stop while the sink waits commits nothing more`() async {
        let sink = NumberSink(failsAtWrite: 3, failure: ETLError(.transient, "Locked."))
        let stop = StopSignal()
        let flow = flow(
            CountingSource(total: 1_000, perBatch: 10), FailsTransiently(number: -1, isBack: Guarded(true)),
            sink,
            workers: 2)
        let report = await Runner(flow, clock: EndlessPauses()).run(stop: stop) { event in
            if case .retrying = event { stop.raise() }
        }
        #expect(report.outcome == .stopped)
        #expect(sink.kept.withLock { $0.values } == Array(0..<20))
    }

    @Test(.timeLimit(hangLimit))
    func `a failure elsewhere ends a long pause`() async {
        let flow = flow(
            CountingSource(total: 1_000, perBatch: 10, failsAt: 30),
            FailsTransiently(number: 0, isBack: Guarded(false)), NumberSink(), workers: 1)
        let report = await Runner(flow, clock: EndlessPauses()).run()
        #expect(report.outcome == .failed(ETLError(.inputOutput, "The file ends too soon.")))
    }

    @Test func `a batch that never arrives fails the run`() async {
        let sink = NumberSink()
        let report = await Runner(
            flow(CountingSource(total: 60, perBatch: 10), Renumbers(), sink, workers: 2),
            clock: EndlessPauses()
        ).run()
        guard case .failed(let failure) = report.outcome else {
            Issue.record("it ended \(report.outcome)")
            return
        }
        #expect(failure.kind == .bug)
        #expect(sink.kept.withLock { $0.values } == Array(0..<30))
        #expect(!sink.kept.withLock { $0.isFinished })
    }
}
