/// Where records come from.
public protocol Source<Output>: Sendable {
    associatedtype Output: Payload

    /// Bounds of its batches. Whoever runs it may change them, as for finer progress.
    var batchLimits: BatchLimits { get set }

    /// A quick look at the whole input before the run: what it is, and how many records it holds.
    func survey() async throws(StageFailure) -> SourceSurvey

    /// Reads on from a position (``Position/start``, or the end of a batch committed by an earlier run) and hands
    /// every batch to the outlet, in order. Returns when the input is at its end or the outlet says stop.
    func read(from position: Position, into outlet: Emitter<Output>) async throws(StageFailure)
}

/// How large a batch may be.
public struct BatchLimits: Sendable, Hashable {
    /// Records, at least 1.
    public var records: Int
    /// Bytes, at least 1. A single record may have more.
    public var bytes: Int

    /// Limits of a batch; those under 1 count as 1.
    public init(records: Int = 8_192, bytes: Int = 1 << 20) {
        self.records = max(1, records)
        self.bytes = max(1, bytes)
    }
}

/// What a source can say of its input before reading it.
public struct SourceSurvey: Sendable, Hashable {
    /// Records that will be read, blank ones and headers not counted; nil where it cannot be known.
    public var recordCount: Int?
    /// Proof that a later run reads the same input: one for each file.
    public var fingerprints: [SourceFingerprint]

    /// What was found by looking.
    public init(recordCount: Int?, fingerprints: [SourceFingerprint]) {
        self.recordCount = recordCount
        self.fingerprints = fingerprints
    }
}

/// A source's way out: numbers the batches and waits for room downstream.
public struct Emitter<Output: Payload>: Sendable {
    private let deliver: @Sendable (consuming Output, Position, Int, [Reject]) async -> Bool

    /// - Parameter deliver: Takes a batch's payload, end, records read and rejects; false when nobody listens any more.
    public init(deliver: @escaping @Sendable (consuming Output, Position, Int, [Reject]) async -> Bool) {
        self.deliver = deliver
    }

    /// Hands over one batch and returns when there is room for the next one.
    ///
    /// - Parameters:
    ///   - payload: The records. May be empty where all that was read was turned away.
    ///   - end: The position after the last record read: where a resumed run goes on.
    ///   - recordsRead: Records read for this batch, those turned away included.
    ///   - rejects: Records turned away while reading.
    /// - Returns: false when the run is being stopped: the source returns without reading on.
    public func emit(
        _ payload: consuming Output, end: Position, recordsRead: Int, rejects: [Reject] = []
    ) async -> Bool {
        await deliver(payload, end, recordsRead, rejects)
    }
}
