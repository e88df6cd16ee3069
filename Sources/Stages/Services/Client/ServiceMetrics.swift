/// An error response that says nothing about the requested keys: the service or its configuration is at fault.
package struct ServiceError: Sendable, Hashable {
    /// The status of the response; 200 if its body contains the error.
    package var status: Int
    /// The requested URL, without query and credentials (``HTTPRequest/address``).
    package var address: String

    package init(status: Int, address: String) {
        self.status = status
        self.address = address
    }
}

/// The metrics of one service in a run.
package struct ServiceMetrics: Sendable, Hashable {
    /// Requests sent, counting each attempt.
    package var calls = 0
    /// Keys asked for, and how many of them had a cached answer.
    package var keys = 0
    package var hits = 0
    /// Answers by outcome.
    package var outcomes: [LookupOutcome: Int] = [:]
    /// Responses with status 429, or 403 or 503 with the same meaning.
    package var throttled = 0
    /// Stale answers used because no fresh one was available.
    package var stale = 0
    /// When a spent budget is renewed, in milliseconds since 1970.
    package var resumeAt: Int64?
    /// Until when it is not asked because it failed too often, in milliseconds since 1970.
    package var suspendedUntil: Int64?
    /// Until when it is not asked because it rejects requests for now, in milliseconds since 1970; nil if the
    /// run could wait for it.
    package var throttledUntil: Int64?
    /// The first error response of the run that the requested keys do not explain.
    package var error: ServiceError?
    /// Latencies, counted in bins of a tenth of an octave of microseconds: enough for percentiles, and of
    /// bounded size.
    private var latencies: [Int: Int] = [:]

    package init() {}

    mutating func noteLatency(nanoseconds: UInt64) {
        latencies[Self.bin(nanoseconds), default: 0] += 1
    }

    private static func bin(_ nanoseconds: UInt64) -> Int {
        var bin = 0
        var edge = 1_000.0
        while edge < Double(nanoseconds), bin < 400 {
            edge *= 1.071_8
            bin += 1
        }
        return bin
    }

    /// The milliseconds within which this share of the answers arrived; nil if there were none.
    package func latencyMilliseconds(share: Double) -> Double? {
        let all = latencies.values.reduce(0, +)
        guard all > 0 else { return nil }
        var seen = 0
        for bin in latencies.keys.sorted() {
            seen += latencies[bin] ?? 0
            guard Double(seen) >= share * Double(all) else { continue }
            var edge = 1_000.0
            for _ in 0..<bin { edge *= 1.071_8 }
            return edge / 1_000_000
        }
        return nil
    }
}
