import Books
package import Database
import Formats
import Pipeline
import Services
import Sources
package import Store
package import System

/// Scope and size of a refresh: everything that is not stored with its job.
package struct RefreshRequest: Sendable {
    package var options: RefreshOptions
    /// Maximum number of requests to all services together in this run; nil for any number.
    package var calls: Int?
    /// Maximum duration of the run, in nanoseconds; nil for no limit.
    package var time: UInt64?
    /// Whether to abandon an unfinished job with the same options and start a new one.
    package var restarts = false

    package init(_ options: RefreshOptions) { self.options = options }
}

/// Refreshing the stored books: `etl enrich`.
struct BooksRefresh: Sendable {
    let core: ImportRun
    let request: ImportRequest
    let refresh: RefreshRequest

    /// Refreshes books until none is left, the budget is spent or no service answers.
    ///
    /// Books of which a service has not answered stay in the queue and are asked about again, as long as each
    /// time at least half of them are answered.
    func run() async throws(ETLError) -> ImportOutcome {
        let start = core.clock.nanoseconds()
        let budget = CallBudget(calls: refresh.calls)
        let begun = try await begin(budget)
        let (job, resources, stop) = (begun.job, begun.resources, core.stop)
        async let _: Void = core.watch(job, resources.store)
        async let _: Void = endInTime(budget)
        var (left, selection) = (begun.left, begun.selection)
        let (store, clients) = (resources.store, resources.clients)
        var report = try await pass(over: left, resources, from: job.checkpoint)
        do {
            while report.outcome == .completed, !stop.isRaised {
                let before = left
                let isEnding = await resources.dependencies.refresh.isEnding()
                // Without services, a pass refreshes all books that it reads.
                if clients.names.isEmpty, !isEnding {
                    left = 0
                    break
                }
                selection.done = try await store.storedJob()?.counts.totalProcessed ?? 0
                left = try await store.fillQueue(selection)
                guard left > 0, !isEnding, left <= before / 2 else { break }
                clients.waitPolicy.beginLaterPass(.noTimeout)
                let checkpoint = try await store.storedJob()?.checkpoint ?? .start
                report = try await pass(over: left, resources, from: checkpoint)
            }
            try await clients.close()
        } catch {
            report.note(error)
        }
        return await end(
            job, report, resources, left: left, isSpent: budget.isSpent,
            milliseconds: Int64((core.clock.nanoseconds() - start) / 1_000_000))
    }

    /// A job that has begun.
    private struct Begun: Sendable {
        var job: Job
        var resources: RunResources
        /// Which books are left.
        var selection: RefreshQueue.Selection
        /// Number of remaining books.
        var left: Int
    }

    /// Finds the job to continue, opens the store, fills the queue and begins the job.
    private func begin(_ budget: CallBudget) async throws(ETLError) -> Begun {
        var request = request
        let known = try ImportJob.refreshToContinue(request, waiting: core.lockWaitPolicy)
        let start = known?.startedAt ?? core.clock.epochMilliseconds()
        if refresh.options.only != nil { request.isOffline = true }
        request.services = {
            [services = request.services, refresh] (named, isOffline, defined) throws(ETLError) in
            var settings = try services(named, isOffline, defined)
            settings.firstWaitPolicy = .noTimeout
            settings.budget = budget
            settings.refreshesBefore = refresh.options.oldestAnswer(from: start)
            if refresh.options.only == .matching { settings.readsAllCaches = true }
            return settings
        }
        var scope = RefreshScope()
        scope.fields = refresh.options.fields.flatMap { StoredBookField.fields(named: $0) }
        scope.isFinal = refresh.options.only == .matching
        if refresh.options.only == .genres {
            scope.derivesGenres = true
            scope.fields = [.genre]
        }
        let plan = try BookStages.plan(request.definition)
        let files = try request.openNamedFiles(of: plan)
        let stored = try StoreFile.openForReading(request.storePath, waiting: core.lockWaitPolicy)
        scope.layouts = StoredLayouts(try JobTable(stored).all())
        // With services, a run refreshes few books, and preparing for many lookups would take longer than they do.
        let asksServices = try !request.services(request.providers, request.isOffline, plan.providers).isEmpty
        let books = asksServices ? 0 : Int(try stored.number("SELECT max(id) FROM editions"))
        var resources = try await core.openResources(
            request, files, settings: plan.providers, refreshing: scope,
            expecting: min(books, refresh.options.limit ?? .max), resuming: known)
        let clients = resources.clients
        resources.dependencies.refresh.isEnding = {
            if budget.isSpent { return true }
            return await !clients.mayAnswer()
        }
        var selection = RefreshQueue.Selection(
            refresh.options, start: start, job: known?.id, done: known?.counts.totalProcessed ?? 0,
            ordersByAge: !clients.names.isEmpty)
        var jobRequest = JobRequest(
            name: known?.name ?? request.jobName ?? request.freshName, freshName: request.freshName,
            pipeline: request.definition.name, library: refresh.options.library ?? JobOptions.defaultLibrary,
            formatName: nil, inputs: [], options: request.options)
        jobRequest.runState = JobRunState(services: [])
        jobRequest.continues = known?.id
        let (job, left) = try await resources.closingOnFailure { () async throws(ETLError) in
            let left = try await resources.store.fillQueue(selection)
            jobRequest.totalCount = left
            let job = try await resources.store.begin(jobRequest, asksServices: !clients.names.isEmpty)
            try await resources.noteSources()
            return (job, left)
        }
        selection.job = job.id
        if !clients.names.isEmpty {
            core.observe(
                .estimated(
                    ServiceEstimate(refreshing: left, asking: resources.services, atMost: refresh.calls)))
        }
        core.observe(.began(job))
        return Begun(job: job, resources: resources, selection: selection, left: left)
    }

    /// One pass over the queue.
    private func pass(
        over count: Int, _ resources: RunResources, from checkpoint: Position
    ) async throws(ETLError) -> RunReport {
        // Books of which a service has not answered stay in the queue, and are not finished.
        var flow = try resources.flow { [observe = core.observe] _, open in
            if open > 0 { observe(.pendingInBatch(open)) }
        }
        if !resources.clients.names.isEmpty {
            flow = PendingPass.spread(flow, over: count, answering: resources.services.recordsPerSecond)
        }
        flow = core.reshape(flow)
        return await core.runner(flow, resources).run(from: checkpoint, stop: core.stop) {
            [observe = core.observe] event in observe(.ran(event))
        }
    }

    /// Ends the budget when the time is up. Ends when its task is canceled.
    private func endInTime(_ budget: CallBudget) async {
        guard let time = refresh.time else { return }
        await core.clock.sleep(nanoseconds: time)
        if !Task.isCancelled { budget.end() }
    }

    private func end(
        _ job: Job, _ report: RunReport, _ resources: RunResources, left: Int, isSpent: Bool,
        milliseconds: Int64
    ) async -> ImportOutcome {
        let store = resources.store
        var outcome = ImportOutcome(
            end: .completed, job: job, report: report, survey: LibrarySurvey(files: [], recordCount: 0),
            milliseconds: milliseconds, services: await resources.clients.reports())
        outcome.earlier = job.counts.totalProcessed
        switch core.isGivenUp(report) ? .stopped : report.outcome {
        case .failed(let failure): outcome.end = .failed(failure)
        case .stopped: outcome.end = await store.isCancelRequested() ? .canceled : .stopped
        case .completed where core.stop.isRaised:
            outcome.end = await store.isCancelRequested() ? .canceled : .stopped
        case .completed: if left > 0 { outcome.end = .unfinished(left: left, isSpent: isSpent) }
        }
        do throws(ETLError) {
            if report.outcome == .completed, !core.stop.isRaised,
                let violated = try await core.violation(resources)
            {
                outcome.end = violated
            }
            let ended = try await store.end(
                outcome.end.state, failure: outcome.end.failure?.message, busyMilliseconds: milliseconds)
            if let ended { outcome.job = ended }
            if let metrics = outcome.metrics { try await store.note(metrics) }
            try await core.undoViolation(&outcome, resources)
        } catch {
            if outcome.end.failure == nil, outcome.end != .canceled {
                outcome.end = core.isGivenUp(error) ? .stopped : .failed(error)
            }
            if let stored = try? await store.storedJob() { outcome.job = stored }
        }
        return outcome
    }
}

/// Which job a refresh continues, and how many books it has.
extension ImportJob {
    /// The unfinished job that a request continues: the named one, or the newest with the same options; nil for a
    /// new one.
    ///
    /// - Throws: `.missing` if there is no store, `.configuration` if the named job is none that refreshes books
    ///   like that.
    package static func refreshToContinue(
        _ request: ImportRequest, waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(ETLError) -> Job? {
        let table = JobTable(try StoreFile.openForReading(request.storePath, waiting: policy))
        let wanted = request.options
        func isSame(_ job: Job) -> Bool {
            job.options?.refresh == wanted.refresh && job.options?.options == wanted.options
                && job.pipeline == request.definition.name
        }
        if let name = request.jobName {
            guard let job = try table.job(named: name) else { return nil }
            if job.isRefresh, isSame(job), job.isUnfinished, job.undoneBy == nil { return job }
            throw ETLError(
                .configuration,
                "There is already a job `\(name)`, and it is not one that can continue like this.",
                advice: "Specify another name, or leave out \(UserSetting.job).")
        }
        guard !request.restarts else { return nil }
        return try table.all().first {
            $0.isRefresh && $0.isUnfinished && $0.status != .canceled && $0.undoneBy == nil && isSame($0)
        }
    }

    /// The number of books that a request would refresh.
    ///
    /// - Parameter asksServices: Whether services are asked.
    /// - Throws: `.missing` if there is no store or library.
    package static func booksToRefresh(
        _ request: ImportRequest, _ options: RefreshOptions, clock: any RunClock = SystemClock(),
        waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(ETLError) -> Int {
        let known = try refreshToContinue(request, waiting: policy)
        let connection = try StoreFile.openForReading(request.storePath, waiting: policy)
        return try RefreshQueue(connection).count(
            RefreshQueue.Selection(
                options, start: known?.startedAt ?? clock.epochMilliseconds(), job: known?.id,
                done: known?.counts.totalProcessed ?? 0, ordersByAge: false))
    }
}
