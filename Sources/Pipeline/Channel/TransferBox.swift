/// Carries a value through a channel so that the receiver alone holds it.
///
/// A value sent as itself may live on for a moment in the sender's frame, and the receiver's first change would
/// copy it. A parcel is opened once, and its content is then held by the opener only.
final class TransferBox<Content: Sendable>: Sendable {
    private let content: Guarded<Content?>

    init(_ content: consuming Content) {
        self.content = Guarded(content)
    }

    /// Takes the content out; nil the second time.
    func open() -> Content? {
        content.withLock { $0.take() }
    }
}
