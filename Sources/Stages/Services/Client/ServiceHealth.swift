/// How a service has fared in a run so far, and whether it is worth asking any longer. A pure value; instants are
/// nanoseconds on the run's clock (``RunClock/nanoseconds()``).
struct ServiceHealth: Sendable {
    /// Throttlings in a row that are waited for, of one batch and of the service.
    static let throttlingLimit = 8
    /// Attempts that may fail in a row before nobody waits for the service any more.
    private static let failureLimit = 8

    /// Why it is asked no more in this run: it does not let us in, or throttles whatever it is asked.
    private(set) var givenUp: LookupOutcome?
    private var hasAnswered = false
    private var failuresInARow = 0
    private var throttlingsInARow = 0
    private var throttledAt: UInt64 = 0

    /// Whether it is worth waiting for while its breaker is open: it did answer in this run.
    var isWorthWaitingFor: Bool { hasAnswered && failuresInARow < Self.failureLimit }

    mutating func answered() {
        hasAnswered = true
        failuresInARow = 0
        throttlingsInARow = 0
    }

    mutating func failed() { failuresInARow += 1 }

    /// Notes a throttling. Calls that were under way together when the first of them was throttled say no more than it.
    mutating func throttled(callStartedAt began: UInt64, now: UInt64) {
        guard throttlingsInARow == 0 || began > throttledAt else { return }
        throttlingsInARow += 1
        throttledAt = now
        if throttlingsInARow > Self.throttlingLimit { givenUp = givenUp ?? .rateLimited }
    }

    mutating func blocked() { givenUp = .blocked }
}

/// How a service stands while a run waits for it.
package struct ServiceStatus: Sendable, Hashable {
    /// The service's name.
    package var service: String
    /// Answers that are still to come.
    package var open: Int
    /// Milliseconds since 1970 until which it is left alone; nil while it is asked.
    package var pausedUntil: Int64?
    /// Seconds that what is open takes at the service's rate, at the least.
    package var secondsLeft: Double

    package init(service: String, open: Int, pausedUntil: Int64?, secondsLeft: Double) {
        self.service = service
        self.open = open
        self.pausedUntil = pausedUntil
        self.secondsLeft = secondsLeft
    }
}
