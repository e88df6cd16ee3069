import TestSupport
import Testing

@testable import Pipeline
@testable import System

/// Notes the numbers it sees, and remembers them.
private struct NoteNumbers: Stage {
    let seen: Guarded<[Int]>

    static var remembersRecords: Bool { true }

    func process(_ batch: consuming Batch<NumberBatch>) async throws(ETLError) -> Batch<NumberBatch> {
        let values = batch.payload.values
        seen.withLock { $0 += values }
        return batch
    }
}

@Suite struct RememberingStageTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `a stage that remembers records gets them in the order of the input`(seed: UInt64) async {
        let seen = Guarded<[Int]>([])
        let sink = NumberSink()
        let flow = Flow(
            sourceName: "CountUp", source: CountingSource(total: 500, perBatch: 7),
            stages: [
                .init(name: "Double", stage: DoubleNumbers(jitter: seed), workers: 5),
                .init(name: "Note", stage: NoteNumbers(seen: seen), workers: 4),
            ], sinkName: "Collect", sink: sink, window: 9)
        let report = await Runner(flow, clock: ManualClock(), jitter: { 0 }).run()
        #expect(report.outcome == .completed)
        let numbers = seen.withLock { $0 }
        #expect(numbers.count > 300)
        #expect(numbers == numbers.sorted())
        #expect(report.stages[2].workers == 1)
    }
}
