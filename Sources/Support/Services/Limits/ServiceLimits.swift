/// The limits for calls to a service. ``LimiterState`` has their current state.
package struct ServiceLimits: Sendable, Hashable {
    /// The maximum rate of calls.
    package var rate: RateLimiter.Rate
    /// Maximum number of calls at once, over all processes.
    package var concurrency: Int
    /// The daily budget; nil if there is none.
    package var quota: QuotaLedger.Budget?
    /// When the circuit breaker opens, and for how long.
    package var breaker: CircuitBreaker.Rule
    /// Minimum pause after a 429 response in microseconds, even if the service demands a shorter one.
    package var throttlePause: Int64
    /// Time in microseconds after which an unfinished call counts as lost, because its process was killed.
    package var leaseTime: Int64
    /// Time in microseconds between two checks for a free lease.
    package var leasePolling: Int64 = 20_000

    /// Limits with a given rate. The other defaults suit most services.
    package init(
        rate: RateLimiter.Rate, concurrency: Int = 1, quota: QuotaLedger.Budget? = nil,
        breaker: CircuitBreaker.Rule = .init(), throttlePause: Int64 = 1_000_000,
        leaseTime: Int64 = 90_000_000
    ) {
        self.rate = rate
        self.concurrency = max(1, concurrency)
        self.quota = quota
        self.breaker = breaker
        self.throttlePause = throttlePause
        self.leaseTime = max(1, leaseTime)
    }

    /// Number of requests whose time a service that is asked fast pauses for at least after a 429 response.
    private static let throttledRequests: Int64 = 20
    /// Minimum of that pause in microseconds.
    private static let shortestPause: Int64 = 100_000

    /// The same limits with another rate, and enough concurrent calls to reach it if each takes a quarter of
    /// a second, up to 64. The minimum pause after a 429 response is shorter at more than 20 calls per
    /// second: the time of twenty calls, at least a tenth of a second.
    package func limited(perSecond rate: Double) -> ServiceLimits {
        var limits = self
        limits.rate = RateLimiter.Rate(perSecond: rate, burst: Int(min(1_000, max(1, rate / 10))))
        limits.concurrency = max(concurrency, Int(min(64, rate / 4)))
        limits.throttlePause = min(
            throttlePause, max(Self.shortestPause, Self.throttledRequests * limits.rate.interval))
        return limits
    }
}
