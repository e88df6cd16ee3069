import System

/// A bounded channel between stages: the faster side waits. Any number of tasks may send and receive.
///
/// ``ChannelStateMachine`` makes all decisions. This type has the lock and the continuations, and resumes
/// them outside the lock. It ignores task cancellation: a run that ends early calls ``cancel()``, which wakes
/// all waiting tasks.
final class Channel<Element: Sendable>: Sendable {
    private typealias Machine = ChannelStateMachine<
        Element, CheckedContinuation<Bool, Never>, CheckedContinuation<Element?, Never>
    >

    private let machine: Guarded<Machine>

    /// - Parameters:
    ///   - capacity: Maximum number of waiting elements.
    ///   - weightLimit: Maximum total weight of the waiting elements. Batches are weighed in bytes.
    init(capacity: Int, weightLimit: Int = .max) {
        machine = Guarded(Machine(capacity: capacity, weightLimit: weightLimit))
    }

    /// Number of elements that wait to be received, including those of waiting senders.
    var depth: Int { machine.withLock { $0.depth } }

    /// Sends an element, and waits while the channel is full. Returns false if the channel is closed.
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

    /// Receives an element, and waits while the channel is empty. Returns nil if it is closed and empty.
    func receive() async -> Element? {
        switch machine.withLock({ $0.take() }) {
        case .element(let element, let producers):
            for producer in producers { producer.resume(returning: true) }
            return element
        case .finished: return nil
        case .empty:
            let element = await withCheckedContinuation { continuation in
                switch machine.withLock({ $0.wait(toTakeAs: continuation) }) {
                case .waiting, .go(.empty, _): break
                case .go(.finished, let consumer): consumer.resume(returning: nil)
                case .go(.element(let element, let producers), let consumer):
                    for producer in producers { producer.resume(returning: true) }
                    consumer.resume(returning: element)
                }
            }
            #if THREAD_SANITIZER
            // It does not see that a continuation resumed before it is awaited orders memory, but sees the lock, which
            // the sender held before.
            machine.withLock { _ in }
            #endif
            return element
        }
    }

    /// Receives an element if there is one. Never waits.
    func receiveIfAny() -> Element? {
        guard case .element(let element, let producers) = machine.withLock({ $0.take() }) else { return nil }
        for producer in producers { producer.resume(returning: true) }
        return element
    }

    /// Ends sending. Receivers get the remaining elements, then nil.
    func finish() {
        let consumers = machine.withLock { $0.finish() }
        for consumer in consumers { consumer.resume(returning: nil) }
    }

    /// Drops all elements and wakes all waiting tasks: senders get false, receivers get nil.
    func cancel() {
        let waiters = machine.withLock { $0.cancel() }
        for producer in waiters.producers { producer.resume(returning: false) }
        for consumer in waiters.consumers { consumer.resume(returning: nil) }
    }
}

/// Moves a value through a channel, so that the receiver is its only owner.
///
/// If the value were sent directly, the sender's stack frame might still reference it, and the receiver's
/// first change would copy it. A box is opened once; after that only the receiver has the content.
final class TransferBox<Content: Sendable>: Sendable {
    private let content: Guarded<Content?>

    init(_ content: consuming Content) {
        self.content = Guarded(content)
    }

    /// Takes the content out. Returns nil the second time.
    func open() -> Content? {
        content.withLock { $0.take() }
    }
}
