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
        var tokens: JobTokens
        /// Stops the running job.
        var stop: StopSignal?
        /// The jobs that are known, by number.
        var jobs: [Int64: QueuedJob] = [:]
        /// The owners of the server's tokens with which jobs were requested first. Whoever corrects a job or decides its
        /// matches does not take it from them.
        var owners: [String: String] = [:]
        var runner: Task<Void, Never>?
        /// The scans whose photos are being read, by the numbers of their jobs.
        var readings: [Int64: Reading] = [:]
        /// The scans that this process has read. Their clients know that they have begun.
        var read: Set<Int64> = []
        /// Whether the last attempt of the running job has found the disk full.
        var waitsForRoom = false
        /// The places in the sentences about waiting jobs.
        var places: [Int64: Int] = [:]

        mutating func add(_ kept: QueuedJob) {
            jobs[kept.id] = kept
            if let owner = kept.owner, owners[kept.options.job] == nil { owners[kept.options.job] = owner }
        }
    }

    package let settings: Settings
    package let hub: EventHub
    let queue: JobQueue
    let uploads: UploadFolder
    let metrics: ServerMetrics
    let watch: StoreWatch
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
        metrics: ServerMetrics, watch: StoreWatch, clock: any RunClock
    ) async throws(ETLError) {
        self.settings = settings
        self.queue = queue
        self.hub = hub
        self.uploads = uploads
        self.metrics = metrics
        self.watch = watch
        self.clock = clock
        let now = clock.epochMilliseconds()
        try await queue.purge(now: now)
        let (jobs, tokens) = (try await queue.all(), try await queue.tokens())
        // Last, because threads of a queue that cannot be made would not end.
        threads = try ThreadPool(threads: ThreadPool.processorCount + 1, niceness: 10)
        state = Guarded(State(tokens: JobTokens(tokens)))
        for kept in jobs {
            hub.open(kept.options.job, log(of: kept))
            state.withLock { state in
                state.add(kept)
                if !kept.state.isEnd { state.schedule.restore(kept) }
            }
        }
    }

    deinit { threads.end() }

    /// Begins to run jobs.
    package func start() {
        readNext()
        runNext()
    }

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

    func log(of kept: QueuedJob) -> JobEventLog {
        let pipeline = kept.options.pipeline
        guard let ending = kept.ending else {
            var log = JobEventLog(pipeline, sentence: "Waiting for earlier jobs", at: kept.acceptedAt)
            if let wait = kept.options.wait {
                log.begin(run: kept.runs)
                log.wait(wait.sentence, kept.options.job, at: kept.acceptedAt)
            }
            return log
        }
        return JobEventLog(pipeline, ending)
    }

    // MARK: Jobs

    /// Whether a job waits or runs.
    package func isActive(_ job: String) -> Bool { state.withLock { $0.schedule.has(job) } }

    /// The place of a job among those that wait, from 1; nil if it does not wait.
    package func position(of job: String) -> Int? { state.withLock { $0.schedule.position(of: job) } }

    /// The latest time at which a waiting job's turn begins, in milliseconds since 1970; nil if that is unknown.
    package func turn(of job: String) -> Int64? {
        let now = clock.nanoseconds()
        let running = state.withLock { $0.schedule.running?.options.job }
        let left = running.flatMap { timeLeft(of: $0) }
        return state.withLock { $0.schedule.wait(of: job, at: now, left: left) }.map {
            clock.epochMilliseconds() + Int64($0 / 1_000_000)
        }
    }

    /// How long the running job needs until its end, in nanoseconds, if it goes on as before; nil if it does not run, or has
    /// done too little to tell.
    package func timeLeft(of job: String) -> UInt64? {
        let now = clock.nanoseconds()
        guard let spent = state.withLock({ $0.schedule.spent(on: job, at: now) }),
            let share = hub[job]?.progress.fraction, share >= 0.02
        else { return nil }
        return UInt64(Double(spent) * (1 - min(1, share)) / share)
    }

    /// All jobs that are known, the latest first.
    package func recent() -> [QueuedJob] { recent { _ in true } }

    /// Those of the known jobs that are wanted, the latest first. A server of many users knows tens of thousands.
    ///
    /// - Parameters:
    ///   - count: Maximum number of jobs. No others are looked at when they are found.
    package func recent(most count: Int = .max, where isWanted: (QueuedJob) -> Bool) -> [QueuedJob] {
        let jobs = state.withLock { $0.jobs }
        var found: [QueuedJob] = []
        for id in jobs.keys.sorted(by: >) where found.count < count {
            if let kept = jobs[id], isWanted(kept) { found.append(kept) }
        }
        return found
    }

    /// A known job by its number; nil if there is none.
    package func job(_ id: Int64) -> QueuedJob? { state.withLock { $0.jobs[id] } }

    /// The clients' names of the files of jobs, by the names of the jobs.
    ///
    /// - Parameter library: The only library whose jobs may be shown; nil for all.
    package func fileNames(of names: Set<String>, in library: String?) -> [String: [String]] {
        guard !names.isEmpty else { return [:] }
        var files: [String: [String]] = [:]
        for kept in state.withLock({ $0.jobs }).values {
            let options = kept.options
            // A job that continues another has no files itself.
            if [.files, .photos].contains(options.kind), !options.names.isEmpty, names.contains(options.job),
                library == nil || options.library == library
            {
                files[options.job] = options.names
            }
        }
        return files
    }

    /// When each owner of a token of the server has requested a known job last, in milliseconds since 1970.
    package var lastRequests: [String: Int64] {
        var last: [String: Int64] = [:]
        for kept in state.withLock({ $0.jobs }).values {
            if let owner = kept.owner { last[owner] = max(last[owner] ?? 0, kept.acceptedAt) }
        }
        return last
    }

    /// The names of the uploads that jobs need, or may need to be run again.
    package var needed: Set<String> {
        // A kill may have come between the end of a job and the removal of its upload.
        let jobs = state.withLock { Array($0.jobs.values) }.filter {
            !$0.state.isEnd || $0.state == .failed
        }
        return Set(jobs.map(\.options.upload))
    }

    /// Number of jobs that wait, and the job that runs and has no result yet.
    package var load: (waiting: Int, running: String?) {
        state.withLock { ($0.schedule.waitingCount, $0.schedule.unsettled?.options.job) }
    }

    /// When the oldest job that waits was accepted, in milliseconds since 1970; nil if none waits.
    package var oldestWaiting: Int64? { state.withLock { $0.schedule.oldestAcceptance } }

    /// The owner of the server's token with which a job was requested first; nil if there is none.
    package func owner(of job: String) -> String? { state.withLock { $0.owners[job] } }

    /// Whether a token may be used for a job.
    package func check(_ token: String, for job: String, reconnects: Bool = false) -> JobTokens.Verdict {
        let now = clock.epochMilliseconds()
        return state.withLock { $0.tokens.check(token, for: job, reconnects: reconnects, now: now) }
    }

    /// Whether a token belongs to a job, so that its holder may read what came of it, as long as that is kept.
    package func knows(_ token: String, of job: String) -> Bool {
        state.withLock { $0.tokens.has(token, of: job) }
    }

    /// Renews a token that ends soon. Call it now and then while its client is connected.
    package func renew(_ token: String, of job: String) {
        let now = clock.epochMilliseconds()
        guard let renewed = state.withLock({ $0.tokens.renew(token, of: job, now: now) }) else { return }
        // If it cannot be kept, the client asks again with the old end.
        Task { [queue] in try? await queue.keep(renewed) }
    }

    /// Cancels a job. Canceling it again does nothing.
    package func cancel(_ job: String) async {
        let cancellation = state.withLock { state in
            let cancellation = state.schedule.cancel(job)
            if cancellation == .stops { state.stop?.raise() }
            if case .withdrawn(let kept) = cancellation { state.readings[kept.id]?.stop.raise() }
            return cancellation
        }
        if case .withdrawn(let withdrawn) = cancellation { await endCanceled(withdrawn) }
    }

    /// Begins no further job, asks the running one to stop, and waits until it has. Jobs that are not done go on
    /// when the server starts again.
    package func stop() async {
        let tasks = state.withLock { state in
            state.schedule.stop()
            state.stop?.raise()
            for reading in state.readings.values { reading.stop.raise() }
            return [state.runner] + state.readings.values.map(\.task)
        }
        for task in tasks { await task?.value }
        await queue.writeEnds()
    }

    /// Lets another server use the store, after this one has stopped.
    package func release() { queue.release() }

    /// Forgets expired data.
    package func purge() async {
        let now = clock.epochMilliseconds()
        try? await queue.purge(now: now)
        let left = (try? await queue.all()) ?? []
        let gone = state.withLock { state -> [String] in
            let known = Set(left.map(\.id))
            let gone = state.jobs.values.filter { !known.contains($0.id) }
            for kept in gone {
                state.jobs[kept.id] = nil
                state.read.remove(kept.id)
            }
            let jobs = Set(state.jobs.values.map(\.options.job))
            state.owners = state.owners.filter { jobs.contains($0.key) }
            state.tokens.purge(keeping: jobs, now: now)
            return gone.map(\.options.job).filter { !jobs.contains($0) }
        }
        for job in gone { hub.close(job) }
    }
}
