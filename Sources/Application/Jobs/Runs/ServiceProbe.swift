package import Services
package import Sources
package import System

/// A service's response to one harmless question, which shows whether it can be used.
package struct ServiceProbe: Sendable {
    package var definition: ServiceDefinition
    package var endpoint: ServiceEndpoint
    package var outcome: LookupOutcome
    package var metrics: ServiceMetrics
    package var limits: ServiceLimits
    /// Requests left of the daily budget; nil without a budget.
    package var left: Int?

    /// Time after which the answer is not waited for any longer, in nanoseconds.
    private static let timeLimit: UInt64 = 20_000_000_000

    /// Asks all services of a run at the same time, each once. The answers are not cached.
    ///
    /// - Returns: The probes, in the order of the services, and why the rate limits are not shared with other
    ///   processes, if so.
    /// - Throws: Errors from opening the clients of a run.
    package static func probes(
        of settings: ServiceSettings, clock: any RunClock = SystemClock(), stop: StopSignal = StopSignal()
    ) async throws(ETLError) -> (probes: [ServiceProbe], limiterFailure: ETLError?) {
        let services = settings.services
        guard !services.isEmpty else { return ([], nil) }
        let limiter = try ServiceClients.limiter(settings)
        var dependencies = ClientDependencies(
            transport: try ServiceClients.transport(settings), limiter: limiter.store, clock: clock,
            stop: stop)
        dependencies.retry = RetryPolicy(attempts: 1)
        let probes = await withTaskGroup(of: NumberedProbe.self) { [dependencies] group in
            for (number, (definition, service)) in services.enumerated() {
                guard let endpoint = settings.asked[definition.name]?.address else { continue }
                group.addTask {
                    NumberedProbe(number, await probe(definition, service, at: endpoint, dependencies))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        return (probes.sorted { $0.number < $1.number }.map(\.probe), limiter.failure)
    }

    private static func probe(
        _ definition: ServiceDefinition, _ service: any Service, at endpoint: ServiceEndpoint,
        _ dependencies: ClientDependencies
    ) async -> ServiceProbe {
        let client = ServiceClient(service, dependencies)
        let deadline = dependencies.clock.nanoseconds() + timeLimit
        // Without a cache nothing can fail but the service.
        let answers = try? await client.ask([definition.probe], deadline: deadline)
        try? await client.close()
        let now = dependencies.clock.epochMilliseconds() * 1_000
        return ServiceProbe(
            definition: definition, endpoint: endpoint,
            outcome: answers?.first?.outcome ?? .skipped, metrics: await client.metrics,
            limits: service.limits, left: await dependencies.limiter.budgetLeft(of: service, at: now))
    }
}

/// A probe and the place of its service in the list. A class for the reason that `ProviderResult` has.
private final class NumberedProbe: Sendable {
    let number: Int
    let probe: ServiceProbe

    init(_ number: Int, _ probe: ServiceProbe) {
        self.number = number
        self.probe = probe
    }
}
