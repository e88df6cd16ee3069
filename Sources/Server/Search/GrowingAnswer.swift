import Queries
import System

/// The books that a search has found so far.
struct SearchedBooks: Sendable {
    var books: [FoundBook]
    /// The version of the store that was searched.
    let version: UInt64
    /// Whether nothing is missing that a service may still tell.
    var isComplete = true
}

/// The answer to a search that becomes known bit by bit. It is given once: when it is complete, or, from a moment on, as
/// soon as anything is known.
final class GrowingAnswer: Sendable {
    typealias Found = Result<SearchedBooks, SearchService.SearchFailure>

    private struct State {
        /// What can be given so far.
        var known: SearchedBooks?
        /// Whether what is known is given without waiting for more.
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
            if !Task.isCancelled { note { $0.isDue = true } }
        }
        state.withLock { $0.timer = timer }
    }

    /// Notes books to which more may still come.
    func know(_ books: SearchedBooks) { note { $0.known = books } }

    /// Ends the search. A failure does not spoil what is known.
    ///
    /// - Returns: Whether it was in time: the answer was not given before.
    func end(_ found: Found) -> Bool {
        let last = state.withLock { state -> Found? in
            state.timer?.cancel()
            guard !state.isGiven else { return nil }
            state.isGiven = true
            if case .failure = found, let known = state.known { return .success(known) }
            return found
        }
        if let last { give(last) }
        return last != nil
    }

    private func note(_ change: (inout State) -> Void) {
        let due = state.withLock { state -> SearchedBooks? in
            change(&state)
            guard state.isDue, !state.isGiven, let known = state.known else { return nil }
            state.isGiven = true
            return known
        }
        if let due { give(.success(due)) }
    }
}
