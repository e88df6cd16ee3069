import CSQLite
package import Pipeline

/// How long a database is waited for that another program has locked, what ends that sooner, and who is told.
package struct LockWaitPolicy: Sendable {
    /// Under a rollback journal a commit waits until nobody reads, ten minutes at the most: a long export delays it, and
    /// ends no run.
    private static let writerWaitPolicy: UInt64 = 600_000

    /// In milliseconds, for one wait.
    var waitPolicy: UInt64
    let clock: any RunClock
    /// Once it is raised nobody waits for longer than a moment.
    let stop: StopSignal
    /// Told the database's path when a wait has become a long one.
    let report: @Sendable (String) -> Void

    package init(
        clock: any RunClock = SystemClock(), stop: StopSignal = StopSignal(),
        reporting report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        waitPolicy = Self.writerWaitPolicy
        self.clock = clock
        self.stop = stop
        self.report = report
    }

    /// The same terms, whoever is to stop: for what cannot be done by a later run.
    package var despiteStop: LockWaitPolicy {
        var terms = LockWaitPolicy(clock: clock, reporting: report)
        terms.waitPolicy = waitPolicy
        return terms
    }

    /// The same terms, but for how long.
    package func with(waitPolicy: UInt64) -> LockWaitPolicy {
        var terms = self
        terms.waitPolicy = waitPolicy
        return terms
    }
}

/// What a connection does while another program has its database locked. SQLite asks it, on the connection's own thread,
/// between two tries.
final class LockWait {
    /// A wait that somebody would wonder about.
    private static let reportAfter: UInt64 = 1_000
    /// Once the run is to stop, in milliseconds: who has a lock for no longer is waited for.
    private static let waitPolicyOnceStopped: UInt64 = 200
    private static let longestPause: UInt64 = 100

    private let path: String
    private let terms: LockWaitPolicy
    private var began: UInt64 = 0
    private var isTold = false

    init(_ path: String, _ terms: LockWaitPolicy) {
        self.path = path
        self.terms = terms
    }

    /// Waits a little, where the lock is to be tried for once more.
    ///
    /// - Parameter tries: How often it was tried for before, in this wait.
    /// - Returns: Whether it is tried for again.
    private func continues(after tries: Int32) -> Bool {
        if tries == 0 { (began, isTold) = (terms.clock.nanoseconds(), false) }
        let waited = (terms.clock.nanoseconds() - began) / 1_000_000
        let waitPolicy =
            terms.stop.isRaised ? min(Self.waitPolicyOnceStopped, terms.waitPolicy) : terms.waitPolicy
        guard waited < waitPolicy else { return false }
        if waited >= Self.reportAfter, !isTold {
            isTold = true
            terms.report(path)
        }
        let pause = min(Self.longestPause, 1 << UInt64(min(tries, 10)), waitPolicy - waited)
        terms.clock.block(nanoseconds: pause * 1_000_000)
        return true
    }

    /// Has a connection wait so, in place of how it waited before. The connection keeps this wait for as long as SQLite
    /// may ask it: SQLite has a bare pointer to it.
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
