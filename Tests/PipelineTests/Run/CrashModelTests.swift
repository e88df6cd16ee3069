import TestSupport
import Testing

@testable import Pipeline
@testable import System

/// A run that crashes at random commits and is resumed each time has the same result as an uninterrupted one.
@Suite struct CrashModelTests {
    /// A seed that finds a bug is added here.
    @Test(arguments: [3, 17, 29, 71, 113, 999] as [UInt64])
    func `any number of crashes leaves the result unchanged`(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        let source = CountingSource(
            total: Int.random(in: 50...900, using: &random), perBatch: Int.random(in: 1...20, using: &random))
        let whole = NumberSink()
        _ = await runner(source, whole, seed: seed).run()

        let broken = NumberSink(failsAtWrite: nil)
        var checkpoint = Position.start
        var runs = 0
        while checkpoint.byte < source.total, runs < 1_000 {
            runs += 1
            // Each attempt fails at a random commit and loses its uncommitted work.
            let life = NumberSink(failsAtWrite: Int.random(in: 1...6, using: &random))
            let report = await runner(source, life, seed: seed &+ UInt64(runs)).run(from: checkpoint)
            let kept = life.kept.withLock { $0 }
            broken.kept.withLock {
                $0.values += kept.values
                $0.rejected += kept.rejected
            }
            if kept.writes > 0 { checkpoint = kept.checkpoint }
            if report.outcome == .completed { break }
        }
        #expect(broken.kept.withLock { $0.values } == whole.kept.withLock { $0.values })
        #expect(broken.kept.withLock { $0.rejected.sorted() } == whole.kept.withLock { $0.rejected.sorted() })
    }

    private func runner(_ source: CountingSource, _ sink: NumberSink, seed: UInt64) -> Runner {
        let flow = Flow(
            sourceName: "CountUp", source: source,
            stages: [.init(name: "Double", stage: DoubleNumbers(jitter: seed), workers: 3)],
            sinkName: "Collect", sink: sink, window: 5)
        return Runner(flow, clock: ManualClock(), jitter: { 0 })
    }
}
