package import Pipeline

/// The sink of `catalog_build`: puts each batch down with its checkpoint, and when all are there writes the
/// catalog.
package struct WriteCatalog: Sink {
    private let draft: CatalogDraft
    private let stop: StopSignal
    private let begin: @Sendable (CatalogBuildProgress.Phase) -> Void

    /// - Parameters:
    ///   - stop: Asks to stop while the catalog is written.
    ///   - begin: Told of each part of the catalog as it begins.
    package init(
        _ draft: CatalogDraft, stop: StopSignal,
        begin: @escaping @Sendable (CatalogBuildProgress.Phase) -> Void = { _ in }
    ) {
        self.draft = draft
        self.stop = stop
        self.begin = begin
    }

    package var batchesPerCommit: Int { 16 }

    package func write(_ batch: consuming Batch<DumpRecords>) async throws(StageFailure) {
        try await draft.take([batch])
    }

    package func write(_ batches: consuming [Batch<DumpRecords>]) async throws(StageFailure) {
        try await draft.take(batches)
    }

    package func finish() async throws(StageFailure) {
        try await draft.finish(stop: stop, begin)
    }
}
