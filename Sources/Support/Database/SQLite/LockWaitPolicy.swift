import CSQLite
package import System

/// Maximum wait for a database that another process has locked, the signal that ends it early, and its
/// observer.
package struct LockWaitPolicy: Sendable {
    /// Ten minutes. With a rollback journal, a commit waits until there are no readers. So a long export
    /// delays a run, but does not end it.
    private static let defaultLimit: UInt64 = 600_000

    /// Maximum duration of one wait in milliseconds.
    var milliseconds: UInt64
    let clock: any RunClock
    /// Once it is raised, waits are short.
    package let stop: StopSignal
    /// Called with the database's path when a wait takes long.
    let report: @Sendable (String) -> Void

    package init(
        clock: any RunClock = SystemClock(), stop: StopSignal = StopSignal(),
        reporting report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        milliseconds = Self.defaultLimit
        self.clock = clock
        self.stop = stop
        self.report = report
    }

    /// The same policy, but without the stop signal, for work that a later run cannot do.
    package var despiteStop: LockWaitPolicy {
        var policy = LockWaitPolicy(clock: clock, reporting: report)
        policy.milliseconds = milliseconds
        return policy
    }

    /// The same policy with another maximum duration, in milliseconds.
    package func with(milliseconds: UInt64) -> LockWaitPolicy {
        var policy = self
        policy.milliseconds = milliseconds
        return policy
    }
}

/// A connection's busy handler. SQLite calls it on the connection's thread between two attempts to lock the
/// database.
final class LockWait {
    /// After how many milliseconds a wait is reported.
    private static let reportAfter: UInt64 = 1_000
    /// Maximum duration of a wait in milliseconds, once the stop signal is raised.
    private static let limitOnceStopped: UInt64 = 200
    /// Maximum pause between two attempts in milliseconds.
    private static let longestPause: UInt64 = 100

    private let path: String
    private let policy: LockWaitPolicy
    /// Milliseconds of this wait so far. They are counted from the pauses, so that a clock that stands still or is
    /// set back cannot make a wait endless.
    private var waited: UInt64 = 0
    private var isReported = false

    init(_ path: String, _ policy: LockWaitPolicy) {
        self.path = path
        self.policy = policy
    }

    /// Pauses before another attempt to lock the database.
    ///
    /// - Parameter tries: The number of earlier calls in this wait.
    /// - Returns: Whether to try again; false if the wait has taken too long.
    private func continues(after tries: Int32) -> Bool {
        if tries == 0 { (waited, isReported) = (0, false) }
        let limit =
            policy.stop.isRaised ? min(Self.limitOnceStopped, policy.milliseconds) : policy.milliseconds
        guard waited < limit else { return false }
        if waited >= Self.reportAfter, !isReported {
            isReported = true
            policy.report(path)
        }
        let pause = min(Self.longestPause, 1 << UInt64(min(tries, 10)), limit - waited)
        policy.clock.block(nanoseconds: pause * 1_000_000)
        waited += pause
        return true
    }

    /// Installs this object as a connection's busy handler. The connection must keep it alive, because SQLite
    /// has an unretained pointer to it.
    func begin(on handle: OpaquePointer) {
        sqlite3_busy_handler(
            handle,
            { pointer, tries in
                guard let pointer else { return 0 }
                return Unmanaged<LockWait>.fromOpaque(pointer).takeUnretainedValue().continues(after: tries)
                    ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
