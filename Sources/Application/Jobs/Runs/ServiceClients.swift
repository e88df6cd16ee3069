import Books
package import Services
import Sources
package import System

/// The service clients of a run: one for each service that is asked, or was asked by an earlier run of its
/// job.
package struct ServiceClients: Sendable {
    /// In the order of their definitions.
    private var opened: [(definition: ServiceDefinition, client: ServiceClient)] = []
    /// Wait policy for the services that are asked.
    package let waitPolicy: SharedWaitPolicy
    /// The services that are asked in this run.
    private(set) var names: Set<String> = []
    /// When the providers of books are asked.
    let strategies: [Provider: LookupStrategy]
    /// Why the rate limits are not shared with other processes; nil if they are.
    package private(set) var limiterFailure: ETLError?

    /// No clients.
    package init() {
        waitPolicy = SharedWaitPolicy(.cacheOnly)
        strategies = [:]
    }

    /// Opens the clients.
    ///
    /// - Parameter asked: Services whose cached answers are used even if they are not asked in this run.
    ///   Their clients only read the cache.
    /// - Throws: If HTTP is not available, and `.temporary` if other processes hold the limiter's file for
    ///   long. If the file cannot be used, the limits are kept in memory.
    package init(
        _ settings: ServiceSettings, askedBefore asked: Set<String> = [], cache: any AnswerCache,
        clock: any RunClock, stop: StopSignal,
        observing observe: (@Sendable (ServiceStatus) -> Void)? = nil
    ) throws(ETLError) {
        waitPolicy = SharedWaitPolicy(settings.firstWaitPolicy)
        names = settings.names
        strategies = settings.strategiesOfProviders
        var dependencies: ClientDependencies?
        if !settings.isEmpty {
            let limiter = try Self.limiter(settings)
            limiterFailure = limiter.failure
            dependencies = ClientDependencies(
                transport: try Self.transport(settings), limiter: limiter.store, cache: cache,
                clock: clock, stop: stop, waitPolicy: waitPolicy)
            dependencies?.retry = settings.retry
            dependencies?.observe = observe
            dependencies?.budget = settings.budget
            if let pause = settings.longestPause { dependencies?.longestPause = pause }
            dependencies?.refreshesBefore = settings.refreshesBefore
        }
        let services = Dictionary(
            uniqueKeysWithValues: settings.services.map { ($0.definition.name, $0.service) })
        let cacheOnly = ClientDependencies(
            transport: OfflineTransport(), limiter: InMemoryLimiterStore(), cache: cache, clock: clock,
            stop: stop,
            waitPolicy: SharedWaitPolicy(.cacheOnly))
        for definition in settings.definitions {
            if let service = services[definition.name], let dependencies {
                opened.append((definition, ServiceClient(service, dependencies)))
            } else if asked.contains(definition.name) || settings.readsAllCaches {
                opened.append((definition, ServiceClient(definition.reader, cacheOnly)))
            }
        }
    }

    /// The provider of books that asks a service; nil if the service is not asked.
    func provider(_ name: String) -> (any BookProvider)? {
        for (definition, client) in opened where definition.name == name {
            if case .books(let make) = definition.role { return make(client) }
        }
        return nil
    }

    /// The person directories that are asked.
    var directories: [any PersonDirectory] {
        opened.compactMap { definition, client in
            if case .people(let make) = definition.role { make(client) } else { nil }
        }
    }

    /// Storage of rate limits, and the reason if the shared file cannot be used.
    static func limiter(
        _ settings: ServiceSettings
    ) throws(ETLError) -> (store: any LimiterStore, failure: ETLError?) {
        guard let folder = settings.stateFolder else { return (InMemoryLimiterStore(), nil) }
        do throws(ETLError) {
            return (try LimiterFile(folder: folder), nil)
        } catch {
            // The file exists and other processes use it. Without it, their requests would not be counted.
            guard error.kind != .temporary else { throw error }
            return (InMemoryLimiterStore(), error)
        }
    }

    static func transport(_ settings: ServiceSettings) throws(ETLError) -> any HTTPTransport {
        if let transport = settings.transport { return transport }
        do throws(HTTPFailure) {
            return try CurlClient(
                version: settings.version, contact: settings.contact, environment: settings.environment)
        } catch {
            throw ETLError(.unavailable, "HTTP cannot be used (\(error.detail ?? "unknown cause")).")
        }
    }

    private var all: [ServiceClient] { opened.map(\.client) }

    /// The client of a service; nil if it is not asked.
    subscript(_ name: String) -> ServiceClient? { opened.first { $0.definition.name == name }?.client }

    /// Queries to each service in this run, in the order of the services.
    package func reports() async -> [ServiceReport] {
        var reports: [ServiceReport] = []
        for client in all {
            reports.append(ServiceReport(name: client.service.name, metrics: await client.metrics))
        }
        return reports
    }

    /// Maximum number of records for which one of the services is worth asking again.
    ///
    /// - Parameter counts: The number of records that each service has not answered.
    func worthAskingAgain(_ counts: [String: Int]) async -> Int {
        var most = 0
        for client in all {
            guard let count = counts[client.service.name], await client.isWorthAskingAgain else { continue }
            most = max(most, count)
        }
        return most
    }

    /// Whether a service may still answer in this run, or none is asked.
    func mayAnswer() async -> Bool {
        if names.isEmpty { return true }
        for client in all where names.contains(client.service.name) {
            let metrics = await client.metrics
            if await client.refusal == nil, metrics.resumeAt == nil, metrics.suspendedUntil == nil {
                return true
            }
        }
        return false
    }

    /// Ends all waiting for services: from here on, only the cache answers. Requests under way continue.
    func stopWaiting() async {
        waitPolicy.waitPolicy = .cacheOnly
        for client in all { await client.releaseCallers() }
    }

    /// Stores the answers that all clients have received so far.
    func saveAll() async throws(ETLError) { for client in all { try await client.saveAll() } }

    /// Closes all clients.
    ///
    /// - Throws: The first failure to store answers; the other clients are closed nevertheless.
    package func close() async throws(ETLError) {
        var first: ETLError?
        for client in all {
            do throws(ETLError) { try await client.close() } catch { first = first ?? error }
        }
        if let first { throw first }
    }
}

/// A service in the closing report.
package struct ServiceReport: Sendable {
    package var name: String
    package var metrics: ServiceMetrics
}

extension [ServiceReport] {
    /// The metrics of a service; nil if it is not among them.
    package subscript(service: String) -> ServiceMetrics? { first { $0.name == service }?.metrics }
}
