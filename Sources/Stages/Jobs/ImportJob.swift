package import Pipeline

/// An import from its files to its closing figures: what `etl import`, `run` and `resume` do, without a terminal.
package struct ImportJob: Sendable {
    let order: ImportOrder
    let clock: any RunClock
    let stop: StopSignal
    let observe: @Sendable (ImportEvent) -> Void
    private let commits: (@Sendable (ResultsStore.CommitPoint) -> Void)?
    let reshape: @Sendable (Flow) -> Flow

    /// What a run works with once its store is open.
    struct Gear {
        var order: ImportOrder
        var store: ResultsStore
        var desks: ServiceDesks
        var plan: Plan
        /// How many records the job's input has.
        var records: Int
        /// Services that the run must not go without.
        var required: Set<String>
    }

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

    /// Imports, or goes on with an unfinished import of the same files, or takes in the mended rejects of a job.
    ///
    /// - Throws: What keeps the job from beginning. What ends it later is in the outcome.
    package func run() async throws(StageFailure) -> ImportOutcome {
        guard order.rejects == nil else { return try await mend() }
        let began = clock.nanoseconds()
        var order = order
        // The job that this goes on with says how.
        let known = try Self.known(order)
        if let known { try order.goOn(with: known) }
        var surroundings = Surroundings(reading: order.reading, library: order.library, stop: stop)
        // All that can be wrong with the order is found before a store is made or a record read.
        let wishes = try BookStages.plan(order.definition, surroundings).providers
        for path in order.catalogPaths { surroundings.catalogs.append(try Catalog(path)) }
        let survey = try await ReadLibrary(order.reading).surveyLibrary(
            until: CalendarDate.tomorrow(of: clock.epochMilliseconds()))
        observe(.surveyed(survey))

        let borne = try Self.borne(by: known, order)
        let gear = try await equip(
            order, surroundings, wishing: wishes, expecting: survey.recordCount, goingOnWith: known)
        let (store, desks) = (gear.store, gear.desks)
        var flow = reshape(try gear.plan.flow())
        if !desks.names.isEmpty {
            flow = flow.notingOpenRecords { [observe] _, open in if open > 0 { observe(.leftOpen(open)) } }
        }
        let job = try await store.begin(Self.jobOrder(order, survey))
        try await store.noteAsking(desks.names)
        try check(job, order)
        guard job.checkpoint == .start || job.id == known?.id else {
            throw StageFailure(
                .temporary, "Job \(job.name) was begun by another run just now.",
                advice: "Give the same command again.")
        }
        observe(.began(job))

        let meter = Guarded(
            order.budgets.map {
                ErrorBudgetsMeter($0, records: borne?.records ?? 0, rejects: borne?.rejects ?? [:])
            })
        var report = await runner(flow, gear).run(from: job.checkpoint, stop: stop) { event in
            if case .committed(_, let records, let rejects) = event,
                meter.withLock({ $0?.note(records: records, rejects: rejects) }) != nil
            {
                stop.raise()
            }
            observe(.ran(event))
        }
        do {
            if report.outcome == .completed, let replayed = try await replayMended(gear) {
                report.outcome = replayed.outcome
            }
            if report.outcome == .completed {
                report = try await takeUp(gear) ?? report
            }
            try await desks.close()
            // All is read, but some of it was not waited for.
            if report.outcome == .completed, stop.isRaised, try await store.pendingCount() > 0 {
                report.outcome = .stopped
            }
        } catch {
            report.outcome = .failed(error)
        }
        var outcome = await end(
            job, report, survey, gear, meter: meter.withLock { $0 },
            milliseconds: Int64((clock.nanoseconds() - began) / 1_000_000))
        outcome.earlier = job.counts.totalProcessed
        outcome.waited = job.pending
        return outcome
    }

    /// What earlier runs of the job have read and rejected since its budgets were last spent, where there are any: they
    /// are the job's, and not granted again to one that was killed.
    private static func borne(by job: Job?, _ order: ImportOrder) throws(StageFailure) -> SpentBudgets? {
        guard let job, order.budgets != nil else { return nil }
        var borne = try sofar(job, in: order.storePath)
        guard let spent = job.terms?.spentBudgets else { return borne }
        borne.records = max(0, borne.records - spent.records)
        for (code, count) in spent.rejects {
            borne.rejects[code] = max(0, (borne.rejects[code] ?? 0) - count)
        }
        return borne
    }

    /// What all runs of a job have read and rejected.
    private static func sofar(_ job: Job, in store: String) throws(StageFailure) -> SpentBudgets {
        let counts = try FindingFigures(try StoreFile.openForReading(store)).counts(of: job)
        return SpentBudgets(
            records: job.counts.totalProcessed,
            rejects: Dictionary(counts.rejects.map { ($0.name, $0.count) }) { $1 })
    }

    /// Opens the store and all that a run needs beside it, so that nothing that can fail stands between the job's
    /// beginning and its run: a job that began also ends.
    ///
    /// - Parameters:
    ///   - wishes: What the definition says of services (``ServiceWishes``).
    ///   - known: The job that is gone on with; nil for a new one.
    func equip(
        _ order: ImportOrder, _ surroundings: Surroundings, wishing wishes: [String: Settings],
        expecting records: Int, goingOnWith known: Job?
    ) async throws(StageFailure) -> Gear {
        var limits = order.limits
        limits.expect(records: records)
        let store = try ResultsStore(
            order.storePath, limits: limits, clock: clock, observingCommits: commits)
        var services = try order.services(order.providers, order.isOffline, wishes)
        let asked = if let known { try await store.servicesAsked(by: known) } else { Set<String>() }
        if let known { try leaveOutNewServices(&services, of: known, asked: asked) }
        let desks = try ServiceDesks(services, askedBefore: asked, cache: store, clock: clock, stop: stop) {
            [observe] in observe(.waiting($0))
        }
        var surroundings = surroundings
        surroundings.store = store
        surroundings.desks = desks
        surroundings.decisions = try await store.decisions()
        if let providers = order.providers { surroundings.providers = providers }
        return Gear(
            order: order, store: store, desks: desks,
            plan: try BookStages.plan(order.definition, surroundings), records: records,
            required: services.required)
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
                advice:
                    "Leave out --require, or import the file again once the job has ended: that asks \(required) too."
            )
        }
        services.leaveOut(new)
        observe(.leftOut(new.sorted()))
    }

    func runner(_ flow: Flow, _ gear: Gear) -> Runner {
        Runner(flow, clock: clock, retry: RetryPolicy(attempts: gear.plan.attempts))
    }

    /// The job that the order goes on with, an unfinished one or one with pending records, or whose rejects it mends; nil
    /// where it begins a new one.
    ///
    /// - Throws: `.missing` for a file or a job that is not there, and what looking at either throws.
    package static func known(_ order: ImportOrder) throws(StageFailure) -> Job? {
        if order.rejects != nil {
            return try JobLedger(try StoreFile.openForReading(order.storePath)).existing(order.jobName)
        }
        guard !order.restarts, let connection = try StoreFile.openIfBegun(order.storePath) else { return nil }
        let ledger = JobLedger(connection)
        guard let job = try ledger.known(try jobOrder(order)) else { return nil }
        return job.isUnfinished || order.takesUpPending ? job : nil
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
            library: order.library, profile: survey?.profile, inputs: inputs, terms: order.terms,
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

    /// Notes how the job ended.
    ///
    /// - Parameter state: The state it is left in, where that is not the one the run's end leads to.
    func end(
        _ job: Job, _ report: RunReport, _ survey: LibrarySurvey, _ gear: Gear,
        meter: ErrorBudgetsMeter? = nil, leaving state: JobState? = nil, milliseconds: Int64
    ) async -> ImportOutcome {
        let store = gear.store
        let services = await gear.desks.reports()
        var outcome = ImportOutcome(
            end: .completed, job: job, report: report, survey: survey, milliseconds: milliseconds,
            services: services)
        do {
            switch report.outcome {
            case .failed(let failure): outcome.end = .failed(failure)
            // The last commits may come when nothing is left to stop: the budget is judged once more.
            case .completed:
                let pending = try await store.pendingReasons()
                let silent = Set(pending.map(\.service)).intersection(gear.required)
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
                state ?? outcome.end.state, failure: state == nil ? outcome.end.failure?.message : nil,
                busyMilliseconds: milliseconds)
            if let ended {
                outcome.job = ended
                if outcome.end.failure?.kind == .budget {
                    try await store.note(try Self.sofar(ended, in: gear.order.storePath))
                }
            }
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
                    advice:
                        "See `etl errors \(job.name)`; the same command, or `etl resume \(job.name)`, goes on "
                        + "with the budget anew for the records that are left."))
        }
    }
}
