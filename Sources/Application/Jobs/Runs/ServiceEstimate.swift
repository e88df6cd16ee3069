import Books
import Services
import Sources
import System

/// Duration of a run's services: expected at its beginning, then corrected by their progress.
package struct ServiceEstimate: Sendable, Hashable {
    /// Forecast for one service.
    package struct Part: Sendable, Hashable {
        package var service: String
        /// Expected number of requests.
        package var calls: ClosedRange<Double>
        /// Seconds between two requests at the service's rate limit.
        package var interval: Double
        /// Whether its keys come from the answers of other services.
        package var followsOthers: Bool

        package init(
            service: String, calls: ClosedRange<Double>, interval: Double, followsOthers: Bool = false
        ) {
            self.service = service
            self.calls = calls
            self.interval = interval
            self.followsOthers = followsOthers
        }

        /// The middle of the range.
        var expectedCalls: Double { (calls.lowerBound + calls.upperBound) / 2 }
    }

    /// After this many requests, their measured rate counts instead of the rate limit.
    private static let callsMeasured = 20

    package var parts: [Part]

    package init(parts: [Part]) { self.parts = parts }

    /// Estimate for refreshing books: one query by ISBN for each, and those that its answer leads to. The rate of
    /// missing answers is not known.
    ///
    /// - Parameter limit: Maximum number of requests to all services together; nil for any number.
    init(refreshing books: Int, asking settings: ServiceSettings, atMost limit: Int?) {
        parts = settings.services.map { definition, service in
            let first: ServiceKey.Kind = definition.isOfBooks ? .isbn : .authorItems
            var calls = Double(books) / Double(max(1, service.batchSize(of: first)))
            for (kind, usual) in definition.followUps {
                calls += usual * Double(books) / Double(max(1, service.batchSize(of: kind)))
            }
            let most = limit.map { min(calls, Double($0)) } ?? calls
            return Part(
                service: service.name, calls: most / 2...most,
                interval: Double(service.limits.rate.interval) / 1e6, followsOthers: !definition.isOfBooks)
        }
    }

    /// Seconds of the slowest service; all are asked at the same time.
    package var seconds: ClosedRange<Double> {
        let least = parts.map { $0.calls.lowerBound * $0.interval }.max() ?? 0
        let most = parts.map { $0.calls.upperBound * $0.interval }.max() ?? 0
        return least...most
    }

    /// Seconds until the slowest service has answered everything; 0 for a queued refresh.
    ///
    /// - Parameters:
    ///   - calls: Number of requests that each service got so far.
    ///   - waiting: The services whose answers are waited for.
    ///   - elapsed: Seconds since the first request.
    package func secondsLeft(
        after calls: [String: Int], waitingFor waiting: Set<String>, elapsed: Double
    ) -> Double {
        func left(_ part: Part) -> Double {
            max(0, part.expectedCalls - Double(calls[part.service] ?? 0))
        }
        // Once the others have answered everything, a service that follows them is asked nothing new.
        let isFed = parts.contains { !$0.followsOthers && waiting.contains($0.service) }
        let open = parts.filter { waiting.contains($0.service) && (isFed || !$0.followsOthers) }
        guard let slowest = open.max(by: { left($0) * $0.interval < left($1) * $1.interval }) else {
            return 0
        }
        // The others wait for it most of the time, so their own rate says nothing.
        let done = calls[slowest.service] ?? 0
        let rate =
            done >= Self.callsMeasured ? max(slowest.interval, elapsed / Double(done)) : slowest.interval
        return left(slowest) * rate
    }
}
