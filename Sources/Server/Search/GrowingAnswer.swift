import System

/// The answer to a search that becomes known bit by bit. It is given once: when it is complete, or, from a moment on, as
/// soon as anything is known.
final class GrowingAnswer: Sendable {
    typealias Found = Result<SearchCache.Entry, SearchService.SearchFailure>

    private struct State {
        /// What can be given so far.
        var known: SearchCache.Entry?
        /// Whether nobody waits for more than is known.
        var isDue = false
        var isGiven = false
        var timer: Task<Void, Never>?
    }

    private let state = Guarded(State())
    private let give: @Sendable (Found) -> Void

    /// - Parameter give: Called once with the answer, on some thread.
    init(_ give: @escaping @Sendable (Found) -> Void) { self.give = give }

    /// Gives what is known after this many nanoseconds, or after that as soon as anything is known.
    func hurry(after nanoseconds: UInt64, on clock: any RunClock) {
        let timer = Task { [self] in
            await clock.sleep(nanoseconds: nanoseconds)
            if !Task.isCancelled { _ = note { $0.isDue = true } }
        }
        state.withLock { $0.timer = timer }
    }

    /// Notes an answer that may still grow.
    func know(_ entry: SearchCache.Entry) { _ = note { $0.known = entry } }

    /// Ends the search. A failure does not spoil what is known.
    ///
    /// - Returns: Whether it was in time: the answer was not given before.
    func end(_ found: Found) -> Bool {
        state.withLock { $0.timer }?.cancel()
        let isGiven = note { state in
            if case .success(let entry) = found { state.known = entry }
            state.isDue = true
        }
        if isGiven { return true }
        guard take({ _ in true }) != nil else { return false }
        // Nothing was known.
        give(found)
        return true
    }

    /// - Returns: Whether this was what the answer waited for.
    private func note(_ change: (inout State) -> Void) -> Bool {
        state.withLock { change(&$0) }
        guard let known = take({ $0.isDue && $0.known != nil })?.known else { return false }
        give(.success(known))
        return true
    }

    /// The state, if the answer is to be given now.
    private func take(_ isReady: (State) -> Bool) -> State? {
        state.withLock { state in
            guard !state.isGiven, isReady(state) else { return nil }
            state.isGiven = true
            return state
        }
    }
}
