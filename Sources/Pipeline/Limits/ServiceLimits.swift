/// The rules by which a service is asked; ``LimiterState`` holds how things stand.
public struct ServiceLimits: Sendable, Hashable {
    /// How fast it may be asked.
    public var rate: RateLimiter.Rate
    /// Calls under way at once, over all processes, at the most.
    public var concurrency: Int
    /// The day's budget; nil where there is none.
    public var quota: QuotaLedger.Budget?
    /// When it is given up for a while.
    public var breaker: CircuitBreaker.Rule
    /// Microseconds to stay away after a 429 at the least, whatever it says itself.
    public var throttlePause: Int64
    /// Microseconds after which a call that was never finished is taken for a killed process's.
    public var leaseTime: Int64
    /// Microseconds between two looks at a place that others hold.
    public var leasePolling: Int64 = 20_000

    /// Terms of a service that names a rate; all else is what suits most.
    public init(
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
    /// The same rules at another rate, with as many calls at once as it takes where each lasts a quarter of a second.
    public func paced(perSecond rate: Double) -> ServiceLimits {
        var terms = self
        terms.rate = RateLimiter.Rate(perSecond: rate, burst: Int(min(1_000, max(1, rate / 10))))
        terms.concurrency = max(concurrency, Int(min(64, rate / 4)))
        return terms
    }
}
