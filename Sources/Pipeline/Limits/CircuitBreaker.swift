/// Keeps off something that fails again and again, and tries it with one probe before it is used again.
///
///     closed ──so many failures in a row──▶ open ──after a while──▶ half-open: one probe
///        ▲                                    ▲                        │        │
///        └────────────success─────────────────┼────────success────────┘        │
///                                             └────────────failure─────────────┘
///
/// Throttling is no failure: who is asked too often is not down. Instants are microseconds on one clock.
public struct CircuitBreaker: Sendable, Hashable {
    /// When it opens, and for how long.
    public struct Rule: Sendable, Hashable {
        /// Failures in a row that open it; small, so that a short run sees it (providers.md section 8).
        public var failures: Int64
        /// Microseconds until it half-opens (contract.md section 8).
        public var rest: Int64

        /// Opens at five failures in a row and rests for a minute, unless told otherwise.
        public init(failures: Int64 = 5, rest: Int64 = 60_000_000) {
            self.failures = max(1, failures)
            self.rest = max(1, rest)
        }
    }

    /// Failures since the last success.
    public private(set) var failures: Int64
    /// When it half-opens; 0 while it is closed.
    public private(set) var openUntil: Int64
    /// How long a probe under way keeps others off: one that never comes back must not shut the door for good.
    public private(set) var probeUntil: Int64

    /// A breaker as it was left; closed, if nothing is given.
    public init(failures: Int64 = 0, openUntil: Int64 = 0, probeUntil: Int64 = 0) {
        self.failures = failures
        self.openUntil = openUntil
        self.probeUntil = probeUntil
    }

    /// Whether a call may go; nil: yes. Else the instant from which to ask again.
    public func refusal(at now: Int64, rule: Rule) -> Int64? {
        guard openUntil > 0 else { return nil }
        // Set ahead by more than a rest: the clock was set back.
        if openUntil > now, openUntil - now <= rule.rest { return openUntil }
        return probeUntil > now && probeUntil - now <= rule.rest ? probeUntil : nil
    }

    /// Whether it is a probe under way that refuses: how that ends is known sooner than the instant told.
    public func isProbing(at now: Int64, rule: Rule) -> Bool {
        refusal(at: now, rule: rule) == probeUntil
    }

    /// Notes that a call goes; of a half-open breaker it is the probe.
    public mutating func began(at now: Int64, rule: Rule) {
        if openUntil > 0 { probeUntil = now + rule.rest }
    }

    /// Notes an answer: all is well again.
    public mutating func succeeded() { self = CircuitBreaker() }

    /// Notes a failure, which opens it or opens it anew.
    public mutating func failed(at now: Int64, rule: Rule) {
        failures += 1
        guard openUntil > 0 || failures >= rule.failures else { return }
        openUntil = now + rule.rest
        probeUntil = 0
    }

    /// Notes a call that says nothing about health: a probe that ends so leaves the door ajar for the next.
    public mutating func endedInconclusively() { probeUntil = 0 }
}
