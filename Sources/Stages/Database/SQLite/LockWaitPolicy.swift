package import Pipeline

/// How long a database is waited for that another program has locked, what ends that sooner, and who is told.
package struct LockWaitPolicy: Sendable {
    /// Under a rollback journal a commit waits until nobody reads, ten minutes at the most: a long export delays it, and
    /// ends no run.
    private static let writersPatience: UInt64 = 600_000

    /// In milliseconds, for one wait.
    var patience: UInt64
    let clock: any RunClock
    /// Once it is raised nobody waits for longer than a moment.
    let stop: StopSignal
    /// Told the database's path when a wait has become a long one.
    let tell: @Sendable (String) -> Void

    package init(
        clock: any RunClock = SystemClock(), stop: StopSignal = StopSignal(),
        telling tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        patience = Self.writersPatience
        self.clock = clock
        self.stop = stop
        self.tell = tell
    }

    /// The same terms, whoever is to stop: for what cannot be done by a later run.
    package var despiteStop: LockWaitPolicy {
        var terms = LockWaitPolicy(clock: clock, telling: tell)
        terms.patience = patience
        return terms
    }

    /// The same terms, but for how long.
    package func with(patience: UInt64) -> LockWaitPolicy {
        var terms = self
        terms.patience = patience
        return terms
    }
}
