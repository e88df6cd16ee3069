import System

/// Work that several requests need at the same time: one does it, the others get its answer.
struct SharedWork<Key: Hashable & Sendable, Answer: Sendable>: Sendable {
    private let waiting = Guarded<[Key: [@Sendable (Answer) -> Void]]>([:])

    /// Waits for work that is under way, or begins it.
    ///
    /// - Parameter reply: Called with the answer, on some thread.
    /// - Returns: Whether it is under way. If not, the caller does the work and calls ``end(_:_:)``; `reply` is not called.
    func isUnderWay(_ key: Key, _ reply: @escaping @Sendable (Answer) -> Void) -> Bool {
        waiting.withLock { waiting in
            guard waiting[key] != nil else {
                waiting[key] = []
                return false
            }
            waiting[key]?.append(reply)
            return true
        }
    }

    /// Ends work with its answer.
    func end(_ key: Key, _ answer: Answer) {
        for reply in waiting.withLock({ $0.removeValue(forKey: key) }) ?? [] { reply(answer) }
    }
}
