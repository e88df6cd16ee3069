package import Pipeline

/// An import from its files to its closing figures: what `etl import`, `run` and `resume` do, without a terminal.
package struct ImportJob: Sendable {
    private let order: ImportOrder
    private let clock: any RunClock
    private let stop: StopSignal
    private let observe: @Sendable (ImportEvent) -> Void
    private let commits: (@Sendable (ResultsStore.CommitPoint) -> Void)?
    private let reshape: @Sendable (Flow) -> Flow

    /// - Parameters:
    ///   - stop: Raised by a signal, by a spent error budget, or when another process cancels the job.
    ///   - observe: Told what happens, from the tasks of the run.
    ///   - observingCommits: Told of each commit before and after it, for tests of crashes.
    ///   - reshaping: Changes the flow before it runs, for tests that put delays into it.
    package init(
        _ order: ImportOrder, clock: any RunClock = SystemClock(), stop: StopSignal = StopSignal(),
        observingCommits: (@Sendable (ResultsStore.CommitPoint) -> Void)? = nil,
        reshaping: @escaping @Sendable (Flow) -> Flow = { $0 },
        observing observe: @escaping @Sendable (ImportEvent) -> Void = { _ in }
    ) {
        self.order = order
        self.clock = clock
        self.stop = stop
        self.observe = observe
        commits = observingCommits
        reshape = reshaping
    }

    /// Imports, or goes on with an unfinished import of the same files.
    ///
    /// - Throws: What keeps the job from beginning. What ends it later is in the outcome.
    package func run() async throws(StageFailure) -> ImportOutcome {
        let began = clock.nanoseconds()
        var order = order
        // The job that this goes on with says how.
        let known = try Self.known(order)
        if let known { try order.goOn(with: known) }
        var surroundings = Surroundings(reading: order.reading, library: order.library, stop: stop)
        // All that can be wrong with the order is found before a store is made or a record read.
        _ = try Self.plan(order, surroundings)
        for path in order.catalogPaths { surroundings.catalogs.append(try Catalog(path)) }
        let survey = try await ReadLibrary(order.reading).surveyLibrary()
        observe(.surveyed(survey))

        let store = try open(order, expecting: survey.recordCount)
        surroundings.store = store
        if let providers = order.providers { surroundings.providers = providers }
        let services = try order.services(order.providers, order.isOffline)
        let desks = try ServiceDesks(services, cache: store, clock: clock, stop: stop) { [observe] in
            observe(.waiting($0))
        }
        surroundings.desks = desks
        // Nothing that can fail stands between the job's beginning and its run: a job that began also ends.
        let plan = try Self.plan(order, surroundings)
        let flow = reshape(try plan.flow())
        let job = try await store.begin(Self.jobOrder(order, survey))
        try check(job, order)
        guard job.checkpoint == .start || job.id == known?.id else {
            throw StageFailure(
                .temporary, "Job \(job.name) was begun by another run just now.",
                advice: "Give the same command again.")
        }
        observe(.began(job))

        let counts = job.counts
        let meter = Guarded(
            order.budget.map {
                ErrorBudgetMeter($0, records: counts.totalProcessed, rejected: counts.rejected)
            })
        let runner = Runner(flow, clock: clock, retry: RetryPolicy(attempts: plan.attempts))
        var report = await runner.run(from: job.checkpoint, stop: stop) { event in
            if case .committed(_, let records, let rejects) = event,
                meter.withLock({ $0?.note(records: records, rejected: Self.spending(rejects)) }) != nil
            {
                stop.raise()
            }
            observe(.ran(event))
        }
        do {
            if report.outcome == .completed, !desks.isEmpty {
                report = try await takeUp(plan, store, desks) ?? report
            }
            try await desks.close()
            // All is read, but some of it was not waited for.
            if report.outcome == .completed, stop.isRaised, try await !store.pendingPlaces().isEmpty {
                report.outcome = .stopped
            }
        } catch {
            report.outcome = .failed(error)
        }
        return await end(
            job, report, survey, store: store, meter: meter.withLock { $0 }, required: services.required,
            services: await desks.reports(), milliseconds: Int64((clock.nanoseconds() - began) / 1_000_000))
    }

    /// Takes up the records that services have left open.
    ///
    /// - Returns: How the run ended then; nil where nothing more came of it.
    private func takeUp(
        _ plan: Plan, _ store: ResultsStore, _ desks: ServiceDesks
    ) async throws(StageFailure) -> RunReport? {
        let places = try await store.pendingPlaces()
        guard !places.isEmpty, !stop.isRaised else { return nil }
        observe(.takingUp(places.count))
        desks.patience.patience = .patient
        let pass = TakeUp(places: places, clock: clock, stop: stop)
        switch await pass.ask(reshape(try plan.flow())) {
        case .ended(let report): return report
        case .unchanged: return nil
        case .settled: break
        }
        desks.patience.patience = .keptOnly
        _ = try await store.rewind()
        let runner = Runner(
            reshape(try plan.flow()), clock: clock, retry: RetryPolicy(attempts: plan.attempts))
        return await runner.run(stop: stop)
    }

    /// Rejects that spend an error budget: what is rightly set aside spends none (contract.md section 7).
    private static func spending(_ rejects: [String: Int]) -> Int {
        rejects.reduce(0) { sum, reject in
            ReasonCode(rawValue: reject.key)?.isSetAside == true ? sum : sum + reject.value
        }
    }

    private func open(_ order: ImportOrder, expecting records: Int) throws(StageFailure) -> ResultsStore {
        var limits = order.limits
        limits.expect(records: records)
        return try ResultsStore(order.storePath, limits: limits, clock: clock, observingCommits: commits)
    }

    /// The unfinished job that the order goes on with; nil where it begins a new one.
    private static func known(_ order: ImportOrder) throws(StageFailure) -> Job? {
        guard !order.restarts, let connection = try StoreFile.openIfBegun(order.storePath) else { return nil }
        let ledger = JobLedger(connection)
        guard let job = try ledger.known(try jobOrder(order)) else { return nil }
        return job.isUnfinished || order.takesUpPending ? job : nil
    }

    private static func plan(
        _ order: ImportOrder, _ surroundings: Surroundings
    ) throws(StageFailure) -> Plan {
        do {
            return try Plan(order.definition, registry: BookStages.registry(surroundings))
        } catch {
            throw error.failure
        }
    }

    /// What the ledger is asked for, before the files were read or after.
    private static func jobOrder(
        _ order: ImportOrder, _ survey: LibrarySurvey? = nil
    ) throws(StageFailure) -> JobOrder {
        var inputs = survey?.source.fingerprints ?? []
        if survey == nil {
            for path in order.reading.files { inputs.append(try InputFile(path).fingerprint()) }
        }
        var job = JobOrder(
            name: order.jobName, freshName: order.freshName, pipeline: order.definition.name,
            library: order.library, profile: survey?.files.first?.profile, inputs: inputs, terms: order.terms,
            totalCount: survey?.recordCount, newestDate: survey?.newestDate.map { Int64($0.value) })
        job.restarts = order.restarts
        job.replaces = order.replaces
        job.takesUpPending = order.takesUpPending
        return job
    }

    /// Refuses to go on in a file that has changed before the checkpoint.
    private func check(_ job: Job, _ order: ImportOrder) throws(StageFailure) {
        guard job.checkpoint != .start, let digest = job.tailDigest else { return }
        guard TailDigest(files: order.reading.files).digest(before: job.checkpoint) == digest else {
            throw JobLedger.changed(job)
        }
    }

    private func end(
        _ job: Job, _ report: RunReport, _ survey: LibrarySurvey, store: ResultsStore,
        meter: ErrorBudgetMeter?, required: Set<String>, services: [ServiceReport], milliseconds: Int64
    ) async -> ImportOutcome {
        var outcome = ImportOutcome(
            end: .completed, job: job, report: report, survey: survey, milliseconds: milliseconds,
            services: services)
        do {
            switch report.outcome {
            case .failed(let failure): outcome.end = .failed(failure)
            // The last commits may come when nothing is left to stop: the budget is judged once more.
            case .completed:
                let pending = try await store.pendingReasons()
                let silent = Set(pending.map(\.service)).intersection(required)
                outcome.end =
                    Self.spent(meter?.verdict(atEnd: true), job) ?? Self.missed(silent, job)
                    ?? Self.paused(pending, services) ?? .completed
            case .stopped:
                if let spent = Self.spent(meter?.verdict(atEnd: false), job) {
                    outcome.end = spent
                } else {
                    outcome.end = await store.isCancelRequested() ? .canceled : .stopped
                }
            }
            let ended = try await store.end(
                outcome.end.state, failure: outcome.end.failure?.message, busyMilliseconds: milliseconds)
            if let ended { outcome.job = ended }
        } catch {
            // The store can take no more, so it cannot be told of it either: the job is found unfinished there.
            if outcome.end.failure == nil { outcome.end = .failed(error) }
            outcome.job.status = .failed
        }
        return outcome
    }

    /// The end of a run that has to go without a service it must not go without.
    private static func missed(_ silent: Set<String>, _ job: Job) -> ImportOutcome.End? {
        silent.min().map { service in
            .failed(
                StageFailure(
                    .unavailable, "\(service) is required and has not answered for all records.",
                    advice: "`etl resume \(job.name)` asks again."))
        }
    }

    /// The end of a run that has done all but what waits for a service's next day.
    private static func paused(
        _ pending: [PendingRecords.Reason], _ services: [ServiceReport]
    ) -> ImportOutcome.End? {
        let spent = Set(pending.filter { $0.outcome == LookUpOutcome.quota.name }.map(\.service))
        guard !spent.isEmpty else { return nil }
        let waiting = services.filter { spent.contains($0.name) }
        return .paused(
            QuotaPause(
                services: waiting.map(\.name), resumeAt: waiting.compactMap(\.figures.resumeAt).min()))
    }

    private static func spent(_ sentence: String?, _ job: Job) -> ImportOutcome.End? {
        sentence.map { sentence in
            .failed(
                StageFailure(
                    .budget, "The error budget is spent: \(sentence)",
                    advice: "See `etl errors \(job.name)`; `etl resume \(job.name)` goes on."))
        }
    }
}
