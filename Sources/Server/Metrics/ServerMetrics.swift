package import Jobs
import Services
import Store
import System

/// Counters since the server's start, for `/metrics`.
package final class ServerMetrics: Sendable {
    /// The upper bounds of a histogram's buckets, in milliseconds.
    static let bounds: [UInt64] = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000]

    /// The requests of one route.
    struct RouteMetrics: Sendable {
        var counts: [Int: Int] = [:]
        /// Requests by the first bound that they are not above; the last one counts all others.
        var buckets = [Int](repeating: 0, count: bounds.count + 1)
        var nanoseconds: UInt64 = 0

        var total: Int { buckets.reduce(0, +) }
    }

    /// The requests to one service.
    struct ServiceCounts: Sendable {
        var calls = 0
        var hits = 0
        var throttled = 0
    }

    struct State: Sendable {
        var routes: [String: RouteMetrics] = [:]
        var jobs: [String: Int] = [:]
        var records: [String: Int] = [:]
        var services: [String: ServiceCounts] = [:]
        /// Searches by where their answer came from: `hit` is the memory, `miss` is not.
        var searches = ["hit": 0, "miss": 0]

        mutating func add(_ reports: [ServiceReport]) {
            for service in reports {
                var counts = services[service.name] ?? ServiceCounts()
                counts.calls += service.metrics.calls
                counts.hits += service.metrics.hits
                counts.throttled += service.metrics.throttled
                services[service.name] = counts
            }
        }
    }

    private let state = Guarded(State())

    package init() {}

    /// A request was answered.
    ///
    /// - Parameters:
    ///   - route: Method and path of its route; nil if it had none.
    ///   - status: Nil if the connection broke before.
    package func note(route: String?, status: Int?, nanoseconds: UInt64) {
        let bucket = Self.bounds.firstIndex { nanoseconds <= $0 * 1_000_000 } ?? Self.bounds.count
        state.withLock { state in
            state.routes[route ?? "none", default: RouteMetrics()].add(status ?? 0, bucket, nanoseconds)
        }
    }

    /// A job has ended.
    package func note(_ outcome: ImportOutcome, as end: String) {
        let counts = outcome.job.counts
        state.withLock { state in
            state.jobs[end, default: 0] += 1
            for (outcome, count) in [
                ("created", counts.booksCreated), ("updated", counts.booksUpdated),
                ("duplicate", counts.duplicatesSkipped), ("rejected", counts.rejected),
            ] {
                state.records[outcome, default: 0] += count
            }
            state.add(outcome.services)
        }
    }

    /// A search was answered.
    package func noteSearch(isCached: Bool) {
        state.withLock { $0.searches[isCached ? "hit" : "miss", default: 0] += 1 }
    }

    /// Services were asked about a single book.
    package func note(_ services: [ServiceReport]) { state.withLock { $0.add(services) } }

    var snapshot: State { state.withLock { $0 } }
}

extension ServerMetrics.RouteMetrics {
    fileprivate mutating func add(_ status: Int, _ bucket: Int, _ nanoseconds: UInt64) {
        counts[status, default: 0] += 1
        buckets[bucket] += 1
        self.nanoseconds += nanoseconds
    }
}
