/// Stops calls to a service that fails repeatedly, and tests it with a single probe before it is used again.
///
///     closed ──`failures` in a row────────▶ open ──after `openTime`──▶ half-open: one probe
///        ▲                                    ▲                           │        │
///        └────────────────────────────────────┼──────────success──────────┘        │
///                                             └──────────failure───────────────────┘
///
/// Throttling is not a failure: a service that is asked too often is not down. Times are microseconds on one
/// clock.
package struct CircuitBreaker: Sendable, Hashable {
    /// When the breaker opens, and for how long.
    package struct Rule: Sendable, Hashable {
        /// Number of consecutive failures that open it. Small, so that even a short run notices a service
        /// that is down; not so small that a service that fails now and then opens it by chance.
        package var failures: Int64
        /// Time in microseconds from open to half-open.
        package var openTime: Int64

        /// By default, opens after eight consecutive failures, for one minute. Values below 1 become 1.
        package init(failures: Int64 = 8, openTime: Int64 = 60_000_000) {
            self.failures = max(1, failures)
            self.openTime = max(1, openTime)
        }
    }

    /// Number of failures since the last success.
    package private(set) var failures: Int64
    /// When it becomes half-open; 0 while it is closed.
    package private(set) var openUntil: Int64
    /// Until when a running probe blocks other calls. Bounded, because a probe may never end.
    package private(set) var probeUntil: Int64

    /// A breaker in a stored state; closed by default.
    package init(failures: Int64 = 0, openUntil: Int64 = 0, probeUntil: Int64 = 0) {
        self.failures = failures
        self.openUntil = openUntil
        self.probeUntil = probeUntil
    }

    /// Moves all times by an interval, because the clock was set back by it.
    mutating func shift(by interval: Int64) {
        if openUntil > 0 { openUntil = max(1, openUntil + interval) }
        probeUntil += interval
    }

    /// Nil if a call is allowed, otherwise the time at which to ask again.
    package func refusal(at now: Int64, rule: Rule) -> Int64? {
        guard openUntil > 0 else { return nil }
        // Further ahead than `openTime`: the state is damaged.
        if openUntil > now, openUntil <= now + rule.openTime { return openUntil }
        return probeUntil > now && probeUntil <= now + rule.openTime ? probeUntil : nil
    }

    /// Whether calls are refused because of a running probe. Its result is probably known before the time
    /// that ``refusal(at:rule:)`` returns.
    package func isProbing(at now: Int64, rule: Rule) -> Bool {
        refusal(at: now, rule: rule) == probeUntil
    }

    /// Records that a call starts. If the breaker is half-open, the call is the probe.
    package mutating func began(at now: Int64, rule: Rule) {
        if openUntil > 0 { probeUntil = now + rule.openTime }
    }

    /// Records a success, which closes the breaker.
    package mutating func succeeded() { self = CircuitBreaker() }

    /// Records a failure, which opens the breaker if there were enough, or if it was not closed.
    package mutating func failed(at now: Int64, rule: Rule) {
        failures = min(failures + 1, rule.failures)
        guard openUntil > 0 || failures >= rule.failures else { return }
        openUntil = now + rule.openTime
        probeUntil = 0
    }

    /// Records a call whose result says nothing about the service's health. After such a probe, another may
    /// start.
    package mutating func endedInconclusively() { probeUntil = 0 }
}
