package import System

/// A failed request that says nothing about its keys: the service, its configuration or the network is at
/// fault.
package struct ServiceError: Sendable, Hashable {
    /// The status of the response, 200 if its body contains the error; nil without a response.
    package var status: Int?
    /// The cause in a few words, if more is known than the kind of failure.
    package var detail: String?
    /// The requested URL, without query and credentials (``HTTPRequest/address``).
    package var address: String

    package init(_ status: Int, address: String) {
        self.status = status
        self.address = address
    }

    package init(_ detail: String?, address: String) {
        self.detail = detail
        self.address = address
    }
}

/// The failed requests of a run with the same outcome.
package struct FailedRequests: Sendable, Hashable {
    package var count = 0
    /// The first of them.
    package var first: ServiceError
    /// The latest of them.
    package var last: ServiceError

    package init(count: Int, first: ServiceError) {
        self.count = count
        self.first = first
        last = first
    }
}

/// The metrics of one service in a run.
package struct ServiceMetrics: Sendable, Hashable {
    /// Requests sent, counting each attempt.
    package var calls = 0
    /// Keys asked for, and how many of them had a cached answer. A key that is asked for again later in the
    /// run counts once, with its last outcome.
    package var keys = 0
    package var hits = 0
    package var outcomes: [LookupOutcome: Int] = [:]
    /// Failed requests, by the outcome for their keys.
    package var failed: [LookupOutcome: FailedRequests] = [:]
    /// The outcome of the latest failed request; nil if none has failed.
    package private(set) var lastFailed: LookupOutcome?
    /// Responses with status 429, or 403 or 503 with the same meaning.
    package var throttled = 0
    /// Requests about expired answers that the service confirmed without sending them again (status 304).
    package var confirmed = 0
    /// Stale answers used because no fresh one was available.
    package var stale = 0
    /// Why the service was not asked, if its shared rate limits could not be read or changed.
    package var limiterFailure: String?
    /// When a spent budget is renewed, in milliseconds since 1970.
    package var resumeAt: Int64?
    /// Until when it is not asked because it failed too often, in milliseconds since 1970.
    package var suspendedUntil: Int64?
    /// Until when it is not asked because it rejects requests for now, in milliseconds since 1970; nil if the
    /// run could wait for it.
    package var throttledUntil: Int64?
    /// Latencies by kind of key, counted in bins of a tenth of an octave of microseconds: enough for percentiles, and
    /// of bounded size.
    private var latencies: [ServiceKey.Kind: [Int: Int]] = [:]
    /// Number of answers of each kind, and the time limits that they show (``usualTimeLimit(of:)``).
    private var answered: [ServiceKey.Kind: Int] = [:]
    private var usualTimeLimits: [ServiceKey.Kind: UInt64] = [:]
    /// Number of answers after which the usual time limit is computed, each time.
    private static let answersOfLimit = 32
    /// The usual time limit is ten times as long as nearly all answers take, and at least two seconds.
    private static let (usualFactor, shortestLimit) = (10.0, UInt64(2_000_000_000))

    package init() {}

    /// The failed requests, in the order of their outcomes.
    package var failures: [(outcome: LookupOutcome, requests: FailedRequests)] {
        failed.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }

    /// When the service can be asked again, in milliseconds since 1970; nil if it can be asked now.
    package var pausedUntil: Int64? { [resumeAt, throttledUntil, suspendedUntil].compactMap { $0 }.max() }

    /// Counts a key that was asked for.
    mutating func noteOutcome(_ outcome: LookupOutcome, isHit: Bool, isStale: Bool) {
        keys += 1
        if isHit { hits += 1 }
        if isStale { stale += 1 }
        outcomes[outcome, default: 0] += 1
    }

    /// Counts the later outcome of a key that was unanswered.
    mutating func noteOutcome(_ outcome: LookupOutcome, after previous: LookupOutcome) {
        guard outcome != previous else { return }
        if let count = outcomes[previous] { outcomes[previous] = count > 1 ? count - 1 : nil }
        outcomes[outcome, default: 0] += 1
    }

    mutating func noteFailed(_ outcome: LookupOutcome, _ error: ServiceError) {
        failed[outcome, default: FailedRequests(count: 0, first: error)].count += 1
        failed[outcome]?.last = error
        lastFailed = outcome
    }

    mutating func noteLatency(nanoseconds: UInt64, of kind: ServiceKey.Kind) {
        latencies[kind, default: [:]][Self.bin(nanoseconds), default: 0] += 1
        let count = answered[kind, default: 0] + 1
        answered[kind] = count
        guard count.isMultiple(of: Self.answersOfLimit),
            let most = Self.milliseconds(share: 0.99, of: latencies[kind] ?? [:])
        else { return }
        usualTimeLimits[kind] = max(Self.shortestLimit, UInt64(most * 1e6 * Self.usualFactor))
    }

    /// Nanoseconds after which an answer is no longer likely, as far as the answers to keys of its kind show; nil if
    /// there were too few.
    func usualTimeLimit(of kind: ServiceKey.Kind) -> UInt64? { usualTimeLimits[kind] }

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
        Self.milliseconds(
            share: share, of: latencies.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) })
    }

    private static func milliseconds(share: Double, of latencies: [Int: Int]) -> Double? {
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
