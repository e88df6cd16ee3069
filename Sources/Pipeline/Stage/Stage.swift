/// A step of the dataflow: a batch in, the same batch, changed, out.
///
/// A stage is asked by several workers at once, so it holds no state that a record could change. What it answers
/// depends on the batch and on what it was made with, never on the time, the order of batches or their number:
/// the promise "same input, same results" rests on it.
///
/// Do: turn a bad record into a ``Reject`` and take it out of the payload. Throw only when the world is broken.
/// Don't: keep a batch, start a task, or block the thread longer than a page-cache read.
public protocol Stage<Input, Output>: Sendable {
    associatedtype Input: Payload
    associatedtype Output: Payload

    /// Does the work on one batch.
    func process(_ batch: consuming Batch<Input>) async throws(StageFailure) -> Batch<Output>

    /// Whether a batch is worth trying again after a ``StageFailure/Kind/transient`` failure. A stage that says so
    /// gets the same batch again; keeping it costs a copy of what the stage changes.
    var retriesTransientFailures: Bool { get }

    /// Whether it spends its time waiting for services, so that more batches at once finish sooner.
    var waitsForServices: Bool { get }
}

extension Stage {
    /// False: a failure stops the run unless the stage says that asking again may help.
    public var retriesTransientFailures: Bool { false }

    /// False: a stage computes unless it says that it waits.
    public var waitsForServices: Bool { false }
}
