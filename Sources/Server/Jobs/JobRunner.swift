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
    let metrics: ServerMetrics
    let clock: any RunClock
    let state: Guarded<State>
    /// Jobs use all processors, and wait for a store that another program uses. They have threads of their own, which
    /// give precedence to those that answer requests.
    let threads: ThreadPool
    /// An empty task on these threads. The limit is longer than the longest wait for a store.
    private let probe = Guarded(OpenCalls(limit: 900_000_000_000))

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

    /// Whether the threads of jobs work. Call it a few times a second.
    package func isAlive() -> Bool {
        let now = clock.nanoseconds()
        let (isOpen, isStuck) = probe.withLock { probe in
            defer { if !probe.isOpen(0) { probe.begin(0, at: now) } }
            return (probe.isOpen(0), probe.isStuck(at: now))
        }
        if !isOpen {
            Task(executorPreference: threads) { [weak self] in self?.probe.withLock { $0.end(0) } }
        }
        return !isStuck
    }

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
    /// - Parameter client: The address that it came from.
    package func accept(
        _ terms: ImportTerms, owner: String?, client: String
    ) async throws(ETLError) -> AcceptedJob {
        try await endWait(of: terms.job)
        let (secret, now) = (Secret(), clock.epochMilliseconds())
        let token = KeptToken(secret, of: terms.job, now: now)
        begin(
            try await queue.add(complete(terms, client), owner: owner, token: token, now: now), token)
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
            complete(terms, client), owner: owner, token: given, key: key, question: question, now: now)
        guard let (kept, token) = added else { return nil }
        if let kept {
            try await endWait(of: terms.job)
            begin(kept, token)
        } else {
            state.withLock { $0.tokens.add(token) }
        }
        let job = AcceptedJob(
            jobId: token.job, token: secret.text, expiresAt: token.expiresAt, view: Self.view(of: terms))
        return (job, kept != nil)
    }

    /// A job is on disk, and may run.
    ///
    /// - Parameter token: Its new token; nil for one that was accepted before.
    func begin(_ kept: QueuedJob, _ token: KeptToken? = nil) {
        hub.open(kept.terms.job, log(of: kept))
        state.withLock { state in
            if let token { state.tokens.add(token) }
            state.jobs[kept.id] = kept
            if let owner = kept.owner { state.owners[kept.terms.job] = owner }
            state.schedule.add(kept, at: clock.nanoseconds())
        }
        runNext()
    }

    /// Terms with what quotas count.
    private func complete(_ terms: ImportTerms, _ client: String) -> ImportTerms {
        var terms = terms
        terms.sender = ClientAddress.key(client)
        terms.bytes = [.resume, .refresh].contains(terms.kind) ? 0 : uploads.bytes(of: terms.upload)
        return terms
    }

    /// Why a user's next job is refused; nil if it is not.
    ///
    /// - Parameter upload: The name of its upload; nil if that has not arrived.
    func refusal(
        _ quotas: DailyQuotas, owner: String?, client: String, adding upload: String?
    ) -> ResponseError? {
        let user = ClientAddress.user(owner, at: client)
        let jobs = state.withLock { Array($0.jobs.values) }
        // Decisions and answers of services that come late are no imports.
        let used = jobs.filter { $0.user == user && $0.terms.kind != .resume }
        return quotas.refusal(
            adding: upload.map { uploads.bytes(of: $0) } ?? 0,
            to: used.map { .init(acceptedAt: $0.acceptedAt, bytes: $0.terms.bytes ?? 0) },
            now: clock.epochMilliseconds())
    }

    /// Whether a request with this key has a job already.
    package func knows(_ key: String, of owner: String?) async throws(ETLError) -> Bool {
        try await queue.answer(of: owner ?? "", key, now: clock.epochMilliseconds()) != nil
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
