import Books
import System
import Testing

@testable import Services

@Suite struct ServiceHealthTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `after two throttled requests in a row a service is left alone until its time`() {
        var health = ServiceHealth()
        health.throttled(1, grantedBeforePause: 2, now: 10, pause: 100)
        health.throttled(2, grantedBeforePause: 2, now: 11, pause: 100)
        #expect(health.refusal(at: 11) == nil, "the second one was admitted before the pause")
        health.throttled(3, grantedBeforePause: 3, now: 130, pause: 100)
        #expect(health.refusal(at: 229) == .rateLimited)
        #expect(health.refusal(at: 230) == nil)
        health.throttled(4, grantedBeforePause: 4, now: 240, pause: 50)
        #expect(health.refusal(at: 289) == .rateLimited, "the next one is enough")
    }

    @Test func `rejected credentials stop a service for a while, or until they are accepted`() {
        var health = ServiceHealth()
        health.blocked(until: 1_000)
        #expect(health.refusal(at: 999) == .blocked && health.refusal(at: 1_000) == nil)
        health.blocked(until: 3_000)
        health.answered(.isbn)
        #expect(health.refusal(at: 2_000) == nil)
    }

    @Test func `a service that has answered may throttle more requests in a row`() {
        var health = ServiceHealth()
        for round in 0..<100 {
            let now = UInt64(round) * Self.second
            if round % ServiceHealth.throttlingLimitAfterAnswers == 0 {
                health.answered(.isbn)
            } else {
                health.throttled(Int64(round), grantedBeforePause: Int64(round), now: now, pause: 1)
            }
            #expect(health.refusal(at: now) == nil, "an answer was in between")
        }
        var (throttlings, now) = (0, 200 * Self.second)
        health.answered(.isbn)
        while health.refusal(at: now) == nil {
            now += Self.second
            throttlings += 1
            let lease = Int64(100 + throttlings)
            health.throttled(lease, grantedBeforePause: lease, now: now, pause: 1)
        }
        #expect(throttlings == ServiceHealth.throttlingLimitAfterAnswers)
    }

    @Test func `a service is not waited for longer than 150 seconds without an answer`() {
        var health = ServiceHealth()
        health.answered(.isbn)
        health.throttled(1, grantedBeforePause: 1, now: 2, pause: 60 * Self.second)
        #expect(health.refusal(at: 3) == nil)
        health.throttled(
            2, grantedBeforePause: 2, now: 60 * Self.second + 3, pause: 120 * Self.second)
        #expect(health.refusal(at: 61 * Self.second) == .rateLimited)
    }

    @Test func `an overloaded service is left alone later`() {
        var health = ServiceHealth()
        for round in 1...ServiceHealth.overloadLimit {
            health.throttled(
                Int64(round), grantedBeforePause: Int64(round), now: UInt64(round * 10), pause: 5,
                isOverloaded: true)
        }
        #expect(health.refusal(at: 190) == nil)
        health.throttled(20, grantedBeforePause: 20, now: 201, pause: 5, isOverloaded: true)
        #expect(health.refusal(at: 202) == .rateLimited)
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
