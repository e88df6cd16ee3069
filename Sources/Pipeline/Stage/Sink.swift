/// Where results go. The runner hands over one batch at a time, in the order of the input.
public protocol Sink<Input>: Sendable {
    associatedtype Input: Payload

    /// Commits a batch: its results, its rejects, the counts and the checkpoint (`batch.end`), all in one
    /// transaction. When it returns, a killed process would go on after this batch, unless the sink
    /// ``leavesCommitting``.
    func write(_ batch: consuming Batch<Input>) async throws(StageFailure)

    /// Batches that one transaction may take; 1 for a sink that commits each by itself.
    var batchesPerCommit: Int { get }

    /// Commits several consecutive batches in one transaction, which spares all but one of their commits: at most
    /// ``batchesPerCommit`` of them, namely what waits to be committed anyhow. No batch waits for a later one.
    func write(_ batches: consuming [Batch<Input>]) async throws(StageFailure)

    /// Whether writing leaves what it wrote to a later ``commit(through:)``. Such a sink is given its
    /// batches one by one, and each makes room for another when it is written: a transaction may be larger than
    /// what memory has room for. A write that fails for a moment is tried again, and it alone: a failure that takes back
    /// what was written before it must not be ``StageFailure/Kind/transient``, and nothing may be taken after it.
    var leavesCommitting: Bool { get }

    /// Commits what was written and is not committed yet: ``batchesPerCommit`` batches, or fewer where no other waits to be
    /// written or half a second is over; the first one at once. When it returns, a killed process would go on at `end`.
    ///
    /// - Parameter end: The end of the last batch written.
    func commit(through end: Position) async throws(StageFailure)

    /// Where the sink's task runs between its calls of the sink, best the queue that writes: a writer that is free then takes
    /// the next batch at once, not when a thread of the pool is free; nil for the pool. Child tasks that the sink begins run
    /// there too: on a serial queue they wait for it, so a sink that writes beside itself names none.
    var executor: (any TaskExecutor)? { get }

    /// Called once after the last batch, when nothing failed and nobody cancelled.
    func finish() async throws(StageFailure)
}

extension Sink {
    /// Each batch by itself.
    public var batchesPerCommit: Int { 1 }

    /// What is written is committed.
    public var leavesCommitting: Bool { false }

    /// The pool.
    public var executor: (any TaskExecutor)? { nil }

    /// Nothing is left to commit.
    public func commit(through end: Position) async throws(StageFailure) {}

    /// For a sink that commits each batch by itself, and so is given one.
    public func write(_ batches: consuming [Batch<Input>]) async throws(StageFailure) {
        for batch in batches { try await write(batch) }
    }
}
