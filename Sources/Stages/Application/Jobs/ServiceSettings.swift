package import Books
package import Pipeline
package import Services

/// Which services a run asks, where, and as whom.
package struct ServiceSettings: Sendable {
    /// The services there are.
    package var definitions = ServiceDefinition.all
    /// How each service is asked, by name; those that are not asked are absent.
    package var asked: [String: ServiceConfiguration] = [:]
    /// An address or URL of the operator, for the User-Agent.
    package var contact: String?
    package var version = "0"
    package var environment: [String: String] = [:]
    /// Where the state of pace is kept; nil keeps it for this process alone.
    package var stateFolder: String?
    /// Services without which the run is not worth having, by name.
    package var required: Set<String> = []

    /// Rules in place of the services' own, for tests against fakes.
    package var terms: ServiceLimits?
    package var retry = RetryPolicy()
    package var firstWaitPolicy = WaitPolicy.firstPass
    /// nil: libcurl.
    package var transport: (any HTTPTransport)?

    package init() {}

    /// Asks a service at an address, under its usual rules.
    package mutating func ask(_ name: String, at address: ServiceEndpoint) {
        asked[name] = ServiceConfiguration(address)
    }

    /// Whether no service is asked at all.
    package var isEmpty: Bool { asked.isEmpty }

    /// The names of the services that are asked.
    var names: Set<String> { Set(asked.keys) }

    /// Leaves out services.
    mutating func leaveOut(_ names: Set<String>) { for name in names { asked[name] = nil } }

    /// The services that are asked, each under the rules of this run, in the order of their definitions.
    var services: [(definition: ServiceDefinition, service: any Service)] {
        definitions.compactMap { definition in
            guard var configuration = asked[definition.name] else { return nil }
            configuration.isIdentified = contact != nil
            var service = definition.make(configuration)
            if let terms = terms ?? configuration.rate.map({ service.terms.paced(perSecond: $0) }) {
                service.terms = terms
            }
            return (definition, service)
        }
    }
}
