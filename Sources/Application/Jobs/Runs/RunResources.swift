import Books
import Formats
import Pipeline
import Sources
import Store
import System

/// Resources of a run with an open store.
struct RunResources {
    var request: ImportRequest
    var answers: ReplayedAnswers
    var plan: Plan
    /// The dependencies the plan was made with.
    var dependencies: LibraryDependencies
    /// Number of records in the job's input.
    var records: Int
    /// The services that are asked.
    var services: ServiceSettings

    var store: ResultsStore { dependencies.store }
    var clients: ServiceClients { dependencies.clients }

    /// The flow of the job's definition.
    ///
    /// - Parameter observe: Called with the number of finished and of pending records of each batch.
    func flow(observing observe: ComposeResults.Observer? = nil) throws(ETLError) -> Flow {
        guard let observe else { return try plan.flow() }
        var dependencies = dependencies
        dependencies.observeRecords = observe
        return try BookStages.plan(request.definition, dependencies).flow()
    }

    /// The same for a run that another signal ends.
    ///
    /// - Parameter limit: The number of records to read; nil for all.
    func stopping(by stop: StopSignal, limit: Int? = nil) throws(ETLError) -> RunResources {
        var resources = self
        resources.dependencies.stop = stop
        if let limit { resources.dependencies.reading.limit = limit }
        resources.plan = try BookStages.plan(request.definition, resources.dependencies)
        return resources
    }

    /// Begins a job, and stores with it which services and catalogs it asks.
    func begin(_ request: JobRequest) async throws(ETLError) -> Job {
        try await closingOnFailure { () async throws(ETLError) in
            let job = try await store.begin(request)
            try await noteSources()
            return job
        }
    }

    /// Stores with the job which services and catalogs it asks.
    func noteSources() async throws(ETLError) {
        try await store.noteAsking(clients.names)
        try await store.note(try await ImportRun.notes(of: dependencies.catalogs))
    }

    /// Runs the beginning of a job. If that fails, all clients are closed.
    func closingOnFailure<Begun>(
        _ body: () async throws(ETLError) -> Begun
    ) async throws(ETLError) -> Begun {
        do throws(ETLError) {
            return try await body()
        } catch {
            try? await clients.close()
            throw error
        }
    }
}

/// The preparation of a run.
extension ImportRun {
    /// Opens the store and everything else that a run needs. Nothing that can fail is left between the
    /// beginning of the job and its run, so a job that began also ends.
    ///
    /// - Parameters:
    ///   - providerSettings: The definition's settings of services (``ServiceSetting``).
    ///   - known: The job that continues; nil for a new one.
    ///   - lock: The store's lock; nil to take it now.
    func openResources(
        _ request: ImportRequest, _ files: NamedFiles, settings definedSettings: [String: Settings],
        refreshing scope: RefreshScope = RefreshScope(), expecting records: Int, resuming known: Job?,
        holding lock: StoreLock? = nil
    ) async throws(ETLError) -> RunResources {
        var limits = request.limits
        limits.expect(records: records)
        var services = try request.services(request.providers, request.isOffline, definedSettings)
        let log = AnswerLog(store: request.storePath)
        try log.recover(readBy: services.definitions.map(\.reader), holding: lock)
        let store = try ResultsStore(
            request.storePath, limits: limits, clock: clock, holding: lock, waiting: lockWaitPolicy,
            admittingReaders: request.admitsReaders, observingCommits: commits)
        let asked = if let known { try await store.servicesAsked(by: known) } else { Set<String>() }
        if let known { try leaveOutNewServices(&services, of: known, asked: asked) }
        let answers = ReplayedAnswers(request.answers ?? store, log: log, clock: replayClock)
        let clients = try ServiceClients(
            services, askedBefore: asked, cache: answers, clock: clock, stop: stop
        ) { [observe] in observe(.waiting($0)) }
        if let failure = clients.limiterFailure { observe(.limitsNotShared(failure)) }
        var dependencies = LibraryDependencies(
            reading: request.reading, library: request.library, named: files, store: store,
            clients: clients,
            providers: request.providers
                ?? [Provider.catalogName] + services.definitions.filter(\.isOfBooks).map(\.name),
            decisions: try await store.decisions(
                of: known?.library ?? request.refresh?.options.library ?? request.library,
                isPrivate: request.isPrivate), refresh: scope, stop: stop)
        dependencies.rejectsUnknown =
            request.refresh == nil && request.definition.contract == JobPipeline.batchEnrichment.rawValue
        return RunResources(
            request: request, answers: answers,
            plan: try BookStages.plan(request.definition, dependencies),
            dependencies: dependencies, records: records, services: services)
    }

    /// Expected duration of a run's services; nil if none is asked, or it cannot be estimated.
    func serviceEstimate(
        _ request: ImportRequest, _ resources: RunResources, resuming known: Job?
    ) async -> ServiceEstimate? {
        guard !resources.services.isEmpty else { return nil }
        let left = known.map { max(0, resources.records - $0.counts.totalProcessed) + $0.pending }
        // If everything is read, only pending records are asked for.
        let isRead = known.map { $0.counts.totalProcessed >= resources.records } ?? false
        // An estimate is not worth failing for. Errors in the input are found when it is read.
        return try? await ForecastImport(
            request.reading, catalogs: resources.dependencies.catalogs, services: resources.services,
            store: request.storePath, clock: clock
        ).serviceEstimate(
            for: left ?? resources.records,
            filteringBy: isRead ? FilterPending(store: resources.store, isPending: true) : nil)
    }

    /// The descriptions of catalogs that are stored with the job.
    static func notes(of catalogs: [Catalog]) async throws(ETLError) -> [CatalogReference] {
        var notes: [CatalogReference] = []
        for catalog in catalogs {
            let description = try await catalog.describe()
            notes.append(CatalogReference(description, at: AbsolutePath.of(description.path)))
        }
        return notes
    }

    /// Removes services that the job did not begin with, if it has read any of its input. A service asked now
    /// would have to answer for all finished records too.
    private func leaveOutNewServices(
        _ services: inout ServiceSettings, of job: Job, asked: Set<String>
    ) throws(ETLError) {
        guard job.runState.services != nil, job.checkpoint != .start else { return }
        let new = services.names.subtracting(asked)
        guard !new.isEmpty else { return }
        if let required = services.required.intersection(new).min() {
            throw ETLError(
                .configuration,
                "Job `\(job.name)` started without \(required), and a job keeps the services it started with.",
                advice: """
                    To continue the job, leave out \(UserSetting.require). To ask \(required), finish the job and import \
                    the file again.
                    """
            )
        }
        services.leaveOut(new)
        observe(.servicesLeftOut(new.sorted()))
    }
}

extension CatalogReference {
    /// A catalog's description as stored in a job that uses it.
    ///
    /// - Parameter path: The absolute path.
    fileprivate init(_ description: CatalogDescription, at path: String) {
        self.init(path: path)
        provider = description.provider
        builtAt = description.builtAt
        dumps = description.sources.map(\.name)
        hasPeople = description.people > 0
    }
}
