package import System

/// Destination of results. The runner passes batches in the order of the input.
package protocol Sink<Input>: Sendable {
    associatedtype Input: Payload

    /// Commits a batch: its results, rejects, counts and checkpoint (`batch.end`), all in one transaction.
    /// After it returns, a killed process would continue after this batch, unless the sink
    /// ``defersCommit``.
    func write(_ batch: consuming Batch<Input>) async throws(ETLError)

    /// Maximum number of batches in one transaction; 1 for a sink that commits each separately.
    var batchesPerCommit: Int { get }

    /// Commits several consecutive batches in one transaction, to save commits: at most ``batchesPerCommit``,
    /// those that are waiting anyway. No batch waits for a later one.
    func write(_ batches: consuming [Batch<Input>]) async throws(ETLError)

    /// Whether writes are committed only by a later ``commit(through:)``.
    ///
    /// Such a sink gets its batches one by one, and a written batch makes room for another. So a transaction
    /// may be larger than memory allows. Only the write that failed transiently is retried. Therefore a
    /// failure that also undoes earlier uncommitted writes must not be ``ETLError/Kind/transient``, and
    /// no writes may follow it.
    var defersCommit: Bool { get }

    /// Commits everything written since the last commit. Called after ``batchesPerCommit`` batches, earlier
    /// if no batch is waiting or five seconds have passed, and after the first batch of a run. After it
    /// returns, a killed process would continue at `end`.
    ///
    /// - Parameter end: The end of the last batch written.
    func commit(through end: Position) async throws(ETLError)

    /// Executor of the sink's task between its calls of the sink; nil for the default thread pool.
    ///
    /// Best is the queue that writes: a free writer then takes the next batch at once, without waiting for a
    /// thread of the pool. Child tasks of the sink also run there, and on a serial queue they wait for it. So
    /// a sink that writes in parallel should return nil.
    var executor: (any TaskExecutor)? { get }

    /// Called once after the last batch, if the run was neither stopped nor failed.
    func finish() async throws(ETLError)
}

extension Sink {
    /// 1: each batch is committed separately.
    package var batchesPerCommit: Int { 1 }

    /// False: a write also commits.
    package var defersCommit: Bool { false }

    /// nil: the default thread pool.
    package var executor: (any TaskExecutor)? { nil }

    /// Does nothing: there is nothing left to commit.
    package func commit(through end: Position) async throws(ETLError) {}

    /// Writes the batches one by one.
    package func write(_ batches: consuming [Batch<Input>]) async throws(ETLError) {
        for batch in batches { try await write(batch) }
    }
}
