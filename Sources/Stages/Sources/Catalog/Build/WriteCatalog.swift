package import Pipeline
package import System

/// The sink of `catalog_build`: stages batches with the checkpoint after them, and writes the catalog when
/// all records are staged.
package struct WriteCatalog: Sink {
    private let staged: StagedCatalog
    private let stop: StopSignal
    private let begin: @Sendable (CatalogBuildProgress.Phase) -> Void
    package let batchesPerCommit: Int

    /// - Parameters:
    ///   - batchesPerCommit: Maximum batches per transaction. Every transaction waits for the disk;
    ///     meanwhile, stages can prepare only as many batches as the window allows.
    ///   - stop: Requests a stop while the catalog is written.
    ///   - begin: Called with each part of the catalog as it starts.
    package init(
        _ staged: StagedCatalog, batchesPerCommit: Int, stop: StopSignal,
        begin: @escaping @Sendable (CatalogBuildProgress.Phase) -> Void = { _ in }
    ) {
        self.staged = staged
        self.batchesPerCommit = batchesPerCommit
        self.stop = stop
        self.begin = begin
    }

    package func write(_ batch: consuming Batch<DumpRecords>) async throws(ETLError) {
        try await write([batch])
    }

    package func write(_ batches: consuming [Batch<DumpRecords>]) async throws(ETLError) {
        try await staged.take(batches)
    }

    package func finish() async throws(ETLError) {
        try await staged.finish(stop: stop, begin)
    }
}
