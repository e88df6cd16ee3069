import Testing

@testable import Application

@Suite struct ServiceEstimateTests {
    private let estimate = ServiceEstimate(parts: [
        .init(service: "openlibrary", calls: 200...400, interval: 1.0 / 3),
        .init(service: "wikidata", calls: 10...50, interval: 1),
    ])

    @Test func `the slowest service decides, because all are asked at the same time`() {
        #expect(abs(estimate.seconds.lowerBound - 66.7) < 0.1)
        #expect(abs(estimate.seconds.upperBound - 133.3) < 0.1)
        #expect(ServiceEstimate(parts: []).seconds == 0...0)
    }

    @Test func `what was asked is subtracted`() {
        #expect(abs(estimate.secondsLeft(after: [:], elapsed: 0) - 100) < 0.1)
        let left = estimate.secondsLeft(after: ["openlibrary": 150, "wikidata": 15], elapsed: 50)
        #expect(abs(left - 50) < 0.1)
        #expect(estimate.secondsLeft(after: ["openlibrary": 900, "wikidata": 900], elapsed: 300) == 0)
    }

    @Test func `a service that is slower than its limit takes longer`() {
        let left = estimate.secondsLeft(after: ["openlibrary": 100, "wikidata": 30], elapsed: 200)
        #expect(abs(left - 400) < 0.1)
    }
}
