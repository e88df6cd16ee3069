package import System

/// The unit that moves between stages: records, their place in the input, and rejects.
///
/// Passing something to the next stage costs about as much as processing one record. Batches of hundreds of
/// records make that cost negligible.
package struct Batch<Content: Payload>: Sendable {
    /// Number of the batch in the order of the input, from 0. The sink commits in this order, in whatever
    /// order stages finish.
    package let sequence: Int
    /// The position after the last record that the source read for this batch. A resumed run continues there.
    package let end: Position
    /// Number of records that the source read for this batch, including those that were rejected since.
    package let recordsRead: Int
    /// Number of records that the source read in this run before this batch.
    package let recordsBefore: Int
    /// The records.
    package var payload: Content
    /// The records rejected so far, in no particular order.
    package var rejects: [Reject]

    /// For the runtime and tests. A stage uses ``carrying(_:)``.
    package init(
        sequence: Int, end: Position, recordsRead: Int, recordsBefore: Int = 0, payload: Content,
        rejects: [Reject] = []
    ) {
        self.sequence = sequence
        self.end = end
        self.recordsRead = recordsRead
        self.recordsBefore = recordsBefore
        self.payload = payload
        self.rejects = rejects
    }

    /// The same batch with another payload, for stages that change the type of the records.
    package consuming func carrying<New: Payload>(_ payload: consuming New) -> Batch<New> {
        Batch<New>(
            sequence: sequence, end: end, recordsRead: recordsRead, recordsBefore: recordsBefore,
            payload: payload, rejects: rejects)
    }
}

/// The content of a batch: many records in one value.
///
/// A payload is moved from stage to stage and never shared, so a stage can change it in place.
package protocol Payload: Sendable {
    /// Number of records.
    var count: Int { get }
    /// Approximate memory use in bytes.
    var byteCount: Int { get }
    /// Number of its records that begin before a position of the input. The places of rejects in the batch
    /// are computed from it. 0 if the payload does not know where its records began.
    func count(before position: Position) -> Int
}

extension Payload {
    /// 0.
    package func count(before position: Position) -> Int { 0 }
}
