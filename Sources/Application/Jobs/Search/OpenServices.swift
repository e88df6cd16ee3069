import Services
import System

/// The clients of the services that a server asks while clients wait. They stay open, so that searches share
/// requests, connections and what is known about a service.
actor OpenServices {
    /// How long the same clients are used, in nanoseconds: an hour. A client remembers for its lifetime which keys a
    /// service has answered with another book, and which kinds of keys it refuses.
    private static let lifetime: UInt64 = 3_600_000_000_000

    private var settings: ServiceSettings
    private let cache: any AnswerCache
    private let clock: any RunClock
    private let stop: StopSignal
    private var opened: (clients: ServiceClients, at: UInt64)?
    /// Number of searches under way. Their clients are not replaced, because that would end their requests.
    private var searches = 0
    /// What ``newReports()`` has reported.
    private var reported: [String: ServiceMetrics] = [:]

    init(_ settings: ServiceSettings, cache: any AnswerCache, clock: any RunClock, stop: StopSignal) {
        self.settings = settings
        self.cache = cache
        self.clock = clock
        self.stop = stop
    }

    /// Begins a search with the clients, which are opened if necessary. Call ``end()`` afterwards.
    ///
    /// - Throws: If HTTP is not available, and `.temporary` if other processes hold the limiter's file for long.
    func begin() throws(ETLError) -> ServiceClients {
        let now = clock.nanoseconds()
        if let opened, searches > 0 || now - opened.at < Self.lifetime {
            searches += 1
            return opened.clients
        }
        if settings.transport == nil { settings.transport = try ServiceClients.transport(settings) }
        let clients = try ServiceClients(settings, cache: cache, clock: clock, stop: stop)
        let old = opened?.clients
        opened = (clients, now)
        reported = [:]
        if let old { Task { try? await old.close() } }
        searches += 1
        return clients
    }

    /// A search has ended.
    func end() { searches -= 1 }

    /// The requests of each service since the last call.
    func newReports() async -> [ServiceReport] {
        guard let reports = await opened?.clients.reports() else { return [] }
        return reports.map { report in
            let before = reported.updateValue(report.metrics, forKey: report.name) ?? ServiceMetrics()
            var new = ServiceMetrics()
            new.calls = max(0, report.metrics.calls - before.calls)
            new.hits = max(0, report.metrics.hits - before.hits)
            new.throttled = max(0, report.metrics.throttled - before.throttled)
            return ServiceReport(name: report.name, metrics: new)
        }
    }

    /// Ends all requests. What has arrived is cached.
    func close() async {
        try? await opened?.clients.close()
        opened = nil
    }
}

extension ServiceClients {
    /// When a service may be asked again, in milliseconds since 1970; nil if that is now, or not known.
    func resumption(of name: String, after now: Int64) async -> Int64? {
        guard let client = self[name] else { return nil }
        let instants = [await client.metrics.pausedUntil, await client.pausedUntil]
        return instants.compactMap(\.self).filter { $0 > now }.max()
    }
}
