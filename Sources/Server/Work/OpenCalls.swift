/// The calls that are under way, each of which should return soon. One that does not is stuck: in a deadlock, or in work that
/// should have gone to a pool.
package struct OpenCalls: Sendable {
    /// After how many nanoseconds a call is stuck.
    private let limit: UInt64
    /// When the calls began, by their key.
    private var began: [UInt: UInt64] = [:]

    /// - Parameter limit: Maximum time of a call, in nanoseconds.
    package init(limit: UInt64) { self.limit = limit }

    /// Begins a call. Keys are of the caller's choice, one for each call at a time.
    package mutating func begin(_ key: UInt, at now: UInt64) { began[key] = now }

    /// Ends a call.
    package mutating func end(_ key: UInt) { began[key] = nil }

    /// Whether a call of this key is under way.
    package func isOpen(_ key: UInt) -> Bool { began[key] != nil }

    /// Whether a call is under way for longer than the limit.
    package func isStuck(at now: UInt64) -> Bool {
        began.values.contains { now > $0 && now - $0 > limit }
    }
}
