package import Pipeline
package import System

/// The sink of `csv_import`. It commits each batch to the results store, results and checkpoint together.
package struct WriteResults: Sink {
    private let store: ResultsStore
    private let stop: StopSignal
    private let digest: @Sendable (Position) throws(ETLError) -> Int64?
    package let batchesPerCommit: Int
    package let defersCommit: Bool

    /// - Parameters:
    ///   - store: A store whose job has begun.
    ///   - batchesPerCommit: Maximum number of batches in a transaction.
    ///   - defersCommit: Whether a transaction stays open while batches arrive. Other values written to
    ///     the store meanwhile cannot be read before it is committed.
    ///   - stop: Raised when another process cancels the job.
    ///   - digest: Digest of the input's bytes before a position, stored with the checkpoint. It throws if
    ///     the input has changed; then nothing is committed.
    package init(
        store: ResultsStore, batchesPerCommit: Int = 1, defersCommit: Bool = false, stop: StopSignal,
        digest: @escaping @Sendable (Position) throws(ETLError) -> Int64? = { _ in nil }
    ) {
        self.store = store
        self.batchesPerCommit = batchesPerCommit
        self.defersCommit = defersCommit
        self.stop = stop
        self.digest = digest
    }

    package var executor: (any TaskExecutor)? { store.executor }

    package func write(_ batch: consuming Batch<ResultBatch>) async throws(ETLError) {
        try await write([batch])
    }

    package func write(_ batches: consuming [Batch<ResultBatch>]) async throws(ETLError) {
        let end = batches.last?.end
        try await store.write(batches)
        if !defersCommit, let end { try await commit(through: end) }
    }

    package func commit(through end: Position) async throws(ETLError) {
        let tail: Int64?
        do throws(ETLError) {
            tail = try digest(end)
        } catch {
            await store.breakOff(error)
            throw error
        }
        if try await store.commit(through: end, tailDigest: tail) { stop.raise() }
    }

    /// There is nothing to do. The caller that began the job notes its end.
    package func finish() async throws(ETLError) {}
}
