import Testing

@testable import Pipeline

@Suite struct RateLimiterTests {
    private static let rate = RateLimiter.Rate(perSecond: 3, burst: 2)

    @Test func `after a rest a burst goes at once, then one permit an interval`() {
        var limiter = RateLimiter()
        var now: Int64 = 1_000_000_000
        #expect(limiter.take(at: now, rate: Self.rate) == nil)
        #expect(limiter.take(at: now, rate: Self.rate) == nil)
        #expect(limiter.take(at: now, rate: Self.rate) == now + 333_333)
        now += 333_333
        #expect(limiter.take(at: now, rate: Self.rate) == nil)
        #expect(limiter.take(at: now, rate: Self.rate) == now + 333_333)
    }

    @Test func `no window of time ever holds more than the rate and the burst`() {
        var limiter = RateLimiter()
        var granted: [Int64] = []
        for now in stride(from: Int64(5_000_000), to: 15_000_000, by: 7_001)
        where limiter.take(at: now, rate: Self.rate) == nil {
            granted.append(now)
        }
        #expect(granted.count >= 30)
        for (index, first) in granted.enumerated() {
            let within = granted[index...].filter { $0 - first < 1_000_000 }.count
            #expect(within <= 2 + 3)
        }
    }

    @Test func `a pause lets nobody through, and a shorter one takes nothing from it`() {
        var limiter = RateLimiter()
        limiter.pause(until: 60_000_000, at: 1_000_000)
        limiter.pause(until: 5_000_000, at: 2_000_000)
        #expect(limiter.take(at: 59_999_999, rate: Self.rate) == 60_000_000)
        #expect(limiter.take(at: 60_000_000, rate: Self.rate) == nil)
    }

    @Test func `a clock that was set back a year stops nobody for a year`() {
        let year: Int64 = 31_536_000_000_000
        var limiter = RateLimiter(fullAt: year, pausedUntil: year)
        let next = limiter.nextPermit(at: 1_000_000, rate: Self.rate)
        #expect(next <= 1_000_000 + Self.rate.interval)
        limiter.pause(until: .max, at: 1_000_000)
        #expect(limiter.pausedUntil <= 1_000_000 + RateLimiter.longestPause)
    }

    @Test func `a rate of nothing or of millions is a rate still`() {
        #expect(RateLimiter.Rate(perSecond: 0).interval > 1_000_000)
        #expect(RateLimiter.Rate(perSecond: 1e12, burst: 0).interval == 1)
    }
}
