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

/// What a batch carries from stage to stage: many records in one value.
///
/// A payload is a value. It is moved from stage to stage, never shared, so a stage changes it in place.
public protocol Payload: Sendable {
    /// Records in it.
    var count: Int { get }
    /// Bytes of memory it holds, near enough for a bound.
    var byteCount: Int { get }
    /// Records in it that begin before a position of the input: with them, those turned away have their places in the
    /// batch. None where a payload does not know where its records began.
    func count(before position: Position) -> Int
}

extension Payload {
    /// None.
    public func count(before position: Position) -> Int { 0 }
}

/// Where a record stands in the input of a run.
///
/// A position after a record is also where the next one begins, so the same value serves as a reader's
/// bookmark (a checkpoint) and as the address in an error message.
public struct Position: Sendable, Hashable, Codable {
    /// Index of the input among the inputs of the run, from 0.
    public var file: Int
    /// Offset in bytes from the start of that input as it lies on disk.
    public var byte: Int64
    /// Physical line, from 1, as a text editor counts.
    public var line: Int
    /// Record number, from 1, header, blank and preamble records counted, as a spreadsheet shows it.
    public var record: Int

    /// The start of the first input.
    public static let start = Position(file: 0, byte: 0, line: 1, record: 1)

    /// A position a source has counted up to; line and record from 1.
    public init(file: Int = 0, byte: Int64, line: Int, record: Int) {
        self.file = file
        self.byte = byte
        self.line = line
        self.record = record
    }
}
