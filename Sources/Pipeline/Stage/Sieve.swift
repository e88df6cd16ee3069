/// A stage that lets a part of each batch through: for a pass over some of the records of an input.
public struct Sieve<Content: Payload>: Stage {
    private let keep: @Sendable (inout Batch<Content>) -> Void

    /// - Parameter keep: Takes out of a batch what is not to pass.
    public init(_ keep: @escaping @Sendable (inout Batch<Content>) -> Void) { self.keep = keep }

    public func process(
        _ batch: consuming Batch<Content>
    ) async throws(StageFailure) -> Batch<Content> {
        var batch = batch
        keep(&batch)
        return batch
    }
}

/// A sink that looks at batches and keeps nothing: for a pass whose effects are its stages'.
public struct Drain<Content: Payload>: Sink {
    private let look: @Sendable (borrowing Batch<Content>) -> Void

    public init(_ look: @escaping @Sendable (borrowing Batch<Content>) -> Void) { self.look = look }

    public func write(_ batch: consuming Batch<Content>) async throws(StageFailure) { look(batch) }
    public func finish() async throws(StageFailure) {}
}
