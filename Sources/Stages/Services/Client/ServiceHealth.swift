/// How a service has behaved in a run so far, and whether it is worth asking. A pure value; instants are
/// nanoseconds on the run's clock (``RunClock/nanoseconds()``).
struct ServiceHealth: Sendable {
    /// Maximum number of consecutive throttled responses, for one batch and for the service.
    static let throttlingLimit = 8
    /// Maximum number of consecutive failed attempts before callers stop waiting for the service.
    private static let failureLimit = 8

    /// Why it is no longer asked in this run: it rejected our credentials, or throttles every request.
    private(set) var givenUp: LookupOutcome?
    private var hasAnswered = false
    private var failuresInARow = 0
    private var throttlingsInARow = 0
    private var throttledAt: UInt64 = 0

    /// Whether it is worth waiting for while its circuit breaker is open: it has answered in this run.
    var isWorthWaitingFor: Bool { hasAnswered && failuresInARow < Self.failureLimit }

    mutating func answered() {
        hasAnswered = true
        failuresInARow = 0
        throttlingsInARow = 0
    }

    mutating func failed() { failuresInARow += 1 }

    /// Records a throttled request. Requests that were already under way at the previous throttling count as
    /// the same one.
    mutating func throttled(callStartedAt began: UInt64, now: UInt64) {
        guard throttlingsInARow == 0 || began > throttledAt else { return }
        throttlingsInARow += 1
        throttledAt = now
        if throttlingsInARow > Self.throttlingLimit { givenUp = givenUp ?? .rateLimited }
    }

    mutating func blocked() { givenUp = .blocked }
}

/// The status of a service while a run waits for it.
package struct ServiceStatus: Sendable, Hashable {
    /// The service's name.
    package var service: String
    /// Number of pending answers.
    package var open: Int
    /// Until when it is not asked, in milliseconds since 1970; nil if it is being asked.
    package var pausedUntil: Int64?
    /// Minimum time for the pending answers at the service's rate, in seconds.
    package var secondsLeft: Double

    package init(service: String, open: Int, pausedUntil: Int64?, secondsLeft: Double) {
        self.service = service
        self.open = open
        self.pausedUntil = pausedUntil
        self.secondsLeft = secondsLeft
    }
}
