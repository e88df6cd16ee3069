package import System

/// A step of the dataflow: it takes a batch and returns the same batch, changed.
///
/// Several workers call a stage at the same time, so it has no state that a record could change. Its output
/// depends on the batch and the stage's settings, never on time, batch order or batch size. The promise "same
/// input, same results" depends on this. A stage whose output depends on earlier records declares it
/// (``remembersRecords``).
///
/// Do: turn a bad record into a ``Reject`` and remove it from the payload. Throw only for problems outside
/// the data. Don't: keep a batch, start a task, or block the thread longer than a page-cache read.
package protocol Stage<Input, Output>: Sendable {
    associatedtype Input: Payload
    associatedtype Output: Payload

    /// Processes one batch.
    func process(_ batch: consuming Batch<Input>) async throws(ETLError) -> Batch<Output>

    /// Whether a batch is retried after an ``ETLError/Kind/transient`` failure. Keeping the batch for
    /// retries costs a copy of what the stage changes.
    var retriesTransientFailures: Bool { get }

    /// Whether the stage mostly waits for services, so that more batches at once are faster.
    var waitsForServices: Bool { get }

    /// Whether its output also depends on earlier records of the input, as when it removes duplicates.
    ///
    /// Such a stage gets one batch at a time, in the order of the input. When a run is resumed, the same stage
    /// first processes the records before the checkpoint again.
    static var remembersRecords: Bool { get }
}

extension Stage {
    /// False: any failure ends the run.
    package var retriesTransientFailures: Bool { false }

    /// False: the stage mostly computes.
    package var waitsForServices: Bool { false }

    /// False: the output depends on the batch alone.
    package static var remembersRecords: Bool { false }
}

/// Makes a source, stage or sink from its checked settings.
package typealias MakeStage<Made> = @Sendable (Settings) throws(ETLError) -> Made
