import TestSupport
import Testing

@testable import Pipeline
@testable import System

/// All batches wait already, so what is committed together does not depend on timing.
@Suite struct SinkWorkerTests {
    /// The position after each commit, in batches.
    private func commits(
        of batches: Int, each nanoseconds: UInt64 = 0, batchesPerCommit: Int = 64
    ) async -> [Int] {
        let clock = ManualClock()
        let sink = NumberSink(batchesPerCommit: batchesPerCommit, defersCommit: true) {
            await clock.sleep(nanoseconds: nanoseconds)
        }
        let scope = RunScope(
            clock: clock, retry: RetryPolicy(), jitter: { 0.5 }, stop: StopSignal(), observe: { _ in })
        let input: Channel<TransferBox<Batch<NumberBatch>>> = scope.channel(capacity: batches)
        for number in 0..<batches {
            let end = Position(byte: Int64(number + 1), line: number + 2, record: number + 2)
            let batch = Batch(
                sequence: number, end: end, recordsRead: 1, payload: NumberBatch(values: [number]))
            _ = await input.send(TransferBox(batch))
        }
        input.finish()
        let worker = SinkWorker(
            name: "Collect", sink: sink, input: input, permits: scope.permits(window: batches),
            counts: Guarded(StageCounts(name: "Collect")), scope: scope)
        #expect(await worker.run() == batches)
        return sink.kept.withLock { $0.commits }.map { Int($0.byte) }
    }

    @Test func `the first batch is committed at once, the others together`() async {
        #expect(await commits(of: 20) == [1, 20])
    }

    @Test func `a commit has no more batches than the sink's limit`() async {
        #expect(await commits(of: 20, batchesPerCommit: 8) == [1, 9, 17, 20])
    }

    @Test func `a transaction ends with the batch that makes it five seconds old`() async {
        // Three batches take less than five seconds, four take more.
        #expect(await commits(of: 10, each: 1_500_000_000) == [1, 5, 9, 10])
    }

    @Test func `a batch that takes five seconds is committed alone`() async {
        #expect(await commits(of: 3, each: 5_000_000_000) == [1, 2, 3])
    }
}
