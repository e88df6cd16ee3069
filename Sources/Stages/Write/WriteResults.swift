package import Pipeline

/// The sink of `csv_import`: commits each batch to the results store, results and checkpoint together.
package struct WriteResults: Sink {
    private let store: ResultsStore
    private let stop: StopSignal
    private let digest: @Sendable (Position) -> Int64?

    /// - Parameters:
    ///   - store: A store whose job has begun.
    ///   - stop: Raised when another process cancels the job.
    ///   - digest: Digest of the input's bytes before a position, kept with the checkpoint.
    package init(
        store: ResultsStore, stop: StopSignal, digest: @escaping @Sendable (Position) -> Int64? = { _ in nil }
    ) {
        self.store = store
        self.stop = stop
        self.digest = digest
    }

    package func write(_ batch: consuming Batch<Results>) async throws(StageFailure) {
        let tail = digest(batch.end)
        if try await store.commit(batch, tailDigest: tail) { stop.raise() }
    }

    /// Nothing is left to do: the job's end is noted by whoever began it.
    package func finish() async throws(StageFailure) {}
}
