/// A sink that looks at batches and keeps nothing: for a pass whose effects are its stages'.
public struct Drain<Content: Payload>: Sink {
    private let look: @Sendable (borrowing Batch<Content>) -> Void

    /// - Parameter look: Told of each batch, in the order of the input.
    public init(_ look: @escaping @Sendable (borrowing Batch<Content>) -> Void) { self.look = look }

    /// Looks at a batch and lets it go.
    public func write(_ batch: consuming Batch<Content>) async throws(StageFailure) { look(batch) }
    /// Nothing is left to do.
    public func finish() async throws(StageFailure) {}
}
