package import System

/// Origin of records.
package protocol Source<Output>: Sendable {
    associatedtype Output: Payload

    /// Maximum size of its batches. Can be changed before a run, for example for more frequent progress.
    var batchLimits: BatchLimits { get set }

    /// Examines the whole input before the run: fingerprints and number of records.
    func survey() async throws(ETLError) -> SourceSurvey

    /// Reads from a position (``Position/start``, or the end of a batch committed by an earlier run) and
    /// passes all batches to the emitter, in order. Returns at the end of the input or when the emitter
    /// returns false.
    func read(from position: Position, into emitter: Emitter<Output>) async throws(ETLError)
}

/// The maximum size of a batch.
package struct BatchLimits: Sendable, Hashable {
    /// Number of records, at least 1.
    package var records: Int
    /// Number of bytes, at least 1. A single record may be larger.
    package var bytes: Int

    /// Values below 1 become 1.
    package init(records: Int = 512, bytes: Int = 1 << 20) {
        self.records = max(1, records)
        self.bytes = max(1, bytes)
    }
}

/// Facts about an input before it is read.
package struct SourceSurvey: Sendable, Hashable {
    /// Number of records to be read, without blank records and headers; nil if unknown.
    package var recordCount: Int?
    /// The fingerprint of each file, by which a later run checks that it reads the same input.
    package var fingerprints: [SourceFingerprint]

    /// A survey of all values.
    package init(recordCount: Int?, fingerprints: [SourceFingerprint]) {
        self.recordCount = recordCount
        self.fingerprints = fingerprints
    }
}

/// Passes a source's batches into the flow. It numbers them and waits for room downstream.
package struct Emitter<Output: Payload>: Sendable {
    private let deliver: @Sendable (consuming Output, Position, Int, [Reject]) async -> Bool

    /// - Parameter deliver: Takes a batch's payload, end, number of records read, and rejects. Returns false
    ///   if the run is ending.
    package init(deliver: @escaping @Sendable (consuming Output, Position, Int, [Reject]) async -> Bool) {
        self.deliver = deliver
    }

    /// Passes on one batch. Returns when there is room for the next one.
    ///
    /// - Parameters:
    ///   - payload: The records. May be empty if all records were rejected.
    ///   - end: The position after the last record read. A resumed run continues there.
    ///   - recordsRead: Number of records read for this batch, including rejected ones.
    ///   - rejects: Records rejected while reading.
    /// - Returns: false if the run is ending. The source must then return without reading on.
    package func emit(
        _ payload: consuming Output, end: Position, recordsRead: Int, rejects: [Reject] = []
    ) async -> Bool {
        await deliver(payload, end, recordsRead, rejects)
    }
}
