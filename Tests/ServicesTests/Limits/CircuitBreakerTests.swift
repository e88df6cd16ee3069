import Testing

@testable import Services

@Suite struct CircuitBreakerTests {
    private let rule = CircuitBreaker.Rule(failures: 3, openTime: 60)

    private func broken(at now: Int64) -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for _ in 0..<3 { breaker.failed(at: now, rule: rule) }
        return breaker
    }

    @Test func `it opens after a number of consecutive failures, and a success resets the count`() {
        var breaker = CircuitBreaker()
        breaker.failed(at: 1, rule: rule)
        breaker.failed(at: 2, rule: rule)
        breaker.succeeded()
        breaker.failed(at: 3, rule: rule)
        breaker.failed(at: 4, rule: rule)
        #expect(breaker.refusal(at: 5, rule: rule) == nil)
        breaker.failed(at: 5, rule: rule)
        #expect(breaker.refusal(at: 6, rule: rule) == 65)
    }

    @Test func `half-open admits one probe, whose success closes it`() {
        var breaker = broken(at: 100)
        #expect(breaker.refusal(at: 159, rule: rule) == 160)
        #expect(breaker.refusal(at: 160, rule: rule) == nil)
        breaker.began(at: 160, rule: rule)
        #expect(breaker.refusal(at: 161, rule: rule) == 220)
        breaker.succeeded()
        #expect(breaker.refusal(at: 162, rule: rule) == nil)
    }

    @Test
    func `a failed probe opens it again, a cancelled one lets the next probe through`() {
        var breaker = broken(at: 100)
        breaker.began(at: 160, rule: rule)
        breaker.failed(at: 165, rule: rule)
        #expect(breaker.refusal(at: 166, rule: rule) == 225)
        breaker.began(at: 225, rule: rule)
        breaker.endedInconclusively()
        #expect(breaker.refusal(at: 226, rule: rule) == nil)
    }

    @Test func `a probe that never returns blocks only for one rest period`() {
        var breaker = broken(at: 100)
        breaker.began(at: 160, rule: rule)
        #expect(breaker.refusal(at: 219, rule: rule) == 220)
        #expect(breaker.refusal(at: 220, rule: rule) == nil)
    }

    @Test func `a clock that is set back does not keep it open`() {
        #expect(broken(at: 1_000_000).refusal(at: 10, rule: rule) == nil)
    }
}
