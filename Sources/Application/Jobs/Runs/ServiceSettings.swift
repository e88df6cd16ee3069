import Books
package import Services
package import Sources
package import System

/// Which services a run asks, at which addresses, and how it identifies itself.
package struct ServiceSettings: Sendable {
    /// The known services.
    package var definitions = ServiceDefinition.all
    /// The configuration of each service to ask, by name.
    package var asked: [String: ServiceConfiguration] = [:]
    /// When services are asked about books, by name; those missing have their usual strategy. It also applies to
    /// services whose cached answers are used without asking them.
    package var strategies: [String: LookupStrategy] = [:]
    /// An address or URL of the user, for the User-Agent.
    package var contact: String?
    package var version = "0"
    package var environment: [String: String] = [:]
    /// The folder of the limiter's file; if nil, the limits apply to this process only.
    package var stateFolder: String?
    /// Names of the services that must answer for the run to succeed.
    package var required: Set<String> = []

    /// Whether the cached answers of all services are used, also of those that are not asked.
    package var readsAllCaches = false

    /// Limits that replace the services' own, for tests with fake services.
    package var limits: ServiceLimits?
    package var retry = RetryPolicy()
    package var firstWaitPolicy = WaitPolicy.firstPass
    /// Longest pause of a service that is waited for, in nanoseconds; nil for that of runs. Somebody who waits for the
    /// answer is better told at once.
    package var longestPause: UInt64?
    /// Maximum number of requests of the run; nil for no limit.
    package var budget: CallBudget?
    /// Cached answers from before this instant, in milliseconds since 1970, have expired, and no others; nil if
    /// the lifetime of answers decides.
    package var refreshesBefore: Int64?
    /// Nil for libcurl.
    package var transport: (any HTTPTransport)?

    package init() {}

    /// Asks a service at an address, with its usual limits.
    package mutating func ask(_ name: String, at address: ServiceEndpoint) {
        asked[name] = ServiceConfiguration(address)
    }

    /// Whether no service is asked.
    package var isEmpty: Bool { asked.isEmpty }

    /// The names of the services that are asked.
    var names: Set<String> { Set(asked.keys) }

    /// The services that are asked about books, in their usual order.
    package var ofBooks: [ServiceDefinition] { definitions.filter { $0.isOfBooks && asked[$0.name] != nil } }

    /// When each provider of books is asked.
    var strategiesOfProviders: [Provider: LookupStrategy] {
        var found: [Provider: LookupStrategy] = [:]
        for definition in definitions where definition.isOfBooks {
            guard let provider = Provider(contractName: definition.name) else { continue }
            found[provider] = strategies[definition.name] ?? definition.strategy
        }
        return found
    }

    /// Leaves out services.
    mutating func leaveOut(_ names: Set<String>) { for name in names { asked[name] = nil } }

    /// The services to ask, with the limits of this run, in the order of their definitions.
    var services: [(definition: ServiceDefinition, service: any Service)] {
        definitions.compactMap { definition in
            guard var configuration = asked[definition.name] else { return nil }
            configuration.isIdentified = contact != nil
            var service = definition.make(configuration)
            if let limits = limits ?? configuration.rate.map({ service.limits.limited(perSecond: $0) }) {
                service.limits = limits
            }
            return (definition, service)
        }
    }

    /// Number of records that the slowest service to ask answers per second, at its rate limit and with full
    /// batches.
    var recordsPerSecond: Double {
        let microseconds = services.map { definition, service in
            definition.requestsPerRecord(service) * Double(service.limits.rate.interval)
        }
        return 1e6 / (microseconds.max() ?? 0)
    }
}
