import Testing

@testable import Server

@Suite struct ClientLimitsTests {
    private static let second: Int64 = 1_000_000

    @Test func `each class has its own limit per minute`() {
        for kind in RequestClass.allCases {
            var limits = ClientLimits()
            for number in 0..<kind.perMinute {
                let decision = limits.admit("a", kind, at: 0)
                #expect(decision.isAdmitted, "\(kind) \(number)")
            }
            let refused = limits.admit("a", kind, at: 0)
            #expect(!refused.isAdmitted)
            #expect(refused.limit == kind.perMinute && refused.window == "1 minute" && refused.remaining == 0)
            #expect(refused.retryAfter > 0)
            // A client that waits as long as required is admitted.
            #expect(limits.admit("a", kind, at: refused.retryAfter).isAdmitted)
        }
    }

    @Test func `a refused request costs nothing`() {
        var limits = ClientLimits()
        for _ in 0..<5 { _ = limits.admit("a", .imports, at: 0) }
        for _ in 0..<1_000 { #expect(!limits.admit("a", .imports, at: 0).isAdmitted) }
        #expect(limits.admit("a", .imports, at: 12 * Self.second).isAdmitted)
    }

    @Test func `all requests together have a limit per hour`() {
        var limits = ClientLimits()
        var (now, admitted) = (0 as Int64, 0)
        // A search every 0.6 seconds is what the limit per minute allows.
        for _ in 0..<3_000 {
            let decision = limits.admit("a", .search, at: now)
            if decision.isAdmitted {
                admitted += 1
            } else {
                #expect(decision.limit == 1_000 && decision.window == "1 hour")
            }
            now += 600_000
        }
        // 1,000 at first, and those that were filled in during half an hour.
        #expect((1_490...1_501).contains(admitted))
    }

    @Test func `clients do not share limits, and what is left is told`() {
        var limits = ClientLimits()
        for _ in 0..<5 { _ = limits.admit("a", .imports, at: 0) }
        let other = limits.admit("b", .imports, at: 0)
        #expect(other.isAdmitted && other.remaining == 4)
        #expect(other.fullAfter == 12 * Self.second)
        #expect(limits.admit("b", .imports, at: 0).remaining == 3)
    }

    @Test func `any number of clients needs bounded memory, and a busy one is not forgotten for idle ones`() {
        var limits = ClientLimits()
        for _ in 0..<5 { _ = limits.admit("busy", .imports, at: 0) }
        for number in 0..<19_999 { _ = limits.admit("c\(number)", .search, at: 0) }
        #expect(limits.clientCount == 20_000)
        // All others have their permits back by now.
        let now = 4 * Self.second
        _ = limits.admit("new", .search, at: now)
        #expect(limits.clientCount == 2)
        #expect(!limits.admit("busy", .imports, at: now).isAdmitted)
        for number in 0..<50_000 { _ = limits.admit("d\(number)", .search, at: now) }
        #expect(limits.clientCount <= 20_000)
    }
}
