package import Books
package import Database
package import Pipeline
import Services

/// An import: what `etl import`, `run` and `resume` do, without a terminal.
package struct ImportJob: Sendable {
    let request: ImportRequest
    let clock: any RunClock
    /// Decides when answers that have arrived are brought into the library.
    let pacingClock: any RunClock
    let stop: StopSignal
    let observe: @Sendable (ImportEvent) -> Void
    let commits: (@Sendable (ResultsStore.CommitPoint) -> Void)?
    let reshape: @Sendable (Flow) -> Flow

    /// - Parameters:
    ///   - pacingClock: Decides when answers that have arrived are brought into the library; nil for the other
    ///     clock. A test whose clock jumps would bring in each of them alone.
    ///   - stop: Raised by a signal, by an exceeded error budget, or if another process cancels the job.
    ///   - observe: Called with events, from the tasks of the run.
    ///   - observingCommits: Called before and after each commit, for tests of crashes.
    ///   - reshaping: Changes the flow before it runs, for tests that add delays.
    package init(
        _ request: ImportRequest, clock: any RunClock = SystemClock(),
        pacingClock: (any RunClock)? = nil, stop: StopSignal = StopSignal(),
        observingCommits: (@Sendable (ResultsStore.CommitPoint) -> Void)? = nil,
        reshaping: @escaping @Sendable (Flow) -> Flow = { $0 },
        observing observe: @escaping @Sendable (ImportEvent) -> Void = { _ in }
    ) {
        self.request = request
        self.clock = clock
        self.pacingClock = pacingClock ?? clock
        self.stop = stop
        self.observe = observe
        commits = observingCommits
        reshape = reshaping
    }

    /// Imports the files, or continues an unfinished import of them, or imports the corrected rejects of a
    /// job.
    ///
    /// - Throws: Failures that prevent the job from beginning. Later failures are in the outcome.
    package func run() async throws(StageFailure) -> ImportOutcome {
        guard request.rejects == nil else { return try await importCorrections() }
        let began = clock.nanoseconds()
        var request = request
        try request.reading.expandArchives()
        // A job that continues decides the options.
        let known = try Self.jobToContinue(request, waiting: lockWaitPolicy)
        if let known {
            try request.continueJob(with: known)
            try Self.check(known, request)
        }
        var dependencies = RunDependencies(reading: request.reading, library: request.library, stop: stop)
        // Everything that can be wrong with the request is found before a store is created or a record is
        // read.
        let plan = try BookStages.plan(request.definition, dependencies)
        let definedSettings = plan.providers
        dependencies.genreRules = try request.readGenreRules(of: plan)
        for path in request.catalogPaths { dependencies.catalogs.append(try Catalog(path)) }
        let survey = try await ReadLibrary(request.reading, stop: stop).surveyLibrary(
            until: CalendarDate.tomorrow(of: clock.epochMilliseconds()))
        observe(.surveyed(survey))
        // A job that continues has the date orders from its beginning.
        if request.reading.dateOrders.isEmpty { request.reading.dateOrders = survey.dateOrders }
        request.reading.surveyed = survey.surveyed
        dependencies.reading = request.reading

        let readBefore = known == nil ? try self.readBefore(request, survey) : nil
        let baseline = try baseline(by: known, request)
        let resources = try await openResources(
            request, dependencies, settings: definedSettings, expecting: survey.recordCount, resuming: known)
        let (store, clients) = (resources.store, resources.clients)
        let noteOpen: ComposeResults.Observer = { [observe] _, open in
            if open > 0 { observe(.pendingInBatch(open)) }
        }
        let flow = reshape(try resources.flow(observing: clients.names.isEmpty ? nil : noteOpen))
        let job = try await resources.closingOnFailure { () async throws(StageFailure) in
            var jobRequest = try Self.jobRequest(request, survey, resuming: known)
            jobRequest.options?.readBefore = readBefore
            let job = try await store.begin(jobRequest)
            try await store.noteAsking(clients.names)
            try await store.note(try await Self.notes(of: dependencies.catalogs))
            return job
        }
        if let estimate = await serviceEstimate(request, resources, resuming: known) {
            observe(.estimated(estimate))
        }
        observe(.began(job))

        let meter = Guarded(
            request.budgets.map {
                ErrorBudgetsTracker($0, records: baseline?.records ?? 0, rejects: baseline?.rejects ?? [:])
            })
        var report = await runner(flow, resources).run(from: job.checkpoint, stop: stop) { event in
            // Rejects count before they are committed: a transaction can have tens of thousands of records.
            if case .writing(let records, let rejects) = event,
                meter.withLock({ $0?.note(records: records, rejects: rejects) }) != nil
            {
                stop.raise(droppingLaterBatches: true)
            }
            observe(.ran(event))
        }
        var passResult = PendingPassResult()
        let isRead = report.outcome == .completed
        do {
            if report.outcome == .completed, let replayed = try await replayCorrected(resources) {
                report.outcome = replayed.outcome
            }
            if report.outcome == .completed {
                passResult = try await finishPending(resources)
                report = passResult.report ?? report
            } else if report.outcome == .stopped, meter.withLock({ $0?.verdict(atEnd: false) }) == nil,
                let read = try await store.storedJob()?.counts.totalProcessed
            {
                try await addAnswers(resources, limit: read)
            }
        } catch {
            report.outcome = .failed(error)
        }
        do {
            try await clients.close()
            // All records are read, but some are pending and were not waited for.
            if report.outcome == .completed, stop.isRaised, try await store.pendingCount() > 0 {
                report.outcome = .stopped
            }
        } catch {
            report.note(error)
        }
        // A broken store cannot take copies, and says so at the end.
        if isRead, !report.isFailed, !request.isDryRun {
            do throws(StageFailure) {
                try await store.keepInputs(request.reading.files)
            } catch {
                observe(.inputsNotKept(error))
            }
        }
        var outcome = await end(
            job, report, survey, resources, meter: meter.withLock { $0 }, heldBackBy: passResult.heldBackBy,
            milliseconds: Int64((clock.nanoseconds() - began) / 1_000_000))
        outcome.earlier = job.counts.totalProcessed
        outcome.waited = job.pending
        return outcome
    }

    /// What earlier runs of the job have read and rejected since its budgets were last exceeded; nil without
    /// budgets or earlier runs. A job that was killed does not get a fresh budget.
    private func baseline(by job: Job?, _ request: ImportRequest) throws(StageFailure) -> BudgetBaseline? {
        guard let job, request.budgets != nil else { return nil }
        var baseline = try progress(job, in: request.storePath)
        guard let spent = job.options?.budgetBaseline else { return baseline }
        baseline.records = max(0, baseline.records - spent.records)
        for (code, count) in spent.rejects {
            baseline.rejects[code] = max(0, (baseline.rejects[code] ?? 0) - count)
        }
        return baseline
    }

    /// What all runs of a job have read and rejected.
    func progress(_ job: Job, in store: String) throws(StageFailure) -> BudgetBaseline {
        let counts = try FindingCounter(try StoreFile.openForReading(store, waiting: lockWaitPolicy)).counts(
            of: job)
        return BudgetBaseline(
            records: job.counts.totalProcessed,
            rejects: Dictionary(counts.rejects.map { ($0.name, $0.count) }) { $1 })
    }

    /// How to wait for another program that has locked the store: until the run is stopped.
    var lockWaitPolicy: LockWaitPolicy {
        LockWaitPolicy(clock: clock, stop: stop) { [observe] in observe(.locked($0)) }
    }

    func runner(_ flow: Flow, _ resources: RunResources) -> Runner {
        Runner(flow, clock: clock, retry: RetryPolicy(attempts: resources.plan.attempts))
    }

    /// The job that the request continues: an unfinished one, one with pending records, or one whose rejects
    /// are corrected; nil if the request starts a new one.
    ///
    /// - Throws: `.missing` for a file or a job that does not exist, and what reading either throws.
    package static func jobToContinue(
        _ request: ImportRequest, waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(StageFailure) -> Job? {
        if request.rejects != nil {
            let connection = try StoreFile.openForReading(request.storePath, waiting: policy)
            return try JobTable(connection).existing(request.jobName)
        }
        guard !request.restarts,
            let connection = try StoreFile.openIfStarted(request.storePath, waiting: policy)
        else { return nil }
        let table = JobTable(connection)
        guard let job = try table.jobToContinue(try jobRequest(request)) else { return nil }
        return job.isUnfinished || request.finishesPending ? job : nil
    }

    /// The job request, before the files are surveyed or after.
    private static func jobRequest(
        _ request: ImportRequest, _ survey: LibrarySurvey? = nil, resuming known: Job? = nil
    ) throws(StageFailure) -> JobRequest {
        var inputs = survey?.source.fingerprints ?? []
        if survey == nil {
            for path in request.reading.files { inputs.append(try InputFile(path).fingerprint()) }
        }
        var job = JobRequest(
            name: request.jobName, freshName: request.freshName, pipeline: request.definition.name,
            library: request.library, formatName: survey?.formatName, inputs: inputs,
            options: request.options,
            totalCount: survey?.recordCount, newestDate: survey?.newestDate.map { Int64($0.value) })
        let dayFirst = survey?.files.indices.filter { survey?.files[$0].dates.proven == .dayFirst } ?? []
        job.options?.dayFirstFiles = dayFirst.isEmpty ? nil : dayFirst
        if let survey, survey.formatName == nil {
            job.options?.newestDates = survey.newestDates.mapValues { Int64($0.value) }
        }
        job.restarts = request.restarts
        job.replaces = request.replaces
        job.finishesPending = request.finishesPending
        job.continues = known?.id
        return job
    }

    /// Rejects a file that has changed before the checkpoint.
    private static func check(_ job: Job, _ request: ImportRequest) throws(StageFailure) {
        guard job.checkpoint != .start, let digest = job.tailDigest else { return }
        guard TailHash(files: request.reading.files).digest(before: job.checkpoint) == digest else {
            throw JobTable.changed(job)
        }
    }
}

/// How a run ends.
extension ImportJob {
    /// Stores how the job ended.
    ///
    /// - Parameters:
    ///   - spent: Services without calls left, because of which pending records cannot be finished.
    ///   - state: The state to leave the job in; nil for the state that the run's end leads to.
    func end(
        _ job: Job, _ report: RunReport, _ survey: LibrarySurvey, _ resources: RunResources,
        meter: ErrorBudgetsTracker? = nil, heldBackBy spent: Set<String> = [], leaving state: JobState? = nil,
        milliseconds: Int64
    ) async -> ImportOutcome {
        let store = resources.store
        let services = await resources.clients.reports()
        var outcome = ImportOutcome(
            end: .completed, job: job, report: report, survey: survey, milliseconds: milliseconds,
            services: services)
        do {
            switch isGivenUp(report) ? .stopped : report.outcome {
            case .failed(let failure): outcome.end = .failed(failure)
            // The last commits may arrive after reading has ended, so the budget is checked once more.
            case .completed:
                outcome.waiting = try await store.pendingTallies()
                let silent = Set(outcome.waiting.map(\.service)).intersection(resources.services.required)
                outcome.end =
                    Self.spent(meter?.verdict(atEnd: true), job) ?? Self.missed(silent, job)
                    ?? Self.paused(outcome.waiting, heldBackBy: spent, services) ?? .completed
            case .stopped:
                outcome.waiting = try await store.pendingTallies()
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
                    try await store.note(try progress(ended, in: resources.request.storePath))
                }
            }
        } catch {
            // The store cannot be written, so the end of the job cannot be stored either. It will be found
            // unfinished.
            if outcome.end.failure == nil, outcome.end != .canceled {
                outcome.end = isGivenUp(error) ? .stopped : .failed(error)
            }
            if let stored = try? await store.storedJob() { outcome.job = stored }
            outcome.job.status = .failed
        }
        return outcome
    }

    /// Whether something failed only because the run was to stop and did not wait any longer, for example for
    /// a locked store. The next run does the rest.
    private func isGivenUp(_ failure: StageFailure) -> Bool { stop.isRaised && failure.kind == .temporary }

    private func isGivenUp(_ report: RunReport) -> Bool {
        if case .failed(let failure) = report.outcome { isGivenUp(failure) } else { false }
    }

    /// The end of a run in which a required service did not answer.
    private static func missed(_ silent: Set<String>, _ job: Job) -> ImportOutcome.End? {
        silent.min().map { service in
            .failed(
                StageFailure(
                    .unavailable, "\(service) is required, but left records unanswered.",
                    advice: "To ask it again, run \(UserCommand.resume(job: job.name))."))
        }
    }

    /// The end of a run that only has to wait until services have calls again.
    private static func paused(
        _ pending: [PendingRecords.Tally], heldBackBy others: Set<String>, _ services: [ServiceReport]
    ) -> ImportOutcome.End? {
        let spent = others.union(
            pending.filter { $0.reasons[LookupOutcome.quota.name] != nil }.map(\.service))
        guard !spent.isEmpty else { return nil }
        let waiting = services.filter { spent.contains($0.name) }
        return .paused(
            QuotaPause(
                services: waiting.map(\.name), resumeAt: waiting.compactMap(\.metrics.resumeAt).min()))
    }

    private static func spent(_ sentence: String?, _ job: Job) -> ImportOutcome.End? {
        sentence.map { sentence in
            .failed(
                StageFailure(
                    .budget, sentence,
                    advice: """
                        To see why, run \(UserCommand.errors(job: job.name)). To continue with a fresh budget, run \
                        \(UserCommand.resume(job: job.name)).
                        """))
        }
    }
}

/// Files that are imported again, for example to read their dates in the other order.
extension ImportJob {
    /// The jobs that have read the same files into the library before; nil if there are none. The files are
    /// the same if their fingerprints match and the bytes before each job's checkpoint are unchanged.
    func readBefore(
        _ request: ImportRequest, _ survey: LibrarySurvey
    ) throws(StageFailure) -> [Int64]? {
        guard let connection = try StoreFile.openIfStarted(request.storePath, waiting: lockWaitPolicy) else {
            return nil
        }
        let inputs = survey.source.fingerprints
        let tails = TailHash(files: request.reading.files)
        let jobs = try JobTable(connection).all().filter { job in
            guard job.library == request.library, job.checkpoint != .start,
                JobTable.isSame(job.inputs, inputs)
            else { return false }
            return job.tailDigest.map { $0 == tails.digest(before: job.checkpoint) } ?? true
        }
        return jobs.isEmpty ? nil : jobs.map(\.id).sorted()
    }
}
