import Contract
import Formats
import Jobs
import Pipeline
import Queries
import Store
import Syntax
package import System

/// Accepts jobs and runs them, one at a time; users take turns. What it has accepted is on disk, so a killed server continues
/// after a restart.
package final class JobRunner: Sendable {
    struct State: Sendable {
        var schedule = JobSchedule()
        var waits = WaitingJobs()
        var tokens: JobTokens
        /// Stops the running job.
        var stop: StopSignal?
        var isCanceling = false
        /// Whether the running job is stopped for another user's job.
        var isYielding = false
        /// The jobs that are known, by number.
        var jobs: [Int64: QueuedJob] = [:]
        /// The names of the server's tokens that jobs were ordered with.
        var owners: [String: String] = [:]
        var runner: Task<Void, Never>?
    }

    package let settings: Settings
    package let hub: EventHub
    let queue: JobQueue
    let uploads: UploadFolder
    private let metrics: ServerMetrics
    let clock: any RunClock
    let state: Guarded<State>
    /// Jobs use all processors, and wait for a store that another program uses. They have threads of their own, which
    /// give precedence to those that answer requests.
    private let threads: ThreadPool

    /// Continues the work of an earlier process.
    package init(
        _ settings: Settings, queue: JobQueue, hub: EventHub, uploads: UploadFolder,
        metrics: ServerMetrics, clock: any RunClock
    ) async throws(ETLError) {
        self.settings = settings
        self.queue = queue
        self.hub = hub
        self.uploads = uploads
        self.metrics = metrics
        self.clock = clock
        let now = clock.epochMilliseconds()
        try await queue.purge(now: now)
        let (jobs, tokens) = (try await queue.all(), try await queue.tokens())
        // Last, because threads of a queue that cannot be made would not end.
        threads = try ThreadPool(threads: ThreadPool.processorCount + 1, niceness: 10)
        state = Guarded(State(tokens: JobTokens(tokens)))
        for kept in jobs {
            hub.open(kept.terms.job, log(of: kept))
            state.withLock { state in
                state.jobs[kept.id] = kept
                if let owner = kept.owner { state.owners[kept.terms.job] = owner }
                if kept.state.isEnd { return }
                if kept.isWaitingForServices { state.waits.add(kept) } else { state.schedule.add(kept) }
            }
        }
    }

    deinit { threads.end() }

    /// Begins to run jobs.
    package func start() { runNext() }

    private func log(of kept: QueuedJob) -> JobEventLog {
        let pipeline = kept.terms.pipeline
        guard let ending = kept.ending else {
            var log = JobEventLog(pipeline, sentence: "Waiting for earlier jobs", at: kept.acceptedAt)
            if let wait = kept.terms.wait {
                log.begin(run: kept.runs)
                log.wait(wait.sentence, at: kept.acceptedAt)
            }
            return log
        }
        return JobEventLog(pipeline, ending)
    }

    // MARK: Jobs

    /// Whether a job must be refused because too many wait.
    package var isFull: Bool { state.withLock { $0.schedule.waitingCount >= settings.waiting } }

    /// Whether an order of a job waits or runs.
    package func isActive(_ job: String) -> Bool { state.withLock { $0.schedule.has(job) } }

    /// The place of a job among those that wait, from 1; nil if it does not wait.
    package func position(of job: String) -> Int? { state.withLock { $0.schedule.position(of: job) } }

    /// All jobs that are known, the latest first.
    package func recent() -> [QueuedJob] {
        state.withLock { Array($0.jobs.values) }.sorted { $0.id > $1.id }
    }

    /// The names of the uploads that jobs need, or may need to be run again.
    package var needed: Set<String> {
        // A kill may have come between the end of a job and the removal of its upload.
        let jobs = state.withLock { Array($0.jobs.values) }.filter {
            !$0.state.isEnd || $0.state == .failed
        }
        return Set(jobs.map(\.terms.upload))
    }

    /// Number of jobs that wait, and the job that runs.
    package var load: (waiting: Int, running: String?) {
        state.withLock { ($0.schedule.waitingCount, $0.schedule.running?.terms.job) }
    }

    /// When the oldest job that waits was accepted, in milliseconds since 1970; nil if none waits.
    package var oldestWaiting: Int64? { state.withLock { $0.schedule.oldestAcceptance } }

    /// Accepts a job. When it returns, the job and the hash of its token are on disk.
    ///
    /// - Parameter client: The address that it came from, as limits count it.
    package func accept(
        _ terms: ImportTerms, owner: String?, client: String
    ) async throws(ETLError) -> AcceptedJob {
        try await endWait(of: terms.job)
        let (secret, now) = (Secret(), clock.epochMilliseconds())
        let token = KeptToken(secret, of: terms.job, now: now)
        begin(try await queue.add(terms, owner: owner, token: token, now: now), token, from: client)
        return AcceptedJob(
            jobId: terms.job, token: secret.text, expiresAt: token.expiresAt, view: Self.view(of: terms))
    }

    /// Accepts a job of a request with a key. If the request came before, its job is the answer, with another token.
    ///
    /// - Parameter question: Content of the request. A request with the same key must ask the same.
    /// - Returns: The job, and whether it is new; nil if the key belongs to a request that asks something else.
    package func accept(
        _ terms: ImportTerms, owner: String?, client: String, key: String, asking question: String
    ) async throws(ETLError) -> (job: AcceptedJob, isNew: Bool)? {
        let (secret, now) = (Secret(), clock.epochMilliseconds())
        let given = KeptToken(secret, of: terms.job, now: now)
        let added = try await queue.add(
            terms, owner: owner, token: given, key: key, question: question, now: now)
        guard let (kept, token) = added else { return nil }
        if let kept {
            try await endWait(of: terms.job)
            begin(kept, token, from: client)
        } else {
            state.withLock { $0.tokens.add(token) }
        }
        let job = AcceptedJob(
            jobId: token.job, token: secret.text, expiresAt: token.expiresAt, view: Self.view(of: terms))
        return (job, kept != nil)
    }

    /// A job is on disk, and may run.
    private func begin(_ kept: QueuedJob, _ token: KeptToken, from client: String) {
        var kept = kept
        kept.client = client
        hub.open(kept.terms.job, log(of: kept))
        state.withLock { [kept] state in
            state.tokens.add(token)
            state.jobs[kept.id] = kept
            if let owner = kept.owner { state.owners[kept.terms.job] = owner }
            state.schedule.add(kept)
        }
        runNext()
    }

    private static func view(of terms: ImportTerms) -> ResultsView {
        .standard(for: terms.pipeline)
    }

    /// The name of the server's token that a job was ordered with; nil if there is none.
    package func owner(of job: String) -> String? { state.withLock { $0.owners[job] } }

    /// Whether a token may be used for a job.
    package func check(_ token: String, for job: String, reconnects: Bool = false) -> JobTokens.Verdict {
        let now = clock.epochMilliseconds()
        return state.withLock { $0.tokens.check(token, for: job, reconnects: reconnects, now: now) }
    }

    /// Renews a token that ends soon. Call it now and then while its client is connected.
    package func renew(_ token: String, of job: String) {
        let now = clock.epochMilliseconds()
        guard let renewed = state.withLock({ $0.tokens.renew(token, of: job, now: now) }) else { return }
        // If it cannot be kept, the client asks again with the old end.
        Task { [queue] in try? await queue.keep(renewed) }
    }

    /// Cancels a job. Canceling it again does nothing.
    package func cancel(_ job: String) async throws(ETLError) {
        let withdrawn = state.withLock { state -> QueuedJob? in
            if state.schedule.running?.terms.job == job {
                state.isCanceling = true
                state.stop?.raise()
                return nil
            }
            return state.schedule.withdraw(job) ?? state.waits.take(job)
        }
        guard let withdrawn else { return }
        let message = canceled(withdrawn.terms)
        try await end(withdrawn, .canceled, message)
    }

    /// Begins no further job, asks the running one to stop, and waits until it has. Jobs that are not done go on
    /// when the server starts again.
    package func stop() async {
        let runner = state.withLock { state in
            state.schedule.stop()
            state.stop?.raise()
            return state.runner
        }
        await runner?.value
    }

    /// Lets another server use the store, after this one has stopped.
    package func release() { queue.release() }

    /// Forgets expired data.
    package func purge() async {
        let now = clock.epochMilliseconds()
        try? await queue.purge(now: now)
        let left = (try? await queue.all()) ?? []
        let gone = state.withLock { state -> [String] in
            state.tokens.purge(now: now)
            let known = Set(left.map(\.id))
            let gone = state.jobs.values.filter { !known.contains($0.id) }
            for kept in gone { state.jobs[kept.id] = nil }
            let jobs = Set(state.jobs.values.map(\.terms.job))
            state.owners = state.owners.filter { jobs.contains($0.key) }
            return gone.map(\.terms.job).filter { !jobs.contains($0) }
        }
        for job in gone { hub.close(job) }
    }
}

// MARK: Running

extension JobRunner {
    func runNext() {
        state.withLock { state in
            guard let next = state.schedule.next(at: clock.nanoseconds()) else { return }
            let stop = StopSignal()
            (state.stop, state.isCanceling, state.isYielding) = (stop, false, false)
            let goesOn = state.schedule.hasRun(next)
            state.runner = Task(executorPreference: threads) { [self] in
                let isInterrupted = await run(next, stop, goesOn: goesOn)
                let now = clock.nanoseconds()
                self.state.withLock { $0.schedule.end(at: now, goesOn: isInterrupted) }
                runNext()
            }
        }
    }

    /// Interrupts the running job if it has had its share and another user waits. Call it a few times a second.
    package func shareTime() {
        let now = clock.nanoseconds()
        state.withLock { state in
            guard state.schedule.isDue(at: now), !state.isCanceling else { return }
            state.isYielding = true
            state.stop?.raise()
        }
    }

    /// Runs a job until its end, or until it is interrupted.
    ///
    /// - Parameter goesOn: Whether the job was interrupted before. Its clients need not know.
    /// - Returns: Whether it was interrupted for another user's job.
    private func run(_ kept: QueuedJob, _ stop: StopSignal, goesOn: Bool) async -> Bool {
        let job = kept.terms.job
        if !goesOn { await waitForClients(of: job, stop) }
        do throws(ETLError) {
            if !goesOn {
                let run = try await queue.begin(kept.id)
                _ = hub.update(job) { $0.begin(run: run) }
            }
            while true {
                do throws(ETLError) {
                    return try await attempt(kept, stop, goesOn: goesOn)
                } catch {
                    // Another program has the store. It is not the job's fault.
                    guard error.kind == .temporary, !stop.isRaised else { throw error }
                    let now = clock.epochMilliseconds()
                    _ = hub.update(job) {
                        $0.wait("Waiting for another program that uses the store", at: now)
                    }
                    await stop.pause(nanoseconds: 1_000_000_000, on: clock)
                    if stop.isRaised { throw error }
                }
            }
        } catch {
            return await settle(kept, failedWith: error)
        }
    }

    /// Whether a stopped run is only interrupted.
    private var isInterrupted: Bool {
        state.withLock { $0.isYielding && !$0.isCanceling && !$0.schedule.isStopping }
    }

    /// Waits until clients that have connected say that they are ready, but not for long. A client that connects
    /// later misses nothing either: it receives the latest state.
    private func waitForClients(of job: String, _ stop: StopSignal) async {
        let began = clock.nanoseconds()
        while hub.awaitsReady(job), !stop.isRaised, clock.nanoseconds() - began < Self.readyTime,
            !state.withLock({ $0.schedule.isContended })
        {
            await clock.sleep(nanoseconds: 20_000_000)
        }
    }

    /// Maximum wait of a job for connected clients, in nanoseconds.
    private static let readyTime: UInt64 = 5_000_000_000

    /// Runs a job once.
    ///
    /// - Returns: Whether it was interrupted.
    /// - Throws: Failures before the job began.
    private func attempt(
        _ kept: QueuedJob, _ stop: StopSignal, goesOn: Bool
    ) async throws(ETLError) -> Bool {
        var terms = kept.terms
        if terms.wait != nil || terms.kind == .files || terms.kind == .books,
            let done = try finished(terms.job)
        {
            // It waited for services, or the process was killed between its end and the note about it.
            guard done.undoneBy == nil, done.pending > done.decided else {
                try await end(kept, .completed, message(done))
                return false
            }
            terms.kind = .resume
        }
        if terms.wait != nil { terms.kind = .resume }
        let template = kept.terms.kind == .books ? settings.lookUps : settings.imports
        let watcher = ImportWatcher(terms, hub: hub, clock: clock, isStarted: goesOn)
        let reminding = Task { await watcher.remind() }
        defer { reminding.cancel() }
        var request = try terms.request(template)
        if terms.kind == .resume {
            request.reading.files = try ResumedFiles(store: settings.imports.storePath, uploads: uploads)
                .paths(of: terms)
        }
        let outcome = try await ImportJob(
            request, clock: clock, stop: stop, observing: { watcher.note($0) }
        ).run()
        let isCanceling = state.withLock { $0.isCanceling }
        switch outcome.end {
        case .stopped where isInterrupted:
            let now = clock.epochMilliseconds()
            _ = hub.update(terms.job) { $0.wait("Waiting for its turn", at: now) }
            return true
        case .stopped where !isCanceling:
            try await queue.postpone(kept.id)
            return false
        case .stopped:
            _ = try JobCancellation.request(terms.job, in: settings.imports.storePath)
            try await end(kept, .canceled, canceled(terms))
        case .canceled: try await end(kept, .canceled, watcher.ended(outcome, expiresAt: expiry))
        case .failed, .violated: try await end(kept, .failed, watcher.ended(outcome, expiresAt: expiry))
        case .completed, .paused, .unfinished:
            if try await waits(kept, outcome, watcher) {
                metrics.note(outcome.services)
                return false
            }
            try await end(kept, .completed, message(outcome.job))
        }
        metrics.note(outcome, as: hub[terms.job]?.state.rawValue ?? "")
        return false
    }

    /// The job cannot be run.
    ///
    /// - Returns: Whether it was interrupted, and goes on.
    private func settle(_ kept: QueuedJob, failedWith failure: ETLError) async -> Bool {
        if isInterrupted { return true }
        do throws(ETLError) {
            if state.withLock({ $0.schedule.isStopping }) {
                try await queue.postpone(kept.id)
                return false
            }
            let isCanceling = state.withLock { $0.isCanceling }
            let terms = kept.terms
            if isCanceling {
                let message = canceled(terms)
                try await end(kept, .canceled, message)
                return false
            }
            let refusal = ImportMessages.refused(
                terms.job, terms.pipeline, failure, now: clock.epochMilliseconds())
            try await end(kept, .failed, refusal)
        } catch {
            // The queue cannot be written. The next process runs the job again.
        }
        return false
    }

    private var expiry: Int64 { clock.epochMilliseconds() + Int64(settings.hoursKept) * 3_600_000 }

    func end(
        _ kept: QueuedJob, _ end: QueuedJob.State, _ message: JobMessage
    ) async throws(ETLError) {
        let message = kept.terms.withoutPaths(message, store: settings.imports.storePath)
        var json = JSONWriter()
        message.write(into: &json)
        let (bytes, now) = (json.bytes, clock.epochMilliseconds())
        // Kept first: a client that learns of a job's end can rely on it.
        let last = hub[kept.terms.job].map { log in
            var log = log
            return log.add(end.eventKind, bytes, at: now).id
        }
        try await queue.end(
            kept.id,
            JobEnding(state: end, endedAt: now, expiresAt: expiry, lastEvent: last ?? 1, message: bytes))
        let failure: JobFailure? = if case .failed(let failure) = message.body { failure } else { nil }
        // A job that failed may be resumed, unless its upload is too large. One with pending records has a copy in the
        // store.
        if end != .failed || failure?.code == .payloadTooLarge { uploads.remove(kept.terms.upload) }
        let sentence = failure?.message ?? ""
        // Before clients are told: they may send corrections at once.
        state.withLock { $0.schedule.settle(kept) }
        _ = hub.update(kept.terms.job) { $0.add(end.eventKind, bytes, sentence: sentence, at: now) }
    }

    private func canceled(_ terms: ImportTerms) -> JobMessage {
        JobMessage(
            jobId: terms.job, pipeline: terms.pipeline, timestamp: clock.epochMilliseconds(),
            .failed(JobFailure(.csvProcessingFailed, "The job was canceled.")))
    }

    /// The job in the store, if it is complete.
    func finished(_ name: String) throws(ETLError) -> Job? {
        guard let store = try StoreFile.openIfStarted(settings.imports.storePath),
            let job = try JobTable(store).job(named: name), job.status == .completed
        else { return nil }
        return job
    }

    func message(_ job: Job) -> JobMessage {
        JobMessage(
            jobId: job.name, pipeline: job.contractPipeline, timestamp: clock.epochMilliseconds(),
            .complete(
                JobCompletion(
                    counts: job.counts, duration: job.busyMilliseconds, expiresAt: expiry,
                    pending: job.pending - job.decided)))
    }
}
