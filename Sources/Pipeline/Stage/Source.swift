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
