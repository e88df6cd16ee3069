import Testing

@testable import Books
@testable import Services

@Suite struct ServiceHealthTests {
    @Test func `the second throttled request in a row gives a service up`() {
        var health = ServiceHealth()
        health.throttled(callStartedAt: 0, now: 10)
        health.throttled(callStartedAt: 5, now: 11)
        #expect(health.givenUp == nil, "the second one was under way at the first response")
        health.answered(.isbn)
        health.throttled(callStartedAt: 20, now: 30)
        health.failed(.timeout)
        #expect(health.givenUp == nil, "an answer was in between")
        health.throttled(callStartedAt: 40, now: 50)
        #expect(health.givenUp == .rateLimited)
    }

    @Test func `an overloaded service is given up later`() {
        var health = ServiceHealth()
        for round in 1...ServiceHealth.overloadLimit {
            health.throttled(callStartedAt: UInt64(round * 10), now: UInt64(round * 10), isOverloaded: true)
        }
        #expect(health.givenUp == nil)
        health.throttled(callStartedAt: 200, now: 201, isOverloaded: true)
        #expect(health.givenUp == .rateLimited)
    }

    @Test func `refused keys count as unknown if the service answers others of their kind`() {
        var health = ServiceHealth()
        func isSettled() -> Bool { health.settlesRefusal(of: .title) }
        #expect(!isSettled())
        health.answered(.isbn)
        #expect(!isSettled())
        health.answered(.title)
        #expect(isSettled())
        #expect(!isSettled(), "each needs an answer of its own")
    }

    @Test func `a kind of which only refusals come is no longer asked for`() {
        var health = ServiceHealth()
        health.refused(.title, count: ServiceHealth.refusalLimit - 1)
        #expect(!health.isRefused(.title))
        health.answered(.title)
        health.refused(.title, count: ServiceHealth.refusalLimit - 1)
        #expect(!health.isRefused(.title))
        health.refused(.title, count: 1)
        #expect(health.isRefused(.title) && !health.isRefused(.isbn))
    }
}
