/// A bounded channel between stages: the faster side waits. Any number of tasks may send and receive.
///
/// All decisions are ``ChannelStateMachine``'s; this holds the lock and the continuations, and resumes them after
/// the lock is open. It does not look at task cancellation: a run that ends early calls ``cancel()``, which wakes
/// everybody.
final class Channel<Element: Sendable>: Sendable {
    private typealias Machine = ChannelStateMachine<
        Element, CheckedContinuation<Bool, Never>, CheckedContinuation<Element?, Never>
    >

    private let machine: Guarded<Machine>

    /// - Parameters:
    ///   - capacity: Elements that may wait in it at most.
    ///   - weightLimit: Sum of weights that may wait in it at most; in bytes, for batches.
    init(capacity: Int, weightLimit: Int = .max) {
        machine = Guarded(Machine(capacity: capacity, weightLimit: weightLimit))
    }

    /// Elements that wait to be received.
    var depth: Int { machine.withLock { $0.depth } }

    /// Sends an element, and waits while there is no room. False when the channel is closed.
    func send(_ element: Element, weight: Int = 1) async -> Bool {
        switch machine.withLock({ $0.offer(element, weight: weight) }) {
        case .accepted: return true
        case .closed: return false
        case .handOver(let consumer, let element):
            consumer.resume(returning: element)
            return true
        case .full:
            return await withCheckedContinuation { continuation in
                switch machine.withLock({ $0.wait(offering: element, weight: weight, as: continuation) }) {
                case .waiting, .go(.full, _): break
                case .go(.accepted, let producer): producer.resume(returning: true)
                case .go(.closed, let producer): producer.resume(returning: false)
                case .go(.handOver(let consumer, let element), let producer):
                    consumer.resume(returning: element)
                    producer.resume(returning: true)
                }
            }
        }
    }

    /// Receives an element, and waits while there is none. Nil when the channel is closed and empty.
    func receive() async -> Element? {
        switch machine.withLock({ $0.take() }) {
        case .element(let element, let producers):
            for producer in producers { producer.resume(returning: true) }
            return element
        case .finished: return nil
        case .empty:
            return await withCheckedContinuation { continuation in
                switch machine.withLock({ $0.wait(toTakeAs: continuation) }) {
                case .waiting, .go(.empty, _): break
                case .go(.finished, let consumer): consumer.resume(returning: nil)
                case .go(.element(let element, let producers), let consumer):
                    for producer in producers { producer.resume(returning: true) }
                    consumer.resume(returning: element)
                }
            }
        }
    }

    /// Receives an element if one is there; never waits.
    func receiveIfAny() -> Element? {
        guard case .element(let element, let producers) = machine.withLock({ $0.take() }) else { return nil }
        for producer in producers { producer.resume(returning: true) }
        return element
    }

    /// No more will be sent: receivers get what is in, then nil.
    func finish() {
        let consumers = machine.withLock { $0.finish() }
        for consumer in consumers { consumer.resume(returning: nil) }
    }

    /// Drops what is in and wakes everybody: senders with false, receivers with nil.
    func cancel() {
        let waiters = machine.withLock { $0.cancel() }
        for producer in waiters.producers { producer.resume(returning: false) }
        for consumer in waiters.consumers { consumer.resume(returning: nil) }
    }
}

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
