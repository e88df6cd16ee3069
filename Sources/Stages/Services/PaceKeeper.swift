package import Pipeline

/// Where the state of pace is: in a file that all processes of the user share, or in a test's memory.
package protocol PaceKeeper: Sendable {
    /// Changes the state of an account, alone.
    func change<Result: Sendable>(
        _ account: String, _ body: @Sendable (inout PaceState) -> Result
    ) async throws(StageFailure) -> Result
}

/// Keeps the state of pace for one process alone: for tests, and where no file can be kept.
package final class PaceInMemory: PaceKeeper {
    private let states = Guarded<[String: PaceState]>([:])

    package init() {}

    package func change<Result: Sendable>(
        _ account: String, _ body: @Sendable (inout PaceState) -> Result
    ) async throws(StageFailure) -> Result {
        states.withLock { states in
            var state = states[account] ?? PaceState()
            defer { states[account] = state }
            return body(&state)
        }
    }
}
