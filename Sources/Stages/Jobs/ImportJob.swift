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
        let report = await runner.run(from: job.checkpoint, stop: stop) { event in
            if case .committed(_, let records, let rejected) = event,
                meter.withLock({ $0?.note(records: records, rejected: rejected) }) != nil
            {
                stop.raise()
            }
            observe(.ran(event))
        }
        return await end(
            job, report, survey, store: store, meter: meter.withLock { $0 },
            milliseconds: Int64((clock.nanoseconds() - began) / 1_000_000))
    }

    private func open(_ order: ImportOrder, expecting records: Int) throws(StageFailure) -> ResultsStore {
        var limits = order.limits
        limits.expect(records: records)
        return try ResultsStore(order.storePath, limits: limits, clock: clock, observingCommits: commits)
    }

    /// The unfinished job that the order goes on with; nil where it begins a new one.
    private static func known(_ order: ImportOrder) throws(StageFailure) -> Job? {
        guard !order.restarts, StoreFile.exists(order.storePath) else { return nil }
        let ledger = JobLedger(try StoreFile.openForReading(order.storePath))
        guard let job = try ledger.known(try jobOrder(order)), job.isUnfinished else { return nil }
        return job
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
        meter: ErrorBudgetMeter?, milliseconds: Int64
    ) async -> ImportOutcome {
        var outcome = ImportOutcome(
            end: .completed, job: job, report: report, survey: survey, milliseconds: milliseconds)
        do {
            switch report.outcome {
            case .failed(let failure): outcome.end = .failed(failure)
            // The last commits may come when nothing is left to stop: the budget is judged once more.
            case .completed: outcome.end = Self.spent(meter?.verdict(atEnd: true), job) ?? .completed
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

    private static func spent(_ sentence: String?, _ job: Job) -> ImportOutcome.End? {
        sentence.map { sentence in
            .failed(
                StageFailure(
                    .budget, "The error budget is spent: \(sentence)",
                    advice: "See `etl errors \(job.name)`; `etl resume \(job.name)` goes on."))
        }
    }
}
