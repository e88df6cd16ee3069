/// A source's way out: numbers the batches and waits for room downstream.
public struct Outlet<Output: Payload>: Sendable {
    private let deliver: @Sendable (Output, Position, Int, [Reject]) async -> Bool

    /// - Parameter deliver: Takes a batch's payload, end, records read and rejects; false when nobody listens any more.
    public init(deliver: @escaping @Sendable (Output, Position, Int, [Reject]) async -> Bool) {
        self.deliver = deliver
    }

    /// Hands over one batch and returns when there is room for the next one.
    ///
    /// - Returns: false when the run is being stopped: the source returns without reading on.
    public func emit(
        _ payload: consuming sending Output, end: Position, recordsRead: Int, rejects: [Reject] = []
    ) async -> Bool {
        await deliver(payload, end, recordsRead, rejects)
    }
}
