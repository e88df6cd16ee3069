/// Where results go. The runner hands over one batch at a time, in the order of the input.
public protocol Sink<Input>: Sendable {
    associatedtype Input: Payload

    /// Commits a batch: its results, its rejects, the counts and the checkpoint (`batch.end`), all in one
    /// transaction. When it returns, a killed process would go on after this batch.
    func write(_ batch: consuming Batch<Input>) async throws(StageFailure)

    /// Called once after the last batch, when nothing failed and nobody cancelled.
    func finish() async throws(StageFailure)
}
