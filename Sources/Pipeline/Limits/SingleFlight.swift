/// Brings those who want the same thing together: the first to ask leads, all others wait for the same answer.
public struct SingleFlight<Key: Hashable & Sendable, Waiter: Hashable & Sendable>: Sendable {
    private var waiters: [Key: [Waiter]] = [:]

    /// Nobody is after anything.
    public init() {}

    /// Keys somebody is after.
    public var count: Int { waiters.count }

    /// Joins those who wait for a key.
    ///
    /// - Returns: Whether the waiter is the first: it is the one to see to the answer.
    public mutating func join(_ key: Key, _ waiter: Waiter) -> Bool {
        let leads = waiters[key] == nil
        waiters[key, default: []].append(waiter)
        return leads
    }

    /// The answer is there.
    ///
    /// - Returns: All who wait for it, in the order in which they came; they are forgotten.
    public mutating func land(_ key: Key) -> [Waiter] { waiters.removeValue(forKey: key) ?? [] }

    /// Stops waiting. The flight goes on, even for nobody: its answer is worth keeping.
    public mutating func leave(_ key: Key, _ waiter: Waiter) {
        waiters[key]?.removeAll { $0 == waiter }
    }
}
