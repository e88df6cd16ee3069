/// Gathers things to be asked for together: a batch leaves when it is full, or when its first member has waited
/// long enough. Instants are nanoseconds on a clock that never goes back.
public struct BatchAccumulator<Key: Hashable & Sendable>: Sendable {
    /// What to do now.
    public enum Step: Sendable, Equatable {
        case leave([Key])
        /// Not full yet: look again then, or when something is added.
        case wait(until: UInt64)
        case nothing
    }

    private let size: Int
    private let linger: UInt64
    private var waiting: [(key: Key, since: UInt64)] = []
    private var head = 0

    /// - Parameters:
    ///   - size: Members of a full batch, at least 1.
    ///   - linger: Nanoseconds the first member waits for others at the most.
    public init(size: Int, linger: UInt64) {
        self.size = max(1, size)
        self.linger = size <= 1 ? 0 : linger
    }

    /// Members that wait.
    public var count: Int { waiting.count - head }

    /// Adds a member, which waits from now on.
    public mutating func add(_ key: Key, at now: UInt64) { waiting.append((key, now)) }

    /// The next batch, in the order in which its members came.
    public mutating func next(at now: UInt64) -> Step {
        guard count > 0 else { return .nothing }
        let due = waiting[head].since + linger
        guard count >= size || now >= due else { return .wait(until: due) }
        let batch = waiting[head..<min(waiting.count, head + size)].map { $0.key }
        head += batch.count
        if head > 1_024, head * 2 > waiting.count {
            waiting.removeFirst(head)
            head = 0
        }
        return .leave(batch)
    }
}
