import TestSupport
import Testing

@testable import Pipeline
@testable import System

@Suite struct RunnerTests {
    private func flow(
        _ source: CountingSource, _ sink: NumberSink, workers: Int = 2, window: Int = 8, jitter: UInt64 = 0
    ) -> Flow {
        Flow(
            sourceName: "CountUp", source: source,
            stages: [
                .init(name: "Double", stage: DoubleNumbers(jitter: jitter), workers: workers),
                .init(name: "Again", stage: DoubleNumbers(jitter: jitter / 2), workers: workers),
            ],
            sinkName: "Collect", sink: sink, window: window)
    }

    private func run(_ flow: Flow, from start: Position = .start, stop: StopSignal = StopSignal()) async
        -> RunReport
    {
        await Runner(flow, clock: ManualClock(), jitter: { 0.5 }).run(from: start, stop: stop)
    }

    /// The expected output for the numbers below a bound.
    private func expected(_ total: Int) -> [Int] {
        (0..<total).filter { $0 % 7 != 0 }.map { $0 * 2 }.filter { $0 % 7 != 0 }.map { $0 * 2 }
    }

    @Test(arguments: [1, 2, 8], [0, 11, 97] as [UInt64])
    func `results do not depend on the number of workers or their timing`(workers: Int, jitter: UInt64) async
    {
        let sink = NumberSink()
        let report = await run(
            flow(CountingSource(total: 1_003, perBatch: 10), sink, workers: workers, jitter: jitter))
        #expect(report.outcome == .completed)
        #expect(report.recordsCommitted == 1_003)
        let kept = sink.kept.withLock { $0 }
        #expect(kept.values == expected(1_003))
        #expect(kept.isFinished)
        #expect(kept.values.count + kept.rejected.count == 1_003)
    }

    @Test func `the counts of each stage add up`() async {
        let report = await run(flow(CountingSource(total: 100, perBatch: 7), NumberSink()))
        #expect(report.stages.map(\.name) == ["CountUp", "Double", "Again", "Collect"])
        for stage in report.stages { #expect(stage.recordsIn == stage.recordsOut + stage.rejected) }
        #expect(report.stages[1].recordsOut == report.stages[2].recordsIn)
        #expect(report.stages[0].batches == 15)
    }

    @Test(arguments: [1, 3, 8])
    func `waiting batches are committed together, up to the sink's limit`(most: Int) async {
        let sink = NumberSink(batchesPerCommit: most)
        let report = await run(flow(CountingSource(total: 1_003, perBatch: 10), sink, jitter: 5))
        #expect(report.outcome == .completed)
        #expect(report.stages.last?.batches == 101)
        let kept = sink.kept.withLock { $0 }
        #expect(kept.values == expected(1_003))
        #expect(kept.checkpoint.byte == 1_003)
        #expect(kept.groups.allSatisfy { (1...most).contains($0) })
        #expect(kept.groups.reduce(0, +) == 101)
    }

    @Test(arguments: [1, 3, 200])
    func `a sink that commits on request gets single batches and commits up to its limit`(
        most: Int
    ) async {
        let sink = NumberSink(batchesPerCommit: most, defersCommit: true)
        let reported = Guarded<[Int]>([])
        let report = await Runner(
            flow(CountingSource(total: 1_003, perBatch: 10), sink, jitter: 5), clock: ManualClock()
        ).run { event in
            guard case .committed(let end, _, _) = event else { return }
            // The observer hears of committed batches only.
            let committed = sink.kept.withLock { $0.commits.last?.byte ?? 0 }
            #expect(committed >= end.byte)
            reported.withLock { $0.append(Int(end.byte)) }
        }
        #expect(report.outcome == .completed)
        #expect(report.recordsCommitted == 1_003)
        let kept = sink.kept.withLock { $0 }
        #expect(kept.values == expected(1_003))
        #expect(kept.groups.allSatisfy { $0 == 1 })
        #expect(kept.commits.last?.byte == 1_003)
        #expect(kept.isFinished)
        let ends = [0] + kept.commits.map { Int($0.byte) }
        #expect(zip(ends, ends.dropFirst()).allSatisfy { $0 < $1 && $1 - $0 <= most * 10 })
        #expect(reported.withLock { $0 }.count == 101)
    }

    @Test func `written batches are committed before the sink waits`() async {
        // Only one batch is under way at a time: each is committed before the next arrives.
        let sink = NumberSink(batchesPerCommit: 64, defersCommit: true)
        let report = await run(
            flow(CountingSource(total: 100, perBatch: 10), sink, workers: 1, window: 1))
        #expect(report.outcome == .completed)
        #expect(sink.kept.withLock { $0.commits }.last?.byte == 100)
    }

    @Test func `the sink runs on its preferred executor`() async {
        let sink = NumberSink(executor: MarkedExecutor())
        let report = await run(flow(CountingSource(total: 1_003, perBatch: 10), sink, jitter: 5))
        #expect(report.outcome == .completed)
        let kept = sink.kept.withLock { $0 }
        #expect(kept.values == expected(1_003))
        #expect(kept.writesOnExecutor == kept.writes)
    }

    @Test func `batches written before a failure elsewhere are committed`() async {
        let sink = NumberSink(batchesPerCommit: 64, defersCommit: true)
        let report = await run(flow(CountingSource(total: 500, perBatch: 10, failsAt: 300), sink))
        #expect(report.outcome == .failed(ETLError(.inputOutput, "The file ends too soon.")))
        let kept = sink.kept.withLock { $0 }
        #expect(kept.checkpoint.byte == kept.commits.last?.byte ?? 0)
        #expect(report.recordsCommitted == Int(kept.checkpoint.byte))
    }

    @Test func `an empty input completes`() async {
        let sink = NumberSink()
        let report = await run(flow(CountingSource(total: 0, perBatch: 10), sink))
        #expect(report.outcome == .completed)
        #expect(sink.kept.withLock { $0.isFinished && $0.values.isEmpty })
    }

    @Test func `a failing sink stops the run, and a later run continues from the checkpoint`() async {
        let sink = NumberSink(failsAtWrite: 5, failures: 1)
        let source = CountingSource(total: 500, perBatch: 10)
        let first = await run(flow(source, sink))
        #expect(first.outcome == .failed(ETLError(.inputOutput, "The disk is full.")))
        #expect(!sink.kept.withLock { $0.isFinished })
        let checkpoint = sink.kept.withLock { $0.checkpoint }
        #expect(checkpoint.byte == 40)
        let second = await run(flow(source, sink), from: checkpoint)
        #expect(second.outcome == .completed)
        #expect(sink.kept.withLock { $0.values } == expected(500))
    }

    @Test func `a failing source commits no partial batch`() async {
        let sink = NumberSink()
        let report = await run(flow(CountingSource(total: 500, perBatch: 10, failsAt: 100), sink))
        #expect(report.outcome == .failed(ETLError(.inputOutput, "The file ends too soon.")))
        let kept = sink.kept.withLock { $0 }
        #expect(kept.values == expected(Int(kept.checkpoint.byte)))
    }

    @Test func `a transient failure is retried and nothing is committed twice`() async {
        let failure = ETLError(.transient, "Busy.")
        let sink = NumberSink(failsAtWrite: 3, failure: failure, failures: 2)
        let report = await run(flow(CountingSource(total: 200, perBatch: 10), sink))
        #expect(report.outcome == .completed)
        #expect(sink.kept.withLock { $0.values } == expected(200))
        #expect(report.stages.last?.retries == 2)
    }

    @Test func `a persistent transient failure ends the run`() async {
        let failure = ETLError(.transient, "Busy.")
        let sink = NumberSink(failsAtWrite: 3, failure: failure)
        let report = await run(flow(CountingSource(total: 200, perBatch: 10), sink))
        #expect(report.outcome == .failed(failure))
        #expect(report.stages.last?.retries == 2)
    }

    @Test func `a stop commits what was read and can be resumed`() async {
        let sink = NumberSink()
        let stop = StopSignal()
        let source = CountingSource(total: 10_000, perBatch: 10)
        let report = await Runner(flow(source, sink), clock: ManualClock()).run(stop: stop) { event in
            if case .committed(let end, _, _) = event, end.byte >= 100 { stop.raise() }
        }
        #expect(report.outcome == .stopped)
        let checkpoint = sink.kept.withLock { $0.checkpoint }
        #expect(checkpoint.byte >= 100 && checkpoint.byte < 10_000)
        #expect(sink.kept.withLock { $0.values } == expected(Int(checkpoint.byte)))
        let rest = await run(flow(source, sink), from: checkpoint)
        #expect(rest.outcome == .completed)
        #expect(sink.kept.withLock { $0.values } == expected(10_000))
    }

    @Test(arguments: [1, 3, 16])
    func `the number of batches in the flow never exceeds the window`(window: Int) async {
        let inside = Guarded((now: 0, most: 0))
        struct Watch: Stage {
            let inside: Guarded<(now: Int, most: Int)>
            func process(_ batch: consuming Batch<NumberBatch>) async throws(ETLError) -> Batch<
                NumberBatch
            > {
                inside.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                for _ in 0..<20 { await Task.yield() }
                return batch
            }
        }
        let flow = Flow(
            sourceName: "CountUp", source: CountingSource(total: 2_000, perBatch: 5),
            stages: [.init(name: "Watch", stage: Watch(inside: inside), workers: 8, capacity: 32)],
            sinkName: "Collect", sink: NumberSink(), window: window)
        let report = await Runner(flow, clock: ManualClock()).run { event in
            if case .committed = event { inside.withLock { $0.now -= 1 } }
        }
        #expect(report.outcome == .completed)
        // A permit is put back just after the observer is called, so one more may have come in.
        #expect(inside.withLock { $0.most } <= window + 1)
    }

    @Test func `stages that do not fit are rejected before anything runs`() async {
        struct Words: Payload {
            var count: Int { 0 }
            var byteCount: Int { 0 }
        }
        struct Spell: Stage {
            func process(_ batch: consuming Batch<Words>) async throws(ETLError) -> Batch<Words> { batch }
        }
        let sink = NumberSink()
        let flow = Flow(
            sourceName: "CountUp", source: CountingSource(total: 10, perBatch: 5),
            stages: [.init(name: "Spell", stage: Spell())], sinkName: "Collect", sink: sink)
        guard case .failed(let failure) = await run(flow).outcome else {
            Issue.record("it ran")
            return
        }
        #expect(failure.kind == .configuration)
        #expect(failure.message.contains("Spell"))
    }
}
