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
