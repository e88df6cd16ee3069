import Services
import System

/// Work that several requests need at the same time: one does it, the others get its answer.
struct SharedWork<Key: Hashable & Sendable, Answer: Sendable>: Sendable {
    /// A closure in a field: read out of a generic box it would be wrapped once more each time.
    private struct Waiter: Sendable {
        let reply: @Sendable (Answer) -> Void
    }

    private let flights = Guarded(SingleFlight<Key, Waiter>())

    /// Waits for work that is under way, or begins it.
    ///
    /// - Parameter reply: Called with the answer, on some thread; not if the caller does the work.
    /// - Returns: Whether it is under way. If not, the caller does the work and calls ``end(_:_:)``.
    func isUnderWay(_ key: Key, _ reply: @escaping @Sendable (Answer) -> Void) -> Bool {
        flights.withLock { !$0.join(key, Waiter(reply: reply)) }
    }

    /// Ends work with its answer.
    func end(_ key: Key, _ answer: Answer) {
        // The first has done the work.
        for waiter in flights.withLock({ $0.complete(key) }).dropFirst() { waiter.reply(answer) }
    }
}
