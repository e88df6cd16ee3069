import Testing

@testable import Jobs

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

    private func left(
        after calls: [String: Int], waitingFor waiting: Set<String> = ["openlibrary", "wikidata"],
        elapsed: Double
    ) -> Double {
        estimate.secondsLeft(after: calls, waitingFor: waiting, elapsed: elapsed)
    }

    @Test func `what was asked is subtracted`() {
        #expect(abs(left(after: [:], elapsed: 0) - 100) < 0.1)
        #expect(abs(left(after: ["openlibrary": 150, "wikidata": 15], elapsed: 50) - 50) < 0.1)
        #expect(left(after: ["openlibrary": 900, "wikidata": 900], elapsed: 300) == 0)
    }

    @Test func `the slowest service's own rate counts if it is slower than its limit`() {
        #expect(abs(left(after: ["openlibrary": 100, "wikidata": 30], elapsed: 200) - 400) < 0.1)
        // Wikidata was asked rarely, because little was known that it could be asked for.
        #expect(abs(left(after: ["openlibrary": 150, "wikidata": 22], elapsed: 50) - 50) < 0.1)
    }

    @Test func `only services that are waited for count`() {
        #expect(left(after: ["openlibrary": 150], waitingFor: ["wikidata"], elapsed: 50) == 30)
        var estimate = estimate
        estimate.parts[1].followsOthers = true
        #expect(estimate.secondsLeft(after: [:], waitingFor: ["wikidata"], elapsed: 50) == 0)
        #expect(estimate.secondsLeft(after: [:], waitingFor: ["openlibrary"], elapsed: 0) == 100)
    }
}
