import System

/// Health of a service in a run so far, and whether it is worth asking. A pure value; instants are
/// nanoseconds on the run's clock (``RunClock/nanoseconds()``).
struct ServiceHealth: Sendable {
    /// Number of consecutive throttled responses after which a service that has not answered yet is left
    /// alone. Services ban clients that go on asking.
    static let throttlingLimit = 2
    /// The same for a service that has answered in this run. It may reject a part of all requests.
    static let throttlingLimitAfterAnswers = 6
    /// Maximum wait for a throttling service without an answer, in nanoseconds.
    static let longestThrottling: UInt64 = 150_000_000_000
    /// Maximum number of consecutive responses that say that the servers are overloaded, and of throttled
    /// responses to one batch while others are answered.
    static let overloadLimit = 8
    /// Maximum number of consecutive failed attempts before callers stop waiting for the service: those that
    /// open the circuit breaker (``CircuitBreaker``), and a few probes.
    private static let failureLimit = 12
    /// Number of consecutive refused keys of a kind after which the kind is no longer asked for in this run.
    static let refusalLimit = 5

    /// Outcome of the last failed attempt.
    private(set) var lastFailure: LookupOutcome?
    /// Until when it is left alone, because it rejected credentials that it has never accepted.
    private var blockedUntil: UInt64 = 0
    /// Whether it has answered in this run.
    private(set) var hasAnswered = false
    private var failuresInARow = 0
    /// The latest lease whose request was answered.
    private var answeredLease: Int64 = 0
    private(set) var throttlingsInARow = 0
    private var overloadsInARow = 0
    /// The latest lease that was granted before the last throttling counted.
    private var throttledLease: Int64 = 0
    /// When the first of the throttled responses in a row arrived.
    private var throttledSince: UInt64 = 0
    /// Until when it is left alone, because it throttles every request.
    private var leftAloneUntil: UInt64 = 0
    /// The kinds that were answered since a key of them was last refused (``settlesRefusal(of:)``).
    private var answeredKinds: Set<ServiceKey.Kind> = []
    /// Number of refused keys since the last answer to a key of the same kind.
    private var refusals: [ServiceKey.Kind: Int] = [:]

    /// Whether it is worth waiting for while its circuit breaker is open: it has answered in this run.
    var isWorthWaitingFor: Bool { hasAnswered && failuresInARow < Self.failureLimit }

    /// Why it is not asked: it rejected our credentials, or throttles every request. Nil if it may be asked.
    func refusal(at now: UInt64) -> LookupOutcome? {
        blockedUntil > now ? .blocked : leftAloneUntil > now ? .rateLimited : nil
    }

    /// Whether all recent requests for a kind were refused, so that it is no longer asked for in this run.
    func isRefused(_ kind: ServiceKey.Kind) -> Bool { refusals[kind, default: 0] >= Self.refusalLimit }

    /// - Parameter lease: The request's lease. Leases are numbered in the order in which requests are admitted.
    mutating func answered(_ kind: ServiceKey.Kind, _ lease: Int64 = 0) {
        hasAnswered = true
        blockedUntil = 0
        answeredLease = max(answeredLease, lease)
        (failuresInARow, throttlingsInARow, overloadsInARow) = (0, 0, 0)
        answeredKinds.insert(kind)
        refusals[kind] = nil
    }

    /// Records a failed attempt. If a later one was answered, it says nothing about the service's health now.
    mutating func failed(_ outcome: LookupOutcome, _ lease: Int64) {
        if lease > answeredLease { failuresInARow += 1 }
        lastFailure = outcome
    }

    /// Whether a few keys that were refused, each alone, are keys that the service does not have. That is so
    /// if it answers other requests of the kind. Between two such batches there must be an answer, because a
    /// service may begin to refuse all requests.
    mutating func settlesRefusal(of kind: ServiceKey.Kind) -> Bool { answeredKinds.remove(kind) != nil }

    /// Records keys that were refused although they are not at fault. It is not counted as a failure: the
    /// service is up, and waiting does not help.
    mutating func refused(_ kind: ServiceKey.Kind, count: Int) { refusals[kind, default: 0] += count }

    /// Records a throttled request. Requests that were admitted before the pause that followed the previous
    /// throttling count as the same one, even if they were sent a moment later.
    ///
    /// - Parameters:
    ///   - lease: The request's lease.
    ///   - last: The latest lease that was granted before the pause that this response demands.
    ///   - pause: Nanoseconds until it may be asked again, at most a few days.
    ///   - isOverloaded: Whether the service is overloaded, instead of asked too often.
    mutating func throttled(
        _ lease: Int64, grantedBeforePause last: Int64, now: UInt64, pause: UInt64 = 0,
        isOverloaded: Bool = false
    ) {
        let isFirst = throttlingsInARow + overloadsInARow == 0
        guard isFirst || lease > throttledLease else { return }
        if isFirst { throttledSince = now }
        if isOverloaded { overloadsInARow += 1 } else { throttlingsInARow += 1 }
        throttledLease = last
        let end = now + pause
        let limit = hasAnswered ? Self.throttlingLimitAfterAnswers : Self.throttlingLimit
        if throttlingsInARow >= limit || overloadsInARow > Self.overloadLimit
            || end - throttledSince > Self.longestThrottling
        {
            leftAloneUntil = end
        }
    }

    /// Records rejected credentials that were never accepted.
    mutating func blocked(until instant: UInt64) { blockedUntil = instant }
}

/// The status of a service while a run waits for it.
package struct ServiceStatus: Sendable, Hashable {
    /// The service's name.
    package var service: String
    /// Number of requests sent in this run.
    package var calls: Int
    /// Number of pending answers.
    package var open: Int
    /// Until when it is not asked, in milliseconds since 1970; nil if it is being asked.
    package var pausedUntil: Int64?
    /// Minimum time for the pending answers at the service's rate, in seconds.
    package var secondsLeft: Double

    package init(service: String, calls: Int = 0, open: Int, pausedUntil: Int64?, secondsLeft: Double) {
        self.service = service
        self.calls = calls
        self.open = open
        self.pausedUntil = pausedUntil
        self.secondsLeft = secondsLeft
    }
}
