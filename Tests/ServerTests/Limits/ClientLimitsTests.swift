import Testing

@testable import Server

@Suite struct ClientLimitsTests {
    private static let second: Int64 = 1_000_000

    @Test func `a burst is limited for strangers, but not for classes with a higher limit of their own`()
        throws
    {
        var limits = ClientLimits()
        for kind in [RequestClass.status, .batch, .imports, .enrich] {
            for _ in 0..<kind.perMinute { #expect(limits.admit("a", kind, at: 0)?.isAdmitted == true) }
        }
        let answer = limits.admit("a", .other, at: 0)
        let refused = try #require(answer)
        #expect(!refused.isAdmitted && refused.limit == 50 && refused.window == "1 minute")
        for kind in [RequestClass.search, .page] {
            #expect(limits.admit("a", kind, at: 0)?.isAdmitted == true)
        }
        #expect(limits.admit("a", .other, isTrusted: true, at: 0)?.isAdmitted == true)
        #expect(limits.admit("a", .enrich, at: 0)?.isAdmitted == false)
        #expect(limits.admit("a", .enrich, isTrusted: true, at: 0)?.isAdmitted == true)
    }

    @Test func `an operator changes each limit by its name, and 0 is none`() {
        #expect(LimitTable.names.contains("enrich") && Set(LimitTable.names).count == LimitTable.names.count)
        for name in LimitTable.names {
            var table = LimitTable()
            #expect(table.take("\(name)=7") && table != LimitTable(), "\(name)")
        }
        for text in ["", "enrich", "enrich=", "enrich=-1", "enrich=x", "enrich=1=2", "=1", "books=1"] {
            var table = LimitTable()
            #expect(!table.take(text) && table == LimitTable(), "\(text)")
        }
        var table = LimitTable()
        #expect(table.take("enrich=2") && table.take("search=0") && table.take("hour=0"))
        var limits = ClientLimits(table)
        for isAdmitted in [true, true, false] {
            #expect(limits.admit("a", .enrich, at: 0)?.isAdmitted == isAdmitted)
        }
        #expect(limits.admit("a", .search, at: 0) == nil)
    }

    @Test func `each class has its own limit per minute`() throws {
        for kind in RequestClass.allCases {
            var limits = ClientLimits()
            for number in 0..<kind.perMinute {
                let decision = limits.admit("a", kind, at: 0)
                #expect(decision?.isAdmitted == true, "\(kind) \(number)")
            }
            let answer = limits.admit("a", kind, at: 0)
            let refused = try #require(answer)
            #expect(!refused.isAdmitted)
            #expect(refused.limit == kind.perMinute && refused.window == "1 minute" && refused.remaining == 0)
            #expect(refused.retryAfter > 0)
            // A client that waits as long as required is admitted.
            #expect(limits.admit("a", kind, at: refused.retryAfter)?.isAdmitted == true)
        }
    }

    @Test func `a refused request costs nothing`() {
        var limits = ClientLimits()
        for _ in 0..<5 { _ = limits.admit("a", .imports, at: 0) }
        for _ in 0..<1_000 { #expect(limits.admit("a", .imports, at: 0)?.isAdmitted == false) }
        #expect(limits.admit("a", .imports, at: 12 * Self.second)?.isAdmitted == true)
    }

    @Test func `all requests together have a limit per hour`() throws {
        var limits = ClientLimits()
        var (now, admitted) = (0 as Int64, 0)
        // A search every 0.6 seconds is what the limit per minute allows.
        for _ in 0..<3_000 {
            let answer = limits.admit("a", .search, at: now)
            let decision = try #require(answer)
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

    @Test func `clients do not share limits, and what is left is told`() throws {
        var limits = ClientLimits()
        for _ in 0..<5 { _ = limits.admit("a", .imports, at: 0) }
        let answer = limits.admit("b", .imports, at: 0)
        let other = try #require(answer)
        #expect(other.isAdmitted && other.remaining == 4)
        #expect(other.fullAfter == 12 * Self.second)
        #expect(limits.admit("b", .imports, at: 0)?.remaining == 3)
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
        #expect(limits.admit("busy", .imports, at: now)?.isAdmitted == false)
        for number in 0..<50_000 { _ = limits.admit("d\(number)", .search, at: now) }
        #expect(limits.clientCount <= 20_000)
    }
}
