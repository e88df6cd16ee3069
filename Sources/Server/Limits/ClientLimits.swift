import Services

/// Class of a request for the limits of a client.
package enum RequestClass: String, Sendable, Hashable, CaseIterable {
    case search, batch, imports, status, scan
    /// Looking up one book.
    case single
    /// A page for browsers.
    case page
    /// Trying a token on the sign-in page.
    case signIn
    /// Requests without their own limit.
    case other

    /// Requests per minute and client.
    package var perMinute: Int {
        switch self {
        case .search: 100
        case .batch, .signIn: 10
        case .imports, .scan: 5
        case .status: 30
        case .page: 120
        case .single, .other: 50
        }
    }
}

/// Maximum number of requests of each client: per minute for each class, and per hour for all.
///
/// Each limit is a bucket of permits that fills steadily. Times are microseconds of a monotonic clock.
package struct ClientLimits: Sendable {
    /// Requests per hour and client.
    package static let perHour = 1_000
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
    }

    private struct Client: Sendable {
        var hour = RateLimiter()
        var minute = [RateLimiter](repeating: RateLimiter(), count: RequestClass.allCases.count)
    }

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

    private static let hour = Limit(perHour, per: 3_600, window: "1 hour")
    private static let minute = RequestClass.allCases.map { Limit($0.perMinute, per: 60, window: "1 minute") }

    private var clients: [String: Client] = [:]

    package init() {}

    /// Number of clients that are remembered.
    package var clientCount: Int { clients.count }

    /// Counts a request of a client, unless one of its limits is reached.
    package mutating func admit(_ client: String, _ kind: RequestClass, at now: Int64) -> Decision {
        if clients[client] == nil, clients.count >= Self.mostClients { forget(at: now) }
        var known = clients[client] ?? Client()
        let place = RequestClass.allCases.firstIndex(of: kind) ?? 0
        let limit = Self.minute[place]
        let isAdmitted =
            known.hour.nextPermit(rate: Self.hour.rate) <= now
            && known.minute[place].nextPermit(rate: limit.rate) <= now
        if isAdmitted {
            _ = known.hour.take(at: now, rate: Self.hour.rate)
            _ = known.minute[place].take(at: now, rate: limit.rate)
            clients[client] = known
        }
        let decisions = [
            limit.decision(known.minute[place], at: now), Self.hour.decision(known.hour, at: now),
        ]
        // Of a refused request the limit that takes longer, of another one the limit with less left.
        var decision =
            (isAdmitted
                ? decisions.min { $0.remaining < $1.remaining }
                : decisions.max { $0.retryAfter < $1.retryAfter }) ?? decisions[0]
        decision.isAdmitted = isAdmitted
        if isAdmitted { decision.retryAfter = 0 }
        return decision
    }

    /// Forgets clients that have all their permits, or if there are none, some of them.
    private mutating func forget(at now: Int64) {
        clients = clients.filter { $0.value.hour.fullAt > now }
        let excess = clients.count - Self.mostClients * 9 / 10
        if excess > 0 { for key in Array(clients.keys.prefix(excess)) { clients[key] = nil } }
    }
}
