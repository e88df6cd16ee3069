import Contract
import Formats
import Jobs
import Pipeline
import Queries
import Store
import System

/// Reading the photos of scans, before their books are imported. That needs no store, so it goes on beside the running job.
extension JobRunner {
    /// The reading of one scan.
    struct Reading: Sendable {
        let stop = StopSignal()
        var task: Task<Void, Never>?
    }

    /// Scans that are read at a time. Their photos are in memory.
    private static let mostReadings = 2

    /// Begins to read the photos of scans that wait for it.
    func readNext() {
        while true {
            let next = state.withLock { state -> (job: QueuedJob, stop: StopSignal)? in
                guard state.readings.count < Self.mostReadings,
                    let job = state.schedule.nextUnread(besides: state.readings.keys)
                else { return nil }
                let reading = Reading()
                state.readings[job.id] = reading
                return (job, reading.stop)
            }
            guard let (kept, stop) = next else { return }
            let task = Task(executorPreference: threads) { [self] in
                await read(kept, stop)
                state.withLock { state in
                    state.readings[kept.id] = nil
                }
                readNext()
                runNext()
            }
            state.withLock { $0.readings[kept.id]?.task = task }
        }
    }

    private func read(_ kept: QueuedJob, _ stop: StopSignal) async {
        let options = kept.options
        await waitForClients(of: options.job, stop)
        guard !stop.isRaised else { return }
        do throws(ETLError) {
            guard let scans = settings.scans else {
                throw ETLError(.configuration, "The server was started without a model that reads photos.")
            }
            let run = try await queue.begin(kept.id)
            _ = hub.update(options.job) { $0.begin(run: run) }
            try await read(kept, scans, stop)
        } catch {
            // A stopped server goes on with the scan when it starts again.
            guard !state.withLock({ $0.schedule.isStopping }) else { return await postpone(kept) }
            let refusal = ImportMessages.refused(
                options.job, options.pipeline, error, now: clock.epochMilliseconds())
            await endUnread(kept, refusal)
        }
    }

    private func read(
        _ kept: QueuedJob, _ scans: Settings.Scans, _ stop: StopSignal
    ) async throws(ETLError) {
        let options = kept.options
        let messages = Guarded(
            ScanMessages(options.job, isBatch: options.isBatch ?? false, photos: options.names))
        let (hub, clock) = (hub, clock)
        let tell: @Sendable ((inout ScanMessages, Int64) -> ScanMessages.Message?) -> Void = { make in
            let now = clock.epochMilliseconds()
            guard let message = messages.withLock({ make(&$0, now) }) else { return }
            _ = hub.update(options.job) { log in
                guard log.ending == nil else { return }
                _ = log.add(
                    message.isStart ? .started : .progress, message.bytes, progress: message.progress,
                    sentence: message.sentence,
                    at: now)
            }
        }
        tell { messages, now in messages.started(now: now) }
        let began = clock.nanoseconds()
        let scan = ShelfScan(
            scans.model, scans.services, keptIn: PhotoFolder(of: settings.imports.storePath), clock: clock,
            stop: stop)
        let photos = try await scan.read(
            zip(options.names, options.files).map { ($0, Self.photo($0, at: $1)) },
            beginning: { index in tell { messages, now in messages.began(index, now: now) } },
            finishing: { index, photo in
                tell { messages, now in messages.finished(index, photo, now: now) }
            })
        guard !stop.isRaised else {
            if state.withLock({ $0.schedule.isStopping }) { await postpone(kept) }
            return
        }
        guard photos.contains(where: { $0.problem == nil }) else {
            let problem = photos.count == 1 ? photos[0].problem : nil
            return await endUnread(
                kept, ScanMessages.failed(options.job, problem, now: clock.epochMilliseconds()))
        }
        var read = kept
        let request = try scan.request(
            scans.imports, importing: photos,
            duration: Int64((clock.nanoseconds() - began) / 1_000_000))
        (read.options.files, read.options.scan) = (request.reading.files, request.scan)
        // A process that goes on after a kill need not read the photos again.
        try await queue.keep(read.options, of: kept.id)
        let now = clock.nanoseconds()
        state.withLock { state in
            guard state.schedule.finishReading(kept.id, read, at: now) else { return }
            state.jobs[kept.id]?.options = read.options
            state.read.insert(kept.id)
        }
    }

    private static func photo(_ name: String, at path: String) -> ShelfScan.Source {
        let bytes: [UInt8]
        do throws(ReadableFile.Refusal) {
            bytes = try ReadableFile.contents(of: path)
        } catch {
            // The path is the server's, so its reason is left out.
            return .failure(.unreadable("the server cannot read its copy"))
        }
        do throws(PhotoProblem) { return .success(try ShelfPhoto(name, bytes)) } catch {
            return .failure(error)
        }
    }

    /// Ends a scan of which nothing is imported.
    private func endUnread(_ kept: QueuedJob, _ message: JobMessage) async {
        let now = clock.nanoseconds()
        guard state.withLock({ $0.schedule.finishReading(kept.id, nil, at: now) }) else { return }
        await endCertainly(kept, .failed, message)
    }

    private func postpone(_ kept: QueuedJob) async {
        // If that cannot be written, the next process reads the photos all the same.
        try? await queue.postpone(kept.id)
    }

    // MARK: The end

    /// Undoes what a canceled scan has imported: its clients expect nothing of it.
    func discardScan(_ kept: QueuedJob) async {
        let (name, path) = (kept.options.job, settings.imports.storePath)
        guard kept.options.kind == .photos, let store = try? StoreFile.openIfStarted(path),
            let job = try? JobTable(store).job(named: name), job.counts.totalProcessed > 0
        else { return }
        // If that fails, its books can be undone by hand.
        _ = try? await ResultsStore(path).undo(UndoRequest(jobs: [name], name: JobName.make()))
    }

    /// The counts of a scan; nil of other jobs, and if they cannot be read.
    func scanTotals(of job: Job) -> ScanTotals? {
        guard job.contractPipeline == .aiScan else { return nil }
        return (try? results(of: job))?.totals
    }

    /// The last message of a batch of photos in place of `job_complete`; nil of other jobs, and if it cannot be read.
    func batchEnd(_ kept: QueuedJob, _ message: JobMessage) -> [UInt8]? {
        guard kept.options.isBatch ?? false, let scan = kept.options.scan, case .complete = message.body,
            let store = try? StoreFile.openIfStarted(settings.imports.storePath),
            let job = try? JobTable(store).job(named: kept.options.job),
            let results = try? ScannedBooks.results(of: job, in: store)
        else { return nil }
        return ScanMessages.complete(
            kept.options.job, scan.photos, results.books, now: message.timestamp)
    }

    private func results(of job: Job) throws(ETLError) -> ScanResults? {
        guard let store = try StoreFile.openIfStarted(settings.imports.storePath) else { return nil }
        return try ScannedBooks.results(of: job, in: store)
    }
}
