package import Pipeline

/// Where the state of pace is: in a file that all processes of the user share, or in a test's memory.
package protocol LimiterStore: Sendable {
    /// Who this process is to the others that share the state; 0 where it shares it with nobody.
    var owner: Int64 { get }

    /// Changes the state of an account, alone. It returns when the change is kept.
    func change<Result: Sendable>(
        _ account: String, _ body: @escaping @Sendable (inout LimiterState) -> Result
    ) async throws(StageFailure) -> Result
}

/// Keeps the state of pace for one process alone: for tests, and where no file can be kept.
package final class InMemoryLimiterStore: LimiterStore {
    private let states = Guarded<[String: LimiterState]>([:])

    package init() {}

    package var owner: Int64 { 0 }

    package func change<Result: Sendable>(
        _ account: String, _ body: @escaping @Sendable (inout LimiterState) -> Result
    ) async throws(StageFailure) -> Result {
        states.withLock { states in
            var state = states[account] ?? LimiterState()
            defer { states[account] = state }
            return body(&state)
        }
    }
}
