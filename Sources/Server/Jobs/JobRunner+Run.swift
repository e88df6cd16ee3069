import Contract
import Formats
import Jobs
import Pipeline
import Queries
import Services
import Store
import Syntax
import System

/// Running jobs, one at a time.
extension JobRunner {
    func runNext() {
        state.withLock { state in
            guard let next = state.schedule.next(at: clock.nanoseconds()) else { return }
            let stop = StopSignal()
            state.stop = stop
            // The clients of a scan know that it has begun.
            let goesOn = state.schedule.hasRun(next) || state.read.contains(next.id)
            state.runner = Task(executorPreference: threads) { [self] in
                let isOpen = await run(next, stop, goesOn: goesOn)
                let now = clock.nanoseconds()
                let canceled = self.state.withLock { state in
                    state.waitsForRoom = false
                    return state.schedule.end(at: now, goesOn: isOpen)
                }
                if let canceled { await endCanceled(canceled) }
                runNext()
            }
        }
    }

    /// Interrupts the running job if it has had its share and another user waits, and stops it if it has run for longer
    /// than a job may. Call it a few times a second.
    package func shareTime() {
        let now = clock.nanoseconds()
        state.withLock { state in
            let isOver = settings.jobTime.map { state.schedule.expire(at: now, after: $0) } ?? false
            if isOver || state.schedule.interrupt(at: now) { state.stop?.raise() }
        }
        tellPlaces()
        if settings.jobTime != nil { Task { await keepTime() } }
    }

    /// Keeps how long the running job has worked, once a minute of its time, for a process that goes on with it.
    func keepTime() async {
        let now = clock.nanoseconds()
        guard let time = state.withLock({ $0.schedule.timeToKeep(at: now) }) else { return }
        // If it cannot be written, the next process counts less.
        try? await queue.keep(worked: time.milliseconds, of: time.job)
    }

    /// Tells those who watch a waiting job when its place has changed. Without a running job it is about to begin.
    private func tellPlaces() {
        let changed = state.withLock { state -> [(job: String, place: Int)] in
            guard state.schedule.running != nil else { return [] }
            let queue = state.schedule.queue
            let places = Dictionary(uniqueKeysWithValues: zip(queue.map(\.id), 1...queue.count + 1))
            defer { state.places = places }
            return queue.filter { state.places[$0.id] != places[$0.id] }.map {
                ($0.options.job, places[$0.id] ?? 1)
            }
        }
        let now = clock.epochMilliseconds()
        for (job, place) in changed {
            _ = hub.update(job) { $0.wait(Self.waiting(place), job, at: now) }
        }
    }

    private static func waiting(_ place: Int) -> String {
        place == 1 ? "Waiting for its turn: it is next" : "Waiting for its turn: it is number \(place)"
    }

    /// Runs a job until its end, or until it is interrupted.
    ///
    /// - Parameter goesOn: Whether the job was interrupted before. Its clients need not know.
    /// - Returns: Whether it goes on later, because another user's job is next or the server stops.
    private func run(_ kept: QueuedJob, _ stop: StopSignal, goesOn: Bool) async -> Bool {
        let job = kept.options.job
        if !goesOn { await waitForClients(of: job, stop) }
        do throws(ETLError) {
            var (isBegun, isToldOf, failures) = (goesOn, goesOn, 0)
            while true {
                do throws(ETLError) {
                    if !isBegun {
                        let run = try await queue.begin(kept.id)
                        _ = hub.update(job) { $0.begin(run: run) }
                        isBegun = true
                    }
                    return try await attempt(kept, stop, isToldOf: &isToldOf)
                } catch {
                    guard !stop.isRaised, let obstacle = obstacle(error) else { throw error }
                    failures += 1
                    await wait(for: obstacle, job, stop, failures: failures)
                    if stop.isRaised { throw error }
                }
            }
        } catch {
            return await settle(kept, failedWith: error)
        }
    }

    /// Whether a stopped run is only interrupted.
    private var isInterrupted: Bool { state.withLock { $0.schedule.isInterrupted } }

    /// Waits until clients that have connected say that they are ready, but not for long. A client that connects
    /// later misses nothing either: it receives the latest state.
    func waitForClients(of job: String, _ stop: StopSignal) async {
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
    /// - Parameter isToldOf: Whether the job's clients know that it has begun. It is updated.
    /// - Returns: Whether it goes on later.
    /// - Throws: Failures before the job began, and later ones that are not the job's fault.
    private func attempt(
        _ kept: QueuedJob, _ stop: StopSignal, isToldOf: inout Bool
    ) async throws(ETLError) -> Bool {
        var options = kept.options
        if options.wait != nil || [.files, .books, .photos, .refresh, .edition].contains(options.kind),
            let done = try finished(options.job)
        {
            // It waited for services, or the process was killed between its end and the note about it.
            guard !options.kind.isRefresh, done.undoneBy == nil, done.pending > done.decided else {
                try await end(kept, .completed, message(done))
                return false
            }
            options.kind = .resume
        }
        if options.wait != nil { options.kind = .resume }
        let template: ImportRequest? =
            switch kept.options.kind {
            case .books: settings.lookUps
            case .photos: settings.scans?.imports
            case .refresh, .edition: settings.refreshes
            case .files, .corrections, .resume: settings.imports
            }
        guard let template else {
            throw ETLError(.configuration, "The server was started without a catalog and a service to ask.")
        }
        state.withLock { $0.schedule.noteWork { $0.begin(at: clock.nanoseconds()) } }
        let watcher = ImportWatcher(options, hub: hub, clock: clock, isStarted: isToldOf)
        let reminding = Task { await watcher.remind() }
        defer { reminding.cancel() }
        var request = try options.request(template)
        if case .refresh(var refresh) = request.mode, let until = options.until {
            refresh.time = UInt64(max(0, until - clock.epochMilliseconds())) * 1_000_000
            request.mode = .refresh(refresh)
        }
        if options.kind == .resume {
            request.reading.files = try ResumedFiles(store: settings.imports.storePath, uploads: uploads)
                .paths(of: options)
        }
        let outcome = try await ImportJob(
            request, clock: clock, stop: stop,
            observing: {
                watcher.note($0)
                self.noteWork($0)
            }
        ).run()
        let (isCanceling, isExpired) = state.withLock { ($0.schedule.isCanceling, $0.schedule.isExpired) }
        isToldOf = true
        switch outcome.end {
        case .failed(let failure) where obstacle(failure) == .fullDisk && !isCanceling && !isExpired:
            throw failure
        case .stopped where isExpired && !isCanceling:
            try await end(kept, .failed, expired(options, outcome.job))
        case .stopped where isInterrupted:
            let now = clock.epochMilliseconds()
            _ = hub.update(options.job) { [job = options.job] in $0.wait("Waiting for its turn", job, at: now)
            }
            return true
        case .stopped where !isCanceling:
            try await queue.postpone(kept.id)
            return true
        case .stopped: await endCanceled(kept)
        case .canceled:
            await discardScan(kept)
            try await end(kept, .canceled, watcher.ended(outcome, expiresAt: expiry))
        case .failed, .violated: try await end(kept, .failed, watcher.ended(outcome, expiresAt: expiry))
        case .completed, .paused, .unfinished:
            // What a refresh leaves is for the next night.
            if !options.kind.isRefresh, try await waits(kept, outcome, watcher) {
                metrics.note(outcome.services)
                return false
            }
            try await end(kept, .completed, message(outcome.job))
        }
        metrics.note(outcome, as: hub[options.job]?.state.rawValue ?? "")
        return false
    }

    /// Tells the schedule when a job works on records, or waits for answers about them.
    private func noteWork(_ event: ImportEvent) {
        let now = clock.nanoseconds()
        state.withLock { state in
            switch event {
            case .ran, .began: state.schedule.noteWork { $0.step(at: now) }
            case .waiting(let status):
                state.schedule.noteWork { $0.note(status.service, isAwaited: status.open > 0, at: now) }
            // From now on only answers are missing, also those that no service has told about.
            case .pendingPassBegan:
                state.schedule.noteWork { $0.note("pending pass", isAwaited: true, at: now) }
            case .locked: state.schedule.noteWork { $0.wait(at: now) }
            default: break
            }
            switch event {
            case .ran, .waiting, .pendingPassBegan:
                state.schedule.beginWork(at: now)
                state.waitsForRoom = false
            default: break
            }
        }
    }

    /// The job cannot be run.
    ///
    /// - Returns: Whether it goes on later.
    private func settle(_ kept: QueuedJob, failedWith failure: ETLError) async -> Bool {
        if isInterrupted { return true }
        let (isStopping, isCanceling, isExpired) = state.withLock {
            ($0.schedule.isStopping, $0.schedule.isCanceling, $0.schedule.isExpired)
        }
        if isStopping {
            // If that cannot be written, the next process runs the job all the same.
            try? await queue.postpone(kept.id)
            return true
        }
        let options = kept.options
        if isCanceling {
            await endCanceled(kept)
        } else if isExpired {
            await endCertainly(kept, .failed, expired(options, nil))
        } else {
            let refusal = ImportMessages.refused(
                options.job, options.pipeline, failure, now: clock.epochMilliseconds())
            await endCertainly(kept, .failed, refusal)
        }
        return false
    }

    var expiry: Int64 { clock.epochMilliseconds() + Int64(settings.hoursKept) * 3_600_000 }

    func end(
        _ kept: QueuedJob, _ end: QueuedJob.State, _ message: JobMessage
    ) async throws(ETLError) {
        let end = jobEnd(kept, end, message)
        // Kept first: a client that learns of a job's end can rely on it.
        try await queue.end(kept.id, end.ending, telling: end.delivery)
        tell(end)
    }

    private func jobEnd(_ kept: QueuedJob, _ end: QueuedJob.State, _ message: JobMessage) -> JobEnd {
        let message = kept.options.withoutPaths(message, store: settings.imports.storePath)
        let (bytes, now) = (batchEnd(kept, message) ?? message.json, clock.epochMilliseconds())
        let last = hub[kept.options.job].map { log in
            var log = log
            return log.add(end.eventKind, bytes, at: now).id
        }
        return JobEnd(
            job: kept, message: message,
            ending: JobEnding(
                state: end, endedAt: now, expiresAt: expiry, lastEvent: last ?? 1, message: bytes),
            delivery: settings.tellsEnds ? delivery(end, message) : nil)
    }

    /// Ends a job for its clients.
    private func tell(_ end: JobEnd) {
        let (kept, ending) = (end.job, end.ending)
        let failure: JobFailure? = if case .failed(let failure) = end.message.body { failure } else { nil }
        // A job that failed may be resumed, unless its upload is too large. One with pending records has a copy in the
        // store.
        if ending.state != .failed || failure?.code == .payloadTooLarge {
            uploads.remove(kept.options.upload)
        }
        let sentence = failure?.message ?? ""
        // Before clients are told: they may send corrections at once.
        state.withLock { state in
            state.schedule.settle(kept)
            state.jobs[kept.id]?.state = ending.state
            state.jobs[kept.id]?.ending = ending
        }
        // A client that learns of the end may search at once.
        watch.noteEnd()
        _ = hub.update(kept.options.job) {
            $0.add(ending.state.eventKind, ending.message, sentence: sentence, at: ending.endedAt)
        }
    }

    /// The message for the webhook.
    private func delivery(_ end: QueuedJob.State, _ message: JobMessage) -> WebhookDelivery {
        let event = WebhookEvent(id: JobName.make(), status: end.jobState, message: message)
        let now = clock.epochMilliseconds()
        return WebhookDelivery(id: event.id, event: event.name, body: event.json, madeAt: now, dueAt: now)
    }

    /// Ends a job even if the queue cannot be written, because its disk is full.
    func endCertainly(
        _ kept: QueuedJob, _ end: QueuedJob.State, _ message: JobMessage
    ) async {
        let end = jobEnd(kept, end, message)
        await queue.end(end)
        tell(end)
    }

    /// Ends a job that was canceled, in the queue and in the store.
    func endCanceled(_ kept: QueuedJob) async {
        let message = JobMessage(
            jobId: kept.options.job, pipeline: kept.options.pipeline, timestamp: clock.epochMilliseconds(),
            .failed(.canceled))
        // Clients that learn of a scan's end find nothing of it. Those of other jobs need not wait for the store.
        let isScan = kept.options.kind == .photos
        if !isScan { await endCertainly(kept, .canceled, message) }
        // It fails if the job had not begun, and if the store cannot be written. The queue's word counts.
        _ = try? JobCancellation.request(kept.options.job, in: settings.imports.storePath)
        await discardScan(kept)
        if isScan { await endCertainly(kept, .canceled, message) }
    }

    /// Writes the ends of canceled jobs that could not be written. Call it now and then.
    package func writeEnds() { if queue.hasUnwrittenEnds { Task { [queue] in await queue.writeEnds() } } }

    /// The end of a job that has worked for as long as one may.
    ///
    /// - Parameter job: The job in the store; nil if it has not begun there.
    private func expired(_ options: ImportOptions, _ job: Job?) -> JobMessage {
        let minutes = Int((settings.jobTime ?? 0) / 60_000_000_000)
        let (done, total) = (job?.finishedCount ?? 0, job?.progress.totalCount ?? 0)
        let imported = total > 0 ? "\(done) of \(total) records are imported" : "Nothing is imported"
        let failure = ETLError(
            .budget,
            """
            The job has worked for \(minutes) min, as long as one may. \(imported). Import the others in smaller files, or ask \
            the server's administrator for more time.
            """)
        return ImportMessages.refused(options.job, options.pipeline, failure, now: clock.epochMilliseconds())
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
                    pending: job.pending - job.decided, quality: quality(of: job), scan: scanTotals(of: job)))
        )
    }

    /// The figures of a job. It has ended, whether they can be read or not.
    private func quality(of job: Job) -> QualityCounts? {
        (try? StoreFile.openIfStarted(settings.imports.storePath)).flatMap {
            try? QualityMetrics($0).counts(of: job)
        }
    }
}
