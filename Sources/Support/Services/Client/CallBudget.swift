import System

/// Maximum number of requests of a run to all services together. Every attempt counts.
///
/// When it is spent, requests under way end normally, so that no answer is lost. Further ones are refused.
package final class CallBudget: Sendable {
    private struct State {
        /// Nil for any number.
        var left: Int?
        var isSpent = false
    }

    private let state: Guarded<State>

    /// - Parameter calls: The number of requests; nil for any number.
    package init(calls: Int?) { state = Guarded(State(left: calls, isSpent: calls == 0)) }

    /// Whether no further request may be sent.
    package var isSpent: Bool { state.withLock { $0.isSpent } }

    /// Refuses all further requests, because the time is up.
    package func end() { state.withLock { $0.isSpent = true } }

    /// Takes up to a number of requests.
    ///
    /// - Returns: Number of requests that may be sent.
    func take(_ count: Int) -> Int {
        state.withLock { state in
            guard !state.isSpent else { return 0 }
            guard let left = state.left else { return count }
            let taken = min(left, count)
            state.left = left - taken
            return taken
        }
    }

    /// Gives back requests that were not sent. The budget is spent when none are left after that.
    func giveBack(_ count: Int) {
        state.withLock { state in
            guard let left = state.left else { return }
            state.left = left + count
            if left + count == 0 { state.isSpent = true }
        }
    }
}
