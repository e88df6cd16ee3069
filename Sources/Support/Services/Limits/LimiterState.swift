/// The limiter's state for one service and credential: rate, health, concurrency, budget and calls under way.
/// A pure value, small enough to be shared by all processes of a user. ``ServiceLimits`` has the rules.
///
///     admit ──▶ go(lease) ──▶ … the call … ──▶ finish(lease, how it went)
///           ──▶ wait(until)
///           ──▶ refuse(why, until)
///
/// Times are microseconds since 1970.
package struct LimiterState: Sendable, Hashable {
    /// A call under way, of any process. If its process is killed, the lease is released when that is
    /// noticed, and at the latest when it expires.
    package struct Lease: Sendable, Hashable {
        /// Identifies the lease in ``LimiterState/finish(_:_:at:limits:)``.
        package var number: Int64
        /// The process that makes the call; 0 if unknown.
        package var owner: Int64
        /// When the lease expires.
        package var until: Int64
    }

    /// Whether a call is allowed now.
    package enum Admission: Sendable, Hashable {
        case go(lease: Int64)
        case wait(until: Int64)
        case refuse(Refusal, until: Int64)
    }

    /// Why no call is allowed for a while.
    package enum Refusal: Sendable, Hashable {
        /// The breaker is open.
        case down
        /// The breaker is half-open and its probe is running.
        case probing
        /// The daily budget is spent.
        case quota
    }

    /// Outcome of a call.
    package enum Ending: Sendable, Hashable {
        /// The service responded, whatever the response.
        case answered
        /// There was no response, or a server error.
        case failed
        /// The service was asked too often. `pause` is the pause it demands in microseconds, if any.
        case throttled(pause: Int64?)
        /// The service says that the daily budget is spent.
        case quotaSpent
        /// The call does not show whether the service is up: it was cancelled, or this request was refused.
        case inconclusive
    }

    /// The rate limiter.
    package private(set) var limiter = RateLimiter()
    /// The circuit breaker.
    package private(set) var breaker = CircuitBreaker()
    /// The adaptive limit of concurrent calls.
    package private(set) var concurrency = AdaptiveConcurrency()
    /// The calls spent of the daily budget.
    package private(set) var quota = QuotaLedger()
    /// Calls under way.
    package private(set) var leases: [Lease] = []
    private var nextLease: Int64 = 1
    /// The number of the lease that was granted last; 0 if none was.
    package var lastLease: Int64 { nextLease - 1 }
    /// When the state was last used; 0 if unknown.
    private var usedAt: Int64 = 0
    /// The latest lease whose call was answered; 0 if there is none. Calls that began before it and fail later
    /// say nothing about the service's health now: several that time out would look like failures in a row.
    private var answeredLease: Int64 = 0
    /// Whether the service has ever answered, so that it has accepted the credentials.
    package var hasAnswered: Bool { answeredLease > 0 }
    /// Number of failures in a row that halve the concurrency.
    private static let failuresOfOverload: Int64 = 3

    /// The state of a service that was never asked.
    package init() {}

    /// Requests permission for a call.
    ///
    /// - Parameters:
    ///   - cost: Number of calls it costs of the daily budget.
    ///   - now: Microseconds since 1970.
    ///   - limits: The service's limits.
    ///   - owner: The process that makes the call; 0 if unknown.
    package mutating func admit(cost: Int, at now: Int64, limits: ServiceLimits, owner: Int64 = 0)
        -> Admission
    {
        adjust(to: now, limits: limits)
        if let until = breaker.refusal(at: now, rule: limits.breaker) {
            return .refuse(breaker.isProbing(at: now, rule: limits.breaker) ? .probing : .down, until: until)
        }
        let next = limiter.nextPermit(rate: limits.rate)
        if next > now { return .wait(until: next) }
        if leases.count >= concurrency.limit(cap: limits.concurrency) {
            return .wait(until: min(leases.map(\.until).min() ?? now, now + limits.leasePolling))
        }
        if let until = quota.take(cost, at: now, budget: limits.quota) {
            return .refuse(.quota, until: until)
        }
        _ = limiter.take(at: now, rate: limits.rate)
        breaker.began(at: now, rule: limits.breaker)
        let lease = Lease(number: nextLease, owner: owner, until: now + limits.leaseTime)
        nextLease += 1
        leases.append(lease)
        return .go(lease: lease.number)
    }

    /// Adjusts the state to a clock that may have been set. After a step back, all waits are the same as
    /// without it. After a step forward, pauses and leases end early.
    private mutating func adjust(to now: Int64, limits: ServiceLimits) {
        if usedAt > now + RateLimiter.clockTolerance {
            let step = now - usedAt
            limiter.shift(by: step)
            breaker.shift(by: step)
            for index in leases.indices { leases[index].until += step }
            usedAt = now
        }
        usedAt = max(usedAt, now)
        limiter.discardImpossibleTimes(at: now, rate: limits.rate)
        // A lease that expires much later than any lease can is damaged. One that expires slightly later was
        // taken with another version's limits, and its call may still be under way.
        leases.removeAll { $0.until <= now || $0.until > now + 2 * limits.leaseTime }
    }

    /// Releases the leases of processes that no longer exist.
    package mutating func releaseLeases(where isGone: (_ owner: Int64) -> Bool) {
        leases.removeAll { isGone($0.owner) }
    }

    /// Releases a lease and adapts the limits to how the call ended.
    package mutating func finish(_ lease: Int64, _ ending: Ending, at now: Int64, limits: ServiceLimits) {
        adjust(to: now, limits: limits)
        leases.removeAll { $0.number == lease }
        switch ending {
        case .answered:
            answeredLease = max(answeredLease, lease)
            breaker.succeeded()
            concurrency.succeeded(cap: limits.concurrency)
        case .failed:
            guard lease > answeredLease else { return }
            breaker.failed(at: now, rule: limits.breaker)
            // One or two failures among answers do not mean that the service is overloaded.
            if breaker.failures.isMultiple(of: Self.failuresOfOverload) {
                concurrency.decreased(cap: limits.concurrency)
            }
        case .throttled(let pause):
            breaker.endedInconclusively()
            // Calls that were under way when the service said so say the same.
            if limiter.pausedUntil <= now { concurrency.throttled(cap: limits.concurrency) }
            limiter.pause(for: max(pause ?? 0, limits.throttlePause), at: now)
        case .quotaSpent:
            breaker.endedInconclusively()
            quota.exhausted(at: now, budget: limits.quota)
        case .inconclusive:
            breaker.endedInconclusively()
        }
    }
}

extension LimiterState {
    /// The state as integers, for storage in a file: twelve fixed ones, then three for each lease.
    package var numbers: [Int64] {
        [
            limiter.fullAt, limiter.pausedUntil, breaker.failures, breaker.openUntil, breaker.probeUntil,
            concurrency.thousandths, quota.spent, quota.endsAt, quota.exhaustedUntil, nextLease, usedAt,
            answeredLease,
        ] + leases.flatMap { [$0.number, $0.owner, $0.until] }
    }

    /// - Returns: nil if the numbers are not a valid state. Ten or eleven fixed ones are a state of an earlier
    ///   version, which did not record when it was used, or which call was answered last.
    package init?(numbers: [Int64]) {
        let fixed = [12, 10, 11][numbers.count % 3]
        guard numbers.count >= fixed else { return nil }
        limiter = RateLimiter(fullAt: numbers[0], pausedUntil: numbers[1])
        breaker = CircuitBreaker(failures: numbers[2], openUntil: numbers[3], probeUntil: numbers[4])
        concurrency = AdaptiveConcurrency(thousandths: numbers[5])
        quota = QuotaLedger(spent: numbers[6], endsAt: numbers[7], exhaustedUntil: numbers[8])
        nextLease = numbers[9]
        usedAt = fixed > 10 ? numbers[10] : 0
        answeredLease = fixed > 11 ? numbers[11] : 0
        for index in stride(from: fixed, to: numbers.count, by: 3) {
            leases.append(
                Lease(number: numbers[index], owner: numbers[index + 1], until: numbers[index + 2]))
        }
        let times = [
            limiter.fullAt, limiter.pausedUntil, breaker.openUntil, breaker.probeUntil, quota.endsAt,
            quota.exhaustedUntil, usedAt,
        ]
        let counts = [breaker.failures, concurrency.thousandths, quota.spent, nextLease, answeredLease]
        guard (times + leases.map(\.until)).allSatisfy(Self.times.contains),
            (counts + leases.map(\.number)).allSatisfy(Self.counts.contains),
            quota.spent <= Self.mostCallsOfDay
        else { return nil }
    }

    /// The times that a state can have: 8000 years before and after 1970. Sums of several cannot overflow.
    private static let times: ClosedRange<Int64> = -252_455_616_000_000_000...252_455_616_000_000_000
    /// The counts that a state can have. A counter cannot overflow in practice.
    private static let counts: ClosedRange<Int64> = 0...(1 << 60)
    /// More calls than any service answers in a day. A damaged count must not use up a budget.
    private static let mostCallsOfDay: Int64 = 1_000_000_000
}

/// The number of calls allowed at once. It grows by one per round of successes, is halved by repeated
/// failures, lowered by throttling, and never exceeds the cap. This relieves an overloaded service early.
package struct AdaptiveConcurrency: Sendable, Hashable {
    /// The limit in thousandths of a call, so that the state is an integer.
    package private(set) var thousandths: Int64

    /// - Parameter thousandths: 0 for the initial state, in which the limit is the cap.
    package init(thousandths: Int64 = 0) { self.thousandths = thousandths }

    /// The number of calls allowed at once, from 1 to the cap.
    package func limit(cap: Int) -> Int {
        thousandths == 0 ? max(1, cap) : min(max(1, cap), max(1, Int(thousandths / 1_000)))
    }

    /// Records a success.
    package mutating func succeeded(cap: Int) {
        guard thousandths > 0 else { return }
        thousandths = min(Int64(max(1, cap)) * 1_000, thousandths + max(1, 1_000_000 / thousandths))
    }

    /// Records that the service seems overloaded, which halves the limit.
    package mutating func decreased(cap: Int) {
        thousandths = max(1_000, Int64(limit(cap: cap)) * 500)
    }

    /// Records that the service was asked too often, which lowers the limit by an eighth. The pause that
    /// follows relieves the service more.
    package mutating func throttled(cap: Int) {
        thousandths = max(1_000, Int64(limit(cap: cap)) * 875)
    }
}
