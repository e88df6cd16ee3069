/// Groups waiters by key: the first waiter of a key fetches the answer, and all others wait for it.
package struct SingleFlight<Key: Hashable & Sendable, Waiter: Sendable>: Sendable {
    private var waiters: [Key: [Waiter]] = [:]

    /// No waiters.
    package init() {}

    /// Number of keys that are being fetched.
    package var count: Int { waiters.count }

    /// Adds a waiter for a key.
    ///
    /// - Returns: Whether the waiter is the first, which must fetch the answer.
    package mutating func join(_ key: Key, _ waiter: Waiter) -> Bool {
        let leads = waiters[key] == nil
        waiters[key, default: []].append(waiter)
        return leads
    }

    /// Removes a key whose answer has arrived.
    ///
    /// - Returns: Its waiters, in the order in which they joined.
    package mutating func complete(_ key: Key) -> [Waiter] { waiters.removeValue(forKey: key) ?? [] }
}

extension SingleFlight where Waiter: Equatable {
    /// Removes a waiter. The key stays even without waiters, because its answer is worth caching.
    package mutating func leave(_ key: Key, _ waiter: Waiter) {
        waiters[key]?.removeAll { $0 == waiter }
    }
}
