/// Collects keys that are asked for together. A batch is ready when it is full, or when its first key has
/// waited long enough. Times are nanoseconds on a monotonic clock.
package struct BatchAccumulator<Key: Hashable & Sendable>: Sendable {
    /// The next action.
    package enum Step: Sendable, Equatable {
        /// This batch is ready.
        case ready([Key])
        /// Not ready yet: check again at this time, or when a key is added.
        case wait(until: UInt64)
        case nothing
    }

    private let size: Int
    private let linger: UInt64
    private var waiting: [(key: Key, due: UInt64)] = []
    private var head = 0

    /// - Parameters:
    ///   - size: Number of keys in a full batch, at least 1.
    ///   - linger: Maximum time in nanoseconds that the first key waits for others.
    package init(size: Int, linger: UInt64) {
        self.size = max(1, size)
        self.linger = size <= 1 ? 0 : linger
    }

    /// Number of waiting keys.
    package var count: Int { waiting.count - head }

    /// Adds a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - now: Since when it waits.
    ///   - lingering: Its wait, if it differs from that of others. A key behind it waits at least as long.
    package mutating func add(_ key: Key, at now: UInt64, lingering: UInt64? = nil) {
        waiting.append((key, now + (size > 1 ? lingering ?? linger : 0)))
    }

    /// The next batch, if one is ready. Its keys are in the order in which they were added.
    package mutating func next(at now: UInt64) -> Step {
        guard count > 0 else { return .nothing }
        let due = waiting[head].due
        guard count >= size || now >= due else { return .wait(until: due) }
        let batch = waiting[head..<min(waiting.count, head + size)].map { $0.key }
        head += batch.count
        if head > 1_024, head * 2 > waiting.count {
            waiting.removeFirst(head)
            head = 0
        }
        return .ready(batch)
    }
}
