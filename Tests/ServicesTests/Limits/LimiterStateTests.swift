import Testing

@testable import Services

@Suite struct LimiterStateTests {
    private var limits: ServiceLimits {
        ServiceLimits(
            rate: .init(perSecond: 1_000, burst: 100), concurrency: 2, quota: .init(calls: 50),
            breaker: .init(failures: 2, openTime: 1_000_000), throttlePause: 5_000_000, leaseTime: 10_000_000)
    }

    private func lease(_ state: inout LimiterState, at now: Int64) -> Int64? {
        guard case .go(let lease) = state.admit(cost: 1, at: now, limits: limits) else { return nil }
        return lease
    }

    @Test func `concurrent calls never exceed the limit`() throws {
        var state = LimiterState()
        let first = try #require(lease(&state, at: 1_000_000))
        let second = try #require(lease(&state, at: 1_000_000))
        #expect(first != second)
        #expect(state.admit(cost: 1, at: 1_000_000, limits: limits) == .wait(until: 1_020_000))
        state.finish(first, .answered, at: 1_000_001, limits: limits)
        #expect(lease(&state, at: 1_000_002) != nil)
    }

    @Test func `the lease of a killed process expires`() {
        var state = LimiterState()
        _ = lease(&state, at: 1_000_000)
        _ = lease(&state, at: 1_000_000)
        #expect(lease(&state, at: 10_999_999) == nil)
        #expect(lease(&state, at: 11_000_000) != nil)
    }

    @Test func `a call stays under way when the clock is set back`() {
        for step in [500, 999_999, 1_000_001, 3_600_000_000, 31_536_000_000_000] as [Int64] {
            var state = LimiterState()
            let now = 40_000_000_000_000 as Int64
            _ = lease(&state, at: now)
            _ = lease(&state, at: now)
            #expect(lease(&state, at: now - step) == nil)
            // Its lease expires as late as it would have without the step, give or take the tolerance.
            #expect(lease(&state, at: now - step + 8_999_999) == nil)
            #expect(lease(&state, at: now - step + 11_000_000) != nil)
        }
    }

    @Test func `a lease that no limits lead to is discarded`() throws {
        var state = LimiterState()
        _ = lease(&state, at: 50_000_000)
        var numbers = state.numbers
        numbers[10] = 0
        var damaged = try #require(LimiterState(numbers: numbers))
        _ = lease(&damaged, at: 50_000_000 - 10_000_001)
        #expect(damaged.leases.isEmpty)
    }

    @Test func `only leases of processes that are gone are released`() {
        var state = LimiterState()
        for owner in [7, 8] as [Int64] {
            _ = state.admit(cost: 1, at: 1_000_000, limits: limits, owner: owner)
        }
        state.releaseLeases { $0 == 7 }
        #expect(state.leases.map(\.owner) == [8])
        #expect(LimiterState(numbers: state.numbers) == state)
    }

    @Test func `the concurrency grows with the configured rate and is never below the default`() {
        #expect(limits.limited(perSecond: 0.5).concurrency == 2)
        #expect(limits.limited(perSecond: 0.5).rate == .init(perSecond: 0.5, burst: 1))
        #expect(limits.limited(perSecond: 100).concurrency == 25)
        #expect(limits.limited(perSecond: 100_000).concurrency == 64)
        #expect(limits.limited(perSecond: 100).quota == limits.quota)
    }

    @Test func `a service that may be asked fast pauses for the time of twenty requests after a 429`() {
        var limits = limits
        limits.throttlePause = 1_000_000
        #expect(limits.limited(perSecond: 3).throttlePause == 1_000_000)
        #expect(limits.limited(perSecond: 100).throttlePause == 200_000)
        #expect(limits.limited(perSecond: 100_000).throttlePause == 100_000)
    }

    @Test func `throttling pauses at least the configured time and does not open the breaker`() throws {
        var state = LimiterState()
        let call = try #require(lease(&state, at: 1_000_000))
        state.finish(call, .throttled(pause: 1_000_000), at: 1_000_000, limits: limits)
        #expect(state.admit(cost: 1, at: 1_000_001, limits: limits) == .wait(until: 6_000_000))
        let later = try #require(lease(&state, at: 6_000_000))
        state.finish(later, .throttled(pause: 60_000_000), at: 6_000_000, limits: limits)
        #expect(state.admit(cost: 1, at: 6_000_001, limits: limits) == .wait(until: 66_000_000))
        #expect(state.breaker == CircuitBreaker())
    }

    @Test func `a pause of a day survives a clock that is set back a little`() throws {
        var state = LimiterState()
        let now = 40_000_000_000_000 as Int64
        let call = try #require(lease(&state, at: now))
        state.finish(call, .throttled(pause: .max), at: now, limits: limits)
        let until = now + 86_400_000_000
        for step in [0, 1, 999_999] as [Int64] {
            #expect(state.admit(cost: 1, at: now - step, limits: limits) == .wait(until: until))
        }
    }

    @Test func `failures open the breaker, a spent budget refuses calls, both with a retry time`() throws {
        var state = LimiterState()
        for now in [1_000_000, 1_000_001] as [Int64] {
            state.finish(try #require(lease(&state, at: now)), .failed, at: now, limits: limits)
        }
        #expect(state.admit(cost: 1, at: 1_000_002, limits: limits) == .refuse(.down, until: 2_000_001))
        var spent = LimiterState()
        #expect(
            spent.admit(cost: 51, at: 1_000_000, limits: limits) == .refuse(.quota, until: 86_400_000_000))
        state.finish(try #require(lease(&state, at: 2_000_001)), .quotaSpent, at: 2_000_001, limits: limits)
        #expect(state.admit(cost: 1, at: 2_000_002, limits: limits) == .refuse(.quota, until: 86_400_000_000))
    }

    @Test func `calls are refused during a probe and admitted after its answer`() throws {
        var state = LimiterState()
        for now in [1_000_000, 1_000_001] as [Int64] {
            state.finish(try #require(lease(&state, at: now)), .failed, at: now, limits: limits)
        }
        let probe = try #require(lease(&state, at: 2_000_001))
        #expect(state.admit(cost: 1, at: 2_000_002, limits: limits) == .refuse(.probing, until: 3_000_001))
        state.finish(probe, .answered, at: 2_000_003, limits: limits)
        #expect(lease(&state, at: 2_000_003) != nil)
    }

    @Test func `refused calls cost neither rate nor budget`() {
        var state = LimiterState()
        let before = state
        _ = state.admit(cost: 51, at: 1_000_000, limits: limits)
        #expect(state.limiter == before.limiter)
        #expect(state.quota.spent == 0)
    }

    @Test func `a state round-trips through numbers, and other numbers are rejected`() throws {
        var state = LimiterState()
        _ = lease(&state, at: 1_000_000)
        state.finish(try #require(lease(&state, at: 1_000_001)), .failed, at: 1_000_002, limits: limits)
        #expect(LimiterState(numbers: state.numbers) == state)
        #expect(LimiterState(numbers: []) == nil)
        #expect(LimiterState(numbers: Array(repeating: 7, count: 9)) == nil)
        var damaged = state.numbers
        damaged[6] = 1 << 45
        #expect(LimiterState(numbers: damaged) == nil, "more calls than a day has")
        for count in 10...14 {
            #expect(LimiterState(numbers: Array(repeating: .max, count: count)) == nil)
            #expect(LimiterState(numbers: Array(repeating: .min, count: count)) == nil)
        }
    }

    @Test func `failures among answers leave the concurrency as it is, three in a row halve it`() throws {
        let limits = ServiceLimits(rate: .init(perSecond: 1_000, burst: 100), concurrency: 8)
        var state = LimiterState()
        var lease: Int64 = 0
        func end(_ ending: LimiterState.Ending) {
            lease += 1
            state.finish(lease, ending, at: 1_000_000, limits: limits)
        }
        for _ in 0..<5 {
            for ending in [.failed, .failed, .answered] as [LimiterState.Ending] { end(ending) }
        }
        #expect(state.concurrency.limit(cap: 8) == 8)
        for _ in 0..<3 { end(.failed) }
        #expect(state.concurrency.limit(cap: 8) == 4)
        for _ in 0..<3 { end(.failed) }
        #expect(state.concurrency.limit(cap: 8) == 2)
    }

    @Test func `calls that time out after a later one was answered do not open the breaker`() {
        let limits = ServiceLimits(rate: .init(perSecond: 1_000, burst: 100), concurrency: 20)
        var state = LimiterState()
        state.finish(13, .answered, at: 1_000_000, limits: limits)
        for lease in 1...12 as ClosedRange<Int64> {
            state.finish(lease, .failed, at: 11_000_000, limits: limits)
        }
        #expect(state.breaker == CircuitBreaker())
        #expect(state.concurrency.limit(cap: 20) == 20)
        #expect(LimiterState(numbers: state.numbers) == state)
        for lease in 14...21 as ClosedRange<Int64> {
            state.finish(lease, .failed, at: 11_000_000, limits: limits)
        }
        #expect(state.breaker.openUntil > 0)
    }

    @Test func `throttled calls that were under way together lower the concurrency once`() {
        let limits = ServiceLimits(rate: .init(perSecond: 1_000, burst: 100), concurrency: 8)
        var state = LimiterState()
        for _ in 0..<6 { state.finish(0, .throttled(pause: nil), at: 1_000_000, limits: limits) }
        #expect(state.concurrency.limit(cap: 8) == 7)
        state.finish(0, .throttled(pause: nil), at: 2_000_000, limits: limits)
        #expect(state.concurrency.limit(cap: 8) == 6)
    }

    @Test func `concurrency drops when a service chokes and recovers with answers`() {
        var concurrency = AdaptiveConcurrency()
        #expect(concurrency.limit(cap: 8) == 8)
        concurrency.decreased(cap: 8)
        #expect(concurrency.limit(cap: 8) == 4)
        for _ in 0..<9 { concurrency.decreased(cap: 8) }
        #expect(concurrency.limit(cap: 8) == 1)
        for _ in 0..<200 { concurrency.succeeded(cap: 8) }
        #expect(concurrency.limit(cap: 8) == 8)
        #expect(concurrency.limit(cap: 3) == 3)
    }
}
