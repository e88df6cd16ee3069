/// Where results go. The runner hands over one batch at a time, in the order of the input.
public protocol Sink<Input>: Sendable {
    associatedtype Input: Payload

    /// Commits a batch: its results, its rejects, the counts and the checkpoint (`batch.end`), all in one
    /// transaction. When it returns, a killed process would go on after this batch.
    func write(_ batch: consuming Batch<Input>) async throws(StageFailure)

    /// Batches that one transaction may take; 1 for a sink that commits each by itself.
    var batchesPerCommit: Int { get }

    /// Commits several consecutive batches in one transaction, which spares all but one of their commits: at most
    /// ``batchesPerCommit`` of them, namely what waits to be committed anyhow. No batch waits for a later one.
    func write(_ batches: consuming [Batch<Input>]) async throws(StageFailure)

    /// Called once after the last batch, when nothing failed and nobody cancelled.
    func finish() async throws(StageFailure)
}

extension Sink {
    /// Each batch by itself.
    public var batchesPerCommit: Int { 1 }

    /// For a sink that commits each batch by itself, and so is given one.
    public func write(_ batches: consuming [Batch<Input>]) async throws(StageFailure) {
        for batch in batches { try await write(batch) }
    }
}
