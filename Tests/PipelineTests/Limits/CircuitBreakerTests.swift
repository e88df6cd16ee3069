import Testing

@testable import Pipeline

@Suite struct CircuitBreakerTests {
    private let rule = CircuitBreaker.Rule(failures: 3, rest: 60)

    private func broken(at now: Int64) -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for _ in 0..<3 { breaker.failed(at: now, rule: rule) }
        return breaker
    }

    @Test func `it opens at so many failures in a row, and a success between them begins the count anew`() {
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

    @Test func `half-open lets one probe through, and its success lets everybody`() {
        var breaker = broken(at: 100)
        #expect(breaker.refusal(at: 159, rule: rule) == 160)
        #expect(breaker.refusal(at: 160, rule: rule) == nil)
        breaker.began(at: 160, rule: rule)
        #expect(breaker.refusal(at: 161, rule: rule) == 220)
        breaker.succeeded()
        #expect(breaker.refusal(at: 162, rule: rule) == nil)
    }

    @Test
    func `a probe that fails opens it for as long again, one that was cancelled makes way for the next`() {
        var breaker = broken(at: 100)
        breaker.began(at: 160, rule: rule)
        breaker.failed(at: 165, rule: rule)
        #expect(breaker.refusal(at: 166, rule: rule) == 225)
        breaker.began(at: 225, rule: rule)
        breaker.endedInconclusively()
        #expect(breaker.refusal(at: 226, rule: rule) == nil)
    }

    @Test func `a probe that never comes back shuts the door for one rest only`() {
        var breaker = broken(at: 100)
        breaker.began(at: 160, rule: rule)
        #expect(breaker.refusal(at: 219, rule: rule) == 220)
        #expect(breaker.refusal(at: 220, rule: rule) == nil)
    }

    @Test func `a clock that was set back does not keep it open for years`() {
        #expect(broken(at: 1_000_000).refusal(at: 10, rule: rule) == nil)
    }
}
