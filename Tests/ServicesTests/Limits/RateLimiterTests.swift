import Testing

@testable import Services

@Suite struct RateLimiterTests {
    private static let rate = RateLimiter.Rate(perSecond: 3, burst: 2)

    @Test func `an idle limiter admits a burst, then one call per interval`() {
        var limiter = RateLimiter()
        var now: Int64 = 1_000_000_000
        #expect(limiter.take(at: now, rate: Self.rate) == nil)
        #expect(limiter.take(at: now, rate: Self.rate) == nil)
        #expect(limiter.take(at: now, rate: Self.rate) == now + 333_333)
        now += 333_333
        #expect(limiter.take(at: now, rate: Self.rate) == nil)
        #expect(limiter.take(at: now, rate: Self.rate) == now + 333_333)
    }

    @Test func `no period exceeds rate plus burst`() {
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

    @Test func `a pause admits no call, and a shorter pause does not shorten it`() {
        var limiter = RateLimiter()
        limiter.pause(for: 59_000_000, at: 1_000_000)
        limiter.pause(for: 3_000_000, at: 2_000_000)
        #expect(limiter.take(at: 59_999_999, rate: Self.rate) == 60_000_000)
        #expect(limiter.take(at: 60_000_000, rate: Self.rate) == nil)
    }

    @Test func `impossible times delay the next permit by at most one interval`() {
        let year: Int64 = 31_536_000_000_000
        var limiter = RateLimiter(fullAt: year, pausedUntil: year)
        #expect(limiter.take(at: 1_000_000, rate: Self.rate) == 1_000_000 + Self.rate.interval)
        // A caller that waits until then gets it: the limiter does not clamp again at each attempt.
        #expect(limiter.take(at: 1_000_000 + Self.rate.interval, rate: Self.rate) == nil)
        limiter.pause(for: .max, at: 1_000_000)
        #expect(limiter.pausedUntil == 1_000_000 + RateLimiter.longestPause)
    }

    @Test func `rates and bursts outside the bounds are clamped`() {
        #expect(RateLimiter.Rate(perSecond: 0).interval == 10_000_000_000)
        #expect(RateLimiter.Rate(perSecond: -.infinity).interval == 10_000_000_000)
        #expect(RateLimiter.Rate(perSecond: .nan).interval == 10_000_000_000)
        #expect(RateLimiter.Rate(perSecond: 1e12, burst: 0) == .init(perSecond: 1_000_000, burst: 1))
        #expect(RateLimiter.Rate(perSecond: .infinity, burst: .max).burst == 1_000_000)
    }
}
