/// How long the services of a run will take: expected at its beginning, and corrected by what they have done.
package struct ServiceEstimate: Sendable, Hashable {
    /// What is expected of one service.
    package struct Part: Sendable, Hashable {
        package var service: String
        /// Expected number of requests.
        package var calls: ClosedRange<Double>
        /// Seconds between two requests at the service's rate limit.
        package var interval: Double

        package init(service: String, calls: ClosedRange<Double>, interval: Double) {
            self.service = service
            self.calls = calls
            self.interval = interval
        }

        /// The middle of the range.
        var expectedCalls: Double { (calls.lowerBound + calls.upperBound) / 2 }
    }

    /// After this many requests, their measured rate counts instead of the rate limit.
    private static let callsMeasured = 20

    package var parts: [Part]

    package init(parts: [Part]) { self.parts = parts }

    /// Seconds of the slowest service; all are asked at the same time.
    package var seconds: ClosedRange<Double> {
        let least = parts.map { $0.calls.lowerBound * $0.interval }.max() ?? 0
        let most = parts.map { $0.calls.upperBound * $0.interval }.max() ?? 0
        return least...most
    }

    /// Seconds until the slowest service has answered everything.
    ///
    /// - Parameters:
    ///   - calls: Number of requests that each service got so far.
    ///   - elapsed: Seconds since the first of them.
    package func secondsLeft(after calls: [String: Int], elapsed: Double) -> Double {
        parts.map { part in
            let done = calls[part.service] ?? 0
            let pace = done >= Self.callsMeasured ? max(part.interval, elapsed / Double(done)) : part.interval
            return max(0, part.expectedCalls - Double(done)) * pace
        }.max() ?? 0
    }
}
