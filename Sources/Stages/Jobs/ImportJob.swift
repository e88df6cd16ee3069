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
        var surroundings = Surroundings(reading: order.reading, library: order.library, stop: stop)
        // All that can be wrong with the order is found before a store is made or a record read.
        _ = try plan(surroundings)
        for path in order.catalogPaths { surroundings.catalogs.append(try Catalog(path)) }
        let survey = try await ReadLibrary(order.reading).surveyLibrary()
        observe(.surveyed(survey))

        var limits = order.limits
        limits.expect(records: survey.recordCount)
        let store = try ResultsStore(
            order.storePath, limits: limits, clock: clock, observingCommits: commits)
        surroundings.store = store
        let job = try await store.begin(jobOrder(survey))
        try check(job)
        observe(.began(job))

        let plan = try plan(surroundings)
        let meter = Guarded(order.budgets.map { ErrorBudgetsMeter($0) })
        let spent = Guarded<String?>(nil)
        let runner = Runner(
            reshape(try plan.flow()), clock: clock, retry: RetryPolicy(attempts: plan.attempts))
        let report = await runner.run(from: job.checkpoint, stop: stop) { event in
            if case .committed(_, let records, let rejects) = event,
                let sentence = meter.withLock({ $0?.note(records: records, rejects: rejects) })
            {
                spent.withLock { if $0 == nil { $0 = sentence } }
                stop.raise()
            }
            observe(.ran(event))
        }
        return try await end(
            job, report, survey, store: store, spentBudget: spent.withLock { $0 },
            milliseconds: Int64((clock.nanoseconds() - began) / 1_000_000))
    }

    private func plan(_ surroundings: Surroundings) throws(StageFailure) -> Plan {
        do {
            return try Plan(order.definition, registry: BookStages.registry(surroundings))
        } catch {
            throw StageFailure(.configuration, error.description)
        }
    }

    private func jobOrder(_ survey: LibrarySurvey) -> JobOrder {
        var fingerprints = survey.source.fingerprints
        for (index, name) in order.names.enumerated() where index < fingerprints.count {
            fingerprints[index].name = name
        }
        var job = JobOrder(
            name: order.jobName, freshName: order.freshName, pipeline: order.definition.name,
            library: order.library, profile: survey.files.first?.profile, inputs: fingerprints,
            told: order.reading.told, totalCount: survey.recordCount,
            newestDate: survey.newestDate.map { Int64($0.value) })
        job.restarts = order.restarts
        job.replaces = order.replaces
        return job
    }

    /// Refuses to go on in a file that has changed before the checkpoint.
    private func check(_ job: Job) throws(StageFailure) {
        guard job.checkpoint != .start, let digest = job.tailDigest else { return }
        guard TailDigest(files: order.reading.files).digest(before: job.checkpoint) == digest else {
            throw JobLedger.changed(job)
        }
    }

    private func end(
        _ job: Job, _ report: RunReport, _ survey: LibrarySurvey, store: ResultsStore, spentBudget: String?,
        milliseconds: Int64
    ) async throws(StageFailure) -> ImportOutcome {
        var end: ImportOutcome.End
        switch report.outcome {
        case .completed: end = .completed
        case .failed(let failure): end = .failed(failure)
        case .stopped:
            if let spentBudget {
                end = .failed(
                    StageFailure(
                        .budget, "The error budget is spent: \(spentBudget)",
                        advice: "See `etl errors \(job.name)`; `etl resume \(job.name)` goes on."))
            } else {
                end = try await store.isCancelRequested() ? .canceled : .stopped
            }
        }
        let ended = try await store.end(
            end.state, failure: end.failure?.message,
            busyMilliseconds: milliseconds)
        return ImportOutcome(
            end: end, job: ended ?? job, report: report, survey: survey, milliseconds: milliseconds)
    }
}
