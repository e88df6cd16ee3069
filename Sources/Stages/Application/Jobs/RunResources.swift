import Books
import Pipeline

/// What a run works with once its store is open.
struct RunResources {
    var order: ImportRequest
    var store: ResultsStore
    var clients: ServiceClients
    var plan: Plan
    /// What the plan was made with.
    var dependencies: RunDependencies
    /// How many records the job's input has.
    var records: Int
    /// Services that the run must not go without.
    var required: Set<String>

    /// The flow of the job's definition.
    ///
    /// - Parameter observe: Told of settled and open records, batch by batch.
    func flow(observing observe: ComposeResults.Observer? = nil) throws(StageFailure) -> Flow {
        guard let observe else { return try plan.flow() }
        var dependencies = dependencies
        dependencies.observeRecords = observe
        return try BookStages.plan(order.definition, dependencies).flow()
    }

    /// Does what the job begins with. Where that fails nothing is left open.
    func begin<Begun>(
        _ body: () async throws(StageFailure) -> Begun
    ) async throws(StageFailure) -> Begun {
        do throws(StageFailure) {
            return try await body()
        } catch {
            try? await clients.close()
            throw error
        }
    }
}

/// What stands ready before a run begins.
extension ImportJob {
    /// Opens the store and all that a run needs beside it, so that nothing that can fail stands between the job's
    /// beginning and its run: a job that began also ends.
    ///
    /// - Parameters:
    ///   - wishes: What the definition says of services (``ServiceSetting``).
    ///   - known: The job that is gone on with; nil for a new one.
    func equip(
        _ order: ImportRequest, _ dependencies: RunDependencies,
        settings providerSettings: [String: Settings],
        expecting records: Int, resuming known: Job?
    ) async throws(StageFailure) -> RunResources {
        var limits = order.limits
        limits.expect(records: records)
        let store = try ResultsStore(
            order.storePath, limits: limits, clock: clock, waiting: lockTerms, observingCommits: commits)
        var services = try order.services(order.providers, order.isOffline, providerSettings)
        let asked = if let known { try await store.servicesAsked(by: known) } else { Set<String>() }
        if let known { try leaveOutNewServices(&services, of: known, asked: asked) }
        let clients = try ServiceClients(services, askedBefore: asked, cache: store, clock: clock, stop: stop)
        {
            [observe] in observe(.waiting($0))
        }
        var dependencies = dependencies
        dependencies.store = store
        dependencies.clients = clients
        dependencies.decisions = try await store.decisions()
        dependencies.providers =
            order.providers ?? ["catalog"] + services.definitions.filter(\.isOfBooks).map(\.name)
        return RunResources(
            order: order, store: store, clients: clients,
            plan: try BookStages.plan(order.definition, dependencies), dependencies: dependencies,
            records: records,
            required: services.required)
    }

    /// What is noted of catalogs with the job that asks them.
    static func notes(of catalogs: [Catalog]) async throws(StageFailure) -> [CatalogReference] {
        var notes: [CatalogReference] = []
        for catalog in catalogs {
            let description = try await catalog.describe()
            notes.append(CatalogReference(description, at: AbsolutePath.of(description.path)))
        }
        return notes
    }

    /// Keeps a job that has read any of its input to the services that it was begun with: asked now, another one would
    /// have to be asked for all that is finished, too.
    private func leaveOutNewServices(
        _ services: inout ServiceSettings, of job: Job, asked: Set<String>
    ) throws(StageFailure) {
        guard job.terms?.services != nil, job.checkpoint != .start else { return }
        let new = services.names.subtracting(asked)
        guard !new.isEmpty else { return }
        if let required = services.required.intersection(new).min() {
            throw StageFailure(
                .configuration,
                "Job \(job.name) was begun without \(required) and goes on as it was begun.",
                advice: """
                    Leave out \(UserSetting.require), or import the file again when the job has ended: a new import asks \
                    \(required) too.
                    """
            )
        }
        services.leaveOut(new)
        observe(.leftOut(new.sorted()))
    }
}
