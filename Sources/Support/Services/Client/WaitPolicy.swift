import System

/// Maximum wait of callers for a service.
package enum WaitPolicy: Sendable, Hashable {
    /// This many nanoseconds per batch. Later answers are left to a later pass.
    case timeout(UInt64)
    /// As long as the service's rate limit requires.
    case noTimeout
    /// As long as necessary, but only for keys without a cached answer. Any cached answer is accepted,
    /// however old.
    case gapsOnly
    /// Not at all. Only cached answers are used, however old, and no service is asked.
    case cacheOnly

    /// Whether a cached answer of any age is accepted.
    var takesAnyAge: Bool { self == .gapsOnly || self == .cacheOnly }

    /// The first pass over the input: two seconds per batch, so that a slow service does not hold up the run.
    package static let firstPass = WaitPolicy.timeout(2_000_000_000)
}

/// The wait policy of a run, shared by all its services: with a timeout in the first pass over the input, and
/// without one in the pending pass.
package final class SharedWaitPolicy: Sendable {
    private struct State {
        var waitPolicy: WaitPolicy
        var isLaterPass = false
    }

    private let state: Guarded<State>

    package init(_ waitPolicy: WaitPolicy) { state = Guarded(State(waitPolicy: waitPolicy)) }

    package var waitPolicy: WaitPolicy {
        get { state.withLock { $0.waitPolicy } }
        set { state.withLock { $0.waitPolicy = newValue } }
    }

    /// The policy, and whether lookups of an earlier pass are repeated, so that they must not be counted
    /// again.
    var current: (waitPolicy: WaitPolicy, isLaterPass: Bool) {
        state.withLock { ($0.waitPolicy, $0.isLaterPass) }
    }

    /// Begins another pass over the input.
    package func beginLaterPass(_ waitPolicy: WaitPolicy) {
        state.withLock { $0 = State(waitPolicy: waitPolicy, isLaterPass: true) }
    }
}

/// When a lookup of several requests must be finished. The wait policy's time is for all of them together.
package struct LookupDeadline {
    /// Nil if there is no deadline.
    package let instant: UInt64?

    package init(_ dependencies: ClientDependencies) {
        switch dependencies.waitPolicy.waitPolicy {
        case .timeout(let nanoseconds): instant = dependencies.clock.nanoseconds() + nanoseconds
        case .noTimeout, .gapsOnly, .cacheOnly: instant = nil
        }
    }
}
