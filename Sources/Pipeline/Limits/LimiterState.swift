/// All that is known about asking one service with one credential: what it may be asked, how it fares, who is
/// asking. A pure value, small enough to be shared by all processes of a user (``ServiceLimits`` holds the rules).
///
///     admit ──▶ go(lease) ──▶ … the call … ──▶ finish(lease, how it went)
///           ──▶ wait(until)
///           ──▶ refuse(why, until)
///
/// Instants are microseconds since 1970.
public struct LimiterState: Sendable, Hashable {
    /// A call under way, by whichever process. One that was killed gives its lease back when it is found gone, and
    /// by time at the latest.
    public struct Lease: Sendable, Hashable {
        /// What the lease is given back by.
        public var number: Int64
        /// Who makes the call; 0 where that is not told.
        public var owner: Int64
        /// When it is taken for lost.
        public var until: Int64
    }

    /// Whether a call may go.
    public enum Admission: Sendable, Hashable {
        case go(lease: Int64)
        case wait(until: Int64)
        case refuse(Refusal, until: Int64)
    }

    /// Why no call may go for a while.
    public enum Refusal: Sendable, Hashable {
        /// The breaker is open.
        case down
        /// The breaker is half-open, and its probe under way.
        case probing
        /// The day's budget is spent.
        case quota
    }

    /// How a call went.
    public enum Ending: Sendable, Hashable {
        /// Answered, whatever the answer.
        case answered
        /// No answer, or a server's error.
        case failed
        /// Asked too often; the pause the service asks for in microseconds, if it names one.
        case throttled(pause: Int64?)
        /// The day's budget is spent, says the service.
        case quotaSpent
        /// Nothing about the service: cancelled, refused for what was asked.
        case inconclusive
    }

    /// How fast it may be asked.
    public private(set) var limiter = RateLimiter()
    /// Whether it answers at all.
    public private(set) var breaker = CircuitBreaker()
    /// How much it takes at once.
    public private(set) var concurrency = AdaptiveConcurrency()
    /// What is spent of the day's budget.
    public private(set) var quota = QuotaLedger()
    /// Calls under way.
    public private(set) var leases: [Lease] = []
    private var nextLease: Int64 = 1

    /// A service of which nothing is known yet.
    public init() {}

    /// Asks for a call.
    ///
    /// - Parameters:
    ///   - cost: How many calls of the day's budget it costs.
    ///   - now: Microseconds since 1970.
    ///   - terms: What the service grants.
    ///   - owner: Who makes the call.
    public mutating func admit(cost: Int, at now: Int64, terms: ServiceLimits, owner: Int64 = 0) -> Admission
    {
        // Further ahead than any lease lasts: the clock was set back. A little ahead it may be for other reasons, and then
        // the call it stands for is under way.
        leases.removeAll { $0.until <= now || $0.until - now > 2 * terms.leaseTime }
        if let until = breaker.refusal(at: now, rule: terms.breaker) {
            return .refuse(breaker.isProbing(at: now, rule: terms.breaker) ? .probing : .down, until: until)
        }
        let next = limiter.nextPermit(at: now, rate: terms.rate)
        if next > now { return .wait(until: next) }
        if leases.count >= concurrency.limit(cap: terms.concurrency) {
            return .wait(until: min(leases.map(\.until).min() ?? now, now + terms.leasePolling))
        }
        if let until = quota.take(cost, at: now, budget: terms.quota) { return .refuse(.quota, until: until) }
        _ = limiter.take(at: now, rate: terms.rate)
        breaker.began(at: now, rule: terms.breaker)
        let lease = Lease(number: nextLease, owner: owner, until: now + terms.leaseTime)
        nextLease += 1
        leases.append(lease)
        return .go(lease: lease.number)
    }

    /// Gives back the leases of owners who are gone: what they had begun nobody finishes.
    public mutating func releaseLeases(where isGone: (_ owner: Int64) -> Bool) {
        leases.removeAll { isGone($0.owner) }
    }

    /// Gives a lease back and learns from how the call went.
    public mutating func finish(_ lease: Int64, _ ending: Ending, at now: Int64, terms: ServiceLimits) {
        leases.removeAll { $0.number == lease }
        switch ending {
        case .answered:
            breaker.succeeded()
            concurrency.succeeded(cap: terms.concurrency)
        case .failed:
            breaker.failed(at: now, rule: terms.breaker)
            concurrency.choked(cap: terms.concurrency)
        case .throttled(let pause):
            breaker.endedInconclusively()
            concurrency.choked(cap: terms.concurrency)
            limiter.pause(until: now + max(pause ?? 0, terms.throttlePause), at: now)
        case .quotaSpent:
            breaker.endedInconclusively()
            quota.exhausted(at: now, budget: terms.quota)
        case .inconclusive:
            breaker.endedInconclusively()
        }
    }
}

extension LimiterState {
    /// The state as whole numbers, to be kept in a file: the fixed ones first, then three for each lease.
    public var numbers: [Int64] {
        [
            limiter.fullAt, limiter.pausedUntil, breaker.failures, breaker.openUntil, breaker.probeUntil,
            concurrency.thousandths, quota.spent, quota.endsAt, quota.exhaustedUntil, nextLease,
        ] + leases.flatMap { [$0.number, $0.owner, $0.until] }
    }

    /// - Returns: nil where the numbers are no state.
    public init?(numbers: [Int64]) {
        guard numbers.count >= 10, (numbers.count - 10) % 3 == 0 else { return nil }
        limiter = RateLimiter(fullAt: numbers[0], pausedUntil: numbers[1])
        breaker = CircuitBreaker(failures: numbers[2], openUntil: numbers[3], probeUntil: numbers[4])
        concurrency = AdaptiveConcurrency(thousandths: max(0, numbers[5]))
        quota = QuotaLedger(spent: numbers[6], endsAt: numbers[7], exhaustedUntil: numbers[8])
        nextLease = numbers[9]
        for index in stride(from: 10, to: numbers.count, by: 3) {
            leases.append(
                Lease(number: numbers[index], owner: numbers[index + 1], until: numbers[index + 2]))
        }
    }
}

/// How many calls may be under way at once: up by one for each round of good answers, halved by a bad one, never
/// over the cap. So a service that begins to choke gets air before it says 429 twice.
public struct AdaptiveConcurrency: Sendable, Hashable {
    /// In thousandths, so that the state is a whole number.
    public private(set) var thousandths: Int64

    /// - Parameter thousandths: 0 for one that has learned nothing: it begins at the cap.
    public init(thousandths: Int64 = 0) { self.thousandths = thousandths }

    /// Calls that may be under way, from 1 to the cap.
    public func limit(cap: Int) -> Int {
        thousandths == 0 ? max(1, cap) : min(max(1, cap), max(1, Int(thousandths / 1_000)))
    }

    /// Notes a good answer.
    public mutating func succeeded(cap: Int) {
        guard thousandths > 0 else { return }
        thousandths = min(Int64(max(1, cap)) * 1_000, thousandths + max(1, 1_000_000 / thousandths))
    }

    /// Notes a failure or a throttling: half as many calls from now on.
    public mutating func choked(cap: Int) {
        thousandths = max(1_000, Int64(limit(cap: cap)) * 500)
    }
}
