package import Pipeline

/// The sink of `catalog_build`: puts batches down with the checkpoint after them, and when all are there writes the
/// catalog.
package struct WriteCatalog: Sink {
    private let draft: CatalogDraft
    private let stop: StopSignal
    private let begin: @Sendable (CatalogBuildProgress.Phase) -> Void
    package let batchesPerCommit: Int

    /// - Parameters:
    ///   - batchesPerCommit: Batches that share a transaction at the most. Each transaction waits for the disk; while it
    ///     runs, only as many batches are made ready as the window has left.
    ///   - stop: Asks to stop while the catalog is written.
    ///   - begin: Told of each part of the catalog as it begins.
    package init(
        _ draft: CatalogDraft, batchesPerCommit: Int, stop: StopSignal,
        begin: @escaping @Sendable (CatalogBuildProgress.Phase) -> Void = { _ in }
    ) {
        self.draft = draft
        self.batchesPerCommit = batchesPerCommit
        self.stop = stop
        self.begin = begin
    }

    package func write(_ batch: consuming Batch<DumpRecords>) async throws(StageFailure) {
        try await write([batch])
    }

    package func write(_ batches: consuming [Batch<DumpRecords>]) async throws(StageFailure) {
        try await draft.take(batches)
    }

    package func finish() async throws(StageFailure) {
        try await draft.finish(stop: stop, begin)
    }
}
