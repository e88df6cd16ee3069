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
    /// Decides when the run looks whether another process cancels it, and tells how far it is.
    let watchClock: any RunClock
    let stop: StopSignal
    /// The progress so far, for other processes.
    private let progress: Guarded<ImportProgress>
    let observe: @Sendable (ImportEvent) -> Void
    let commits: (@Sendable (ResultsStore.CommitPoint) -> Void)?
    let reshape: @Sendable (Flow) -> Flow

    /// - Parameters:
    ///   - pacingClock: Decides when answers that have arrived are brought into the library; nil for the other
    ///     clock. A test whose clock jumps would bring in each of them alone.
    ///   - watchClock: Decides when the run looks whether another process cancels it. It does not affect
    ///     results.
    ///   - stop: Raised by a signal, by an exceeded error budget, or if another process cancels the job.
    ///   - observe: Called with events, from the tasks of the run.
    ///   - observingCommits: Called before and after each commit, for tests of crashes.
    ///   - reshaping: Changes the flow before it runs, for tests that add delays.
    package init(
        _ request: ImportRequest, clock: any RunClock = SystemClock(),
        pacingClock: (any RunClock)? = nil, watchClock: any RunClock = SystemClock(),
        stop: StopSignal = StopSignal(),
        observingCommits: (@Sendable (ResultsStore.CommitPoint) -> Void)? = nil,
        reshaping: @escaping @Sendable (Flow) -> Flow = { $0 },
        observing observe: @escaping @Sendable (ImportEvent) -> Void = { _ in }
    ) {
        self.request = request
        self.clock = clock
        self.pacingClock = pacingClock ?? clock
        self.watchClock = watchClock
        self.stop = stop
        let progress = Guarded(ImportProgress())
        self.progress = progress
        self.observe = { event in
            progress.withLock { $0.note(event) }
            observe(event)
        }
        commits = observingCommits
        reshape = reshaping
    }

    /// Imports the files, or continues an unfinished import of them, or imports the corrected rejects of a
    /// job.
    ///
    /// - Throws: Failures that prevent the job from beginning. Later failures are in the outcome.
    package func run() async throws(StageFailure) -> ImportOutcome {
        guard request.rejects == nil else { return try await importCorrections() }
        if let refresh = request.refresh { return try await refreshBooks(refresh) }
        let began = clock.nanoseconds()
        var request = request
        try request.reading.expandArchives()
        // A job that continues decides the options.
        let known = try Self.jobToContinue(request, waiting: lockWaitPolicy)
        if let known {
            try request.continueJob(with: known)
            try Self.check(known, request)
        } else {
            request.reading = try request.readingWithRules(waiting: lockWaitPolicy)
        }
        var dependencies = RunDependencies(reading: request.reading, library: request.library, stop: stop)
        // Everything that can be wrong with the request is found before a store is created or a record is
        // read.
        let plan = try BookStages.plan(request.definition, dependencies)
        let definedSettings = plan.providers
        request.reading.expectedFormats = BookStages.expectedFormats(of: plan)
        dependencies.genreRules = try request.readGenreRules(of: plan)
        for path in request.catalogPaths { dependencies.catalogs.append(try Catalog(path)) }
        let lock: StoreLock? = if let known { try self.lock(for: known) } else { nil }
        let survey = try await survey(request, resuming: known, holding: lock)
        observe(.surveyed(survey))
        // A job that continues has the date orders from its beginning.
        if request.reading.dateOrders.isEmpty { request.reading.dateOrders = survey.dateOrders }
        request.reading.surveyed = survey.surveyed
        dependencies.reading = request.reading

        let readBefore = known == nil ? try self.readBefore(request, survey) : nil
        let baseline = try baseline(by: known, request)
        let resources = try await openResources(
            request, dependencies, settings: definedSettings, expecting: survey.recordCount, resuming: known,
            holding: lock)
        let (store, clients) = (resources.store, resources.clients)
        let noteOpen: ComposeResults.Observer = { [observe] _, open in
            if open > 0 { observe(.pendingInBatch(open)) }
        }
        var flow = try resources.flow(observing: clients.names.isEmpty ? nil : noteOpen)
        // Services take most of the time, so smaller batches cost little and show how far the run is.
        if !clients.names.isEmpty {
            flow = PendingPass.spread(
                flow, over: survey.recordCount, by: Self.recordsWithServices,
                answering: resources.services.recordsPerSecond)
        }
        flow = reshape(request.isDryRun ? flow.withoutCopies : flow)
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
        // Ended and awaited with this function: it must not keep the store locked for the next run.
        async let _: Void = watch(job, store)

        let meter = Guarded(
            request.budgets.map {
                ErrorBudgetsTracker($0, records: baseline?.records ?? 0, rejects: baseline?.rejects ?? [:])
            })
        var report = await run(flow, resources, from: job.checkpoint) { event in
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
            } else if report.outcome == .stopped, !flow.multipliesRows,
                meter.withLock({ $0?.verdict(atEnd: false) }) == nil,
                let read = try await store.storedJob()?.counts.totalProcessed,
                await !store.isCancelRequested() || read <= Self.mostAddedAtCancel
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
        do throws(StageFailure) {
            if let measures = outcome.measures { try await store.note(measures) }
            try await store.note(outcome.pause)
            let pause = outcome.pause
            outcome.job.options?.pause = pause
        } catch {
            // The job stays completed with pending records, which is what the store says too.
            if outcome.end.failure == nil { outcome.end = .failed(error) }
        }
        return outcome
    }

    /// Lets other processes see how far the run is, and stop it, while it works and while it waits.
    /// Ends when its task is canceled.
    func watch(_ job: Job, _ store: ResultsStore) async {
        let began = watchClock.nanoseconds()
        while !Task.isCancelled {
            if store.isStopRequested(of: job.name) { stop.raise() }
            let elapsed = Double(watchClock.nanoseconds() - began) / 1e9
            let state = progress.withLock { $0 }
            let seconds = state.serviceSecondsLeft(elapsed: elapsed).map { Int(min($0, 1e9).rounded(.up)) }
            store.publish(RunProgress(done: state.done, secondsLeft: seconds))
            await watchClock.sleep(nanoseconds: Self.watchInterval)
        }
    }

    /// Maximum batch size of a run that asks services. Those whose answers are cached take it too.
    private static let recordsWithServices = 128

    /// Number of records that are run again in a second or two. A canceled job ends at once, so it leaves the
    /// answers of more records to its next run; they are in the cache.
    static let mostAddedAtCancel = 20_000

    /// Nanoseconds between two looks.
    static let watchInterval: UInt64 = 250_000_000

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

    /// Runs the job's flow from a checkpoint. Its stages get to know the records before it first.
    private func run(
        _ flow: Flow, _ resources: RunResources, from checkpoint: Position,
        observing observe: @escaping @Sendable (RunEvent) -> Void
    ) async -> RunReport {
        do throws(StageFailure) {
            try await ResumedRows(flow: flow, clock: clock, stop: stop).remember(before: checkpoint)
        } catch {
            return RunReport(outcome: .failed(error), recordsCommitted: 0, stages: [], elapsed: 0)
        }
        return await runner(flow, resources).run(from: checkpoint, stop: stop, observing: observe)
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

    /// The completed job that the request names and that has read the same files: there is nothing to do. nil if
    /// the request starts or continues a job.
    package static func completedJob(
        _ request: ImportRequest, waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(StageFailure) -> Job? {
        guard let name = request.jobName, request.rejects == nil, !request.restarts, !request.finishesPending,
            let connection = try StoreFile.openIfStarted(request.storePath, waiting: policy),
            let job = try JobTable(connection).job(named: name), !job.isUnfinished, job.undoneBy == nil,
            job.library == request.library, job.pipeline == request.definition.name,
            JobTable.isSame(job.inputs, try jobRequest(request).inputs)
        else { return nil }
        return job
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
        let jobs = try JobTable(connection).all(on: inputs).filter { job in
            guard job.library == request.library, job.checkpoint != .start else { return false }
            return job.tailDigest.map { $0 == tails.digest(before: job.checkpoint) } ?? true
        }
        return jobs.isEmpty ? nil : jobs.map(\.id).sorted()
    }
}
