import Testing

@testable import Pipeline

/// What a run does with a batch that is between two attempts when the run is to end.
@Suite struct GivingUpTests {
    /// A clock whose pauses last until they are cancelled: only the end of the run can end them.
    private struct EndlessPauses: RunClock {
        func nanoseconds() -> UInt64 { 0 }
        func epochMilliseconds() -> Int64 { 0 }
        func sleep(nanoseconds: UInt64) async { await StopSignal().wait() }
    }

    /// Answers "not now" for the batch that begins with a number, for ever or until told.
    private struct AnswersNotNow: Stage {
        let number: Int
        let isBack: Guarded<Bool>
        var retriesTransientFailures: Bool { true }

        func process(_ batch: consuming Batch<NumberBatch>) async throws(StageFailure) -> Batch<NumberBatch> {
            if batch.payload.values.first == number, !isBack.withLock({ $0 }) {
                throw StageFailure(.transient, "Ask again in a minute.")
            }
            return batch
        }
    }

    /// Loses the batch with a number: a stage that is wrong.
    private struct Renumbers: Stage {
        func process(_ batch: consuming Batch<NumberBatch>) async throws(StageFailure) -> Batch<NumberBatch> {
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
            steps: [.init(name: "Ask", stage: stage, workers: workers)], sinkName: "Collect", sink: sink,
            window: 4)
    }

    @Test(.timeLimit(.minutes(10)), arguments: [1, 2, 8])
    func `a stop in a long pause ends the run and the next one goes on`(workers: Int) async {
        let sink = NumberSink()
        let stop = StopSignal()
        let isBack = Guarded(false)
        let source = CountingSource(total: 1_000, perBatch: 10)
        let flow = flow(source, AnswersNotNow(number: 50, isBack: isBack), sink, workers: workers)
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

    @Test(.timeLimit(.minutes(10)))
    func `a stop while the last batch waits leaves the run stopped`() async {
        let sink = NumberSink()
        let stop = StopSignal()
        let flow = flow(
            CountingSource(total: 20, perBatch: 10), AnswersNotNow(number: 10, isBack: Guarded(false)), sink,
            workers: 1)
        let report = await Runner(flow, clock: EndlessPauses()).run(stop: stop) { event in
            if case .retrying = event { stop.raise() }
        }
        #expect(report.outcome == .stopped)
        #expect(!sink.kept.withLock { $0.isFinished })
        #expect(sink.kept.withLock { $0.values } == Array(0..<10))
    }

    @Test(.timeLimit(.minutes(10)))
    func `a stop while the sink waits commits nothing more`() async {
        let sink = NumberSink(failsAtWrite: 3, failure: StageFailure(.transient, "Locked."))
        let stop = StopSignal()
        let flow = flow(
            CountingSource(total: 1_000, perBatch: 10), AnswersNotNow(number: -1, isBack: Guarded(true)),
            sink,
            workers: 2)
        let report = await Runner(flow, clock: EndlessPauses()).run(stop: stop) { event in
            if case .retrying = event { stop.raise() }
        }
        #expect(report.outcome == .stopped)
        #expect(sink.kept.withLock { $0.values } == Array(0..<20))
    }

    @Test(.timeLimit(.minutes(10)))
    func `a failure elsewhere ends a long pause`() async {
        let flow = flow(
            CountingSource(total: 1_000, perBatch: 10, failsAt: 30),
            AnswersNotNow(number: 0, isBack: Guarded(false)), NumberSink(), workers: 1)
        let report = await Runner(flow, clock: EndlessPauses()).run()
        #expect(report.outcome == .failed(StageFailure(.inputOutput, "The file ends too soon.")))
    }

    @Test func `a batch that never arrives is a failure and no completion`() async {
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
