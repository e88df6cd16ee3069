/// The unit that travels: some records, their place in the input and the records already turned away.
///
/// Every hop carries a whole batch, never one record. A hop costs about as much as handling one record, so at
/// hundreds of records a batch it costs nothing.
public struct Batch<Content: Payload>: Sendable {
    /// Number of the batch in the order of the input, from 0. The sink commits in this order, whatever the order
    /// in which stages finish.
    public let sequence: Int
    /// The position after the last record that the source read for this batch: where a resumed run goes on.
    public let end: Position
    /// Records that the source read for this batch, whatever became of them since.
    public let recordsRead: Int
    /// Records that the source read in this run before this batch.
    public let recordsBefore: Int
    /// The records.
    public var payload: Content
    /// Records turned away so far, each with its reason, in no particular order.
    public var rejects: [Reject]

    /// Made by the runtime from what a source emits, and by tests; a stage uses ``carrying(_:)``.
    public init(
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

    /// The same batch with another payload: what a stage that changes the type of its records returns.
    public consuming func carrying<New: Payload>(_ payload: consuming New) -> Batch<New> {
        Batch<New>(
            sequence: sequence, end: end, recordsRead: recordsRead, recordsBefore: recordsBefore,
            payload: payload, rejects: rejects)
    }
}
