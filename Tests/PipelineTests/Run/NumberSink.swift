@testable import Pipeline
@testable import System

/// Keeps the numbers it receives, in order.
final class NumberSink: Sink {
    struct Kept: Sendable {
        var values: [Int] = []
        var rejected: [Int] = []
        var checkpoint = Position.start
        var isFinished = false
        var writes = 0
        /// Number of batches in each group.
        var groups: [Int] = []
        /// The position after each commit, where a later run would resume.
        var commits: [Position] = []
        /// Number of writes that ran on a ``MarkedExecutor``.
        var writesOnExecutor = 0
    }

    let kept = Guarded(Kept())
    /// The number of the write to fail before, from 1.
    let failsAtWrite: Int?
    let failure: ETLError
    /// How many more times to fail.
    let failuresLeft: Guarded<Int>
    let batchesPerCommit: Int
    let defersCommit: Bool
    let executor: (any TaskExecutor)?
    let beforeWrite: @Sendable () async -> Void

    init(
        batchesPerCommit: Int = 1, defersCommit: Bool = false, executor: MarkedExecutor? = nil,
        failsAtWrite: Int? = nil,
        failure: ETLError = ETLError(.inputOutput, "The disk is full."),
        failures: Int = .max, beforeWrite: @escaping @Sendable () async -> Void = {}
    ) {
        self.batchesPerCommit = batchesPerCommit
        self.defersCommit = defersCommit
        self.executor = executor
        self.failsAtWrite = failsAtWrite
        self.failure = failure
        self.beforeWrite = beforeWrite
        failuresLeft = Guarded(failures)
    }

    func write(_ batch: consuming Batch<NumberBatch>) async throws(ETLError) {
        await beforeWrite()
        let number = kept.withLock { $0.writes + 1 }
        if number == failsAtWrite,
            failuresLeft.withLock({ left in
                left -= 1
                return left >= 0
            })
        {
            throw failure
        }
        let (values, rejected, end) = (
            batch.payload.values, batch.rejects.map { Int($0.position.byte) }, batch.end
        )
        kept.withLock {
            $0.values += values
            $0.rejected += rejected
            $0.checkpoint = end
            $0.writes = number
            $0.writesOnExecutor += MarkedExecutor.isCurrent ? 1 : 0
        }
    }

    func write(_ batches: consuming [Batch<NumberBatch>]) async throws(ETLError) {
        let count = batches.count
        kept.withLock { $0.groups.append(count) }
        for batch in batches { try await write(batch) }
    }

    func commit(through end: Position) async throws(ETLError) { kept.withLock { $0.commits.append(end) } }

    func finish() async throws(ETLError) { kept.withLock { $0.isFinished = true } }
}
