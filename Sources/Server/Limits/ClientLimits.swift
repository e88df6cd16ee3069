import Services

/// Counts the requests of each client, and refuses those beyond the limits of a ``LimitTable``.
///
/// Each limit is a bucket of permits that fills steadily. Times are microseconds of a monotonic clock.
package struct ClientLimits: Sendable {
    /// Maximum number of clients that are remembered.
    private static let mostClients = 20_000

    /// Whether a request is admitted, and the limits reported to the client.
    package struct Decision: Sendable, Hashable {
        package var isAdmitted: Bool
        /// The limit that is closest to being reached: number of requests in ``window``.
        package var limit: Int
        package var window: String
        /// Requests that are left of it.
        package var remaining: Int
        /// Microseconds until all of them are there again.
        package var fullAfter: Int64
        /// Microseconds until the next request is admitted; 0 if this one is.
        package var retryAfter: Int64
        /// The same in whole seconds, at least 1.
        package var retrySeconds: Int { max(1, Int((retryAfter + 999_999) / 1_000_000)) }
    }

    /// The buckets of a client, in the order of ``limits``.
    private typealias Client = [RateLimiter]

    private struct Limit {
        var rate: RateLimiter.Rate
        var count: Int
        var window: String

        init(_ count: Int, per seconds: Double, window: String) {
            rate = RateLimiter.Rate(perSecond: Double(count) / seconds, burst: count)
            self.count = count
            self.window = window
        }

        func decision(_ bucket: RateLimiter, at now: Int64) -> Decision {
            let missing = max(0, bucket.fullAt - now)
            let used = (missing + rate.interval - 1) / rate.interval
            return Decision(
                isAdmitted: true, limit: count, window: window, remaining: max(0, count - Int(used)),
                fullAfter: missing, retryAfter: max(0, bucket.nextPermit(rate: rate) - now))
        }
    }

    private static let burst = RequestClass.allCases.count
    private static let hour = burst + 1

    /// The limits of all classes, then that of a burst and that of an hour. Nil for a limit that there is not.
    private let limits: [Limit?]
    private var clients: [String: Client] = [:]

    package init(_ table: LimitTable = LimitTable()) {
        func perMinute(_ count: Int) -> Limit? {
            count == 0 ? nil : Limit(count, per: 60, window: "1 minute")
        }
        let hour = table.hour == 0 ? nil : Limit(table.hour, per: 3_600, window: "1 hour")
        limits = RequestClass.allCases.map { perMinute(table[$0]) } + [perMinute(table.burst), hour]
    }

    /// Number of clients that are remembered.
    package var clientCount: Int { clients.count }

    /// Counts a request of a client, unless one of its limits is reached.
    ///
    /// - Parameter isTrusted: Whether it comes from this machine or has a token of the server.
    /// - Returns: Nil if there is no limit for it.
    package mutating func admit(
        _ client: String, _ kind: RequestClass, isTrusted: Bool = false, at now: Int64
    ) -> Decision? {
        let kind = kind.counted(isTrusted: isTrusted)
        if clients[client] == nil, clients.count >= Self.mostClients { forget(at: now) }
        var known = clients[client] ?? Client(repeating: RateLimiter(), count: limits.count)
        let place = RequestClass.allCases.firstIndex(of: kind) ?? 0
        let places =
            isTrusted || exceedsBurst(limits[place]) ? [place, Self.hour] : [place, Self.burst, Self.hour]
        let counted = places.compactMap { place in limits[place].map { (limit: $0, bucket: place) } }
        let isAdmitted = counted.allSatisfy { known[$0.bucket].nextPermit(rate: $0.limit.rate) <= now }
        if isAdmitted {
            for (limit, bucket) in counted { _ = known[bucket].take(at: now, rate: limit.rate) }
            clients[client] = known
        }
        let decisions = counted.map { $0.limit.decision(known[$0.bucket], at: now) }
        // Of a refused request the limit that takes longer, of another one the limit with less left.
        guard
            var decision = isAdmitted
                ? decisions.min(by: { $0.remaining < $1.remaining })
                : decisions.max(by: { $0.retryAfter < $1.retryAfter })
        else { return nil }
        decision.isAdmitted = isAdmitted
        if isAdmitted { decision.retryAfter = 0 }
        return decision
    }

    /// Whether a class has so many requests of its own that they do not count as a burst.
    private func exceedsBurst(_ limit: Limit?) -> Bool {
        guard let burst = limits[Self.burst], let limit else { return true }
        return limit.count > burst.count
    }

    /// Forgets clients that have all their permits, or if there are none, some of them.
    private mutating func forget(at now: Int64) {
        clients = clients.filter { $0.value.contains { $0.fullAt > now } }
        let excess = clients.count - Self.mostClients * 9 / 10
        if excess > 0 { for key in Array(clients.keys.prefix(excess)) { clients[key] = nil } }
    }
}
