/// A stage that lets a part of each batch through: for a pass over some of the records of an input.
public struct Sieve<Content: Payload>: Stage {
    private let keep: @Sendable (inout Batch<Content>) -> Void

    /// - Parameter keep: Takes out of a batch what is not to pass.
    public init(_ keep: @escaping @Sendable (inout Batch<Content>) -> Void) { self.keep = keep }

    /// Lets what is kept pass.
    public func process(
        _ batch: consuming Batch<Content>
    ) async throws(StageFailure) -> Batch<Content> {
        var batch = batch
        keep(&batch)
        return batch
    }
}
