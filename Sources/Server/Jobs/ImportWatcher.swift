import Contract
import Jobs
import Pipeline
import Services
import Store
import Syntax
import System

/// Turns the events of a running import into messages for the job's watchers.
final class ImportWatcher: Sendable {
    private struct State: Sendable {
        var progress = ImportProgress()
        var messages = ImportMessages()
    }

    private let job: String
    /// The names of the files on the client's machine; nil if there are none.
    private let files: String?
    private let hub: EventHub
    private let clock: any RunClock
    /// Whether the job's watchers know that it has begun.
    private let isStarted: Bool
    /// Number of photos of a scan; nil of another job. Its watchers count photos, not books.
    private let photos: Int?
    /// Whether its watchers only know the messages of batches of photos.
    private let isBatch: Bool
    private let state = Guarded(State())

    init(_ options: ImportOptions, hub: EventHub, clock: any RunClock, isStarted: Bool) {
        job = options.job
        files = options.names.isEmpty ? nil : options.names.joined(separator: ", ")
        self.hub = hub
        self.clock = clock
        self.isStarted = isStarted
        photos = options.scan?.photos.count
        isBatch = options.isBatch ?? false
    }

    func note(_ event: ImportEvent) {
        publish { state, now in
            state.progress.note(event)
            guard let job = state.progress.job else { return [] }
            switch event {
            case .began:
                return state.messages.began(
                    job, reading: files, servicesTaking: state.progress.estimate?.seconds, now: now)
            case .ran(.committed(let end, _, _)):
                return state.messages.advanced(job, to: state.progress.done, end: end, now: now).list
            case .finished:
                return state.messages.advanced(job, to: state.progress.done, now: now).list
            default: return []
            }
        }
    }

    /// Tells the progress again while nothing happens, until the task is canceled.
    func remind() async {
        while true {
            await clock.sleep(nanoseconds: 1_000_000_000)
            guard !Task.isCancelled else { return }
            publish { state, now in
                guard let job = state.progress.job else { return [] }
                let waiting = state.progress.waiting.map(\.service).joined(separator: ", ")
                return state.messages.reminder(
                    job, at: state.progress.done, waitingFor: waiting.isEmpty ? nil : waiting, now: now
                ).list
            }
        }
    }

    /// The job waits for services.
    func waits(_ job: Job, _ wait: ServiceWait) {
        publish { state, now in
            [state.messages.waits(job, for: wait.services, until: wait.until, now: now)]
        }
    }

    /// The last message.
    func ended(_ outcome: ImportOutcome, expiresAt: Int64) -> JobMessage {
        let now = clock.epochMilliseconds()
        return state.withLock { $0.messages.ended(outcome, expiresAt: expiresAt, now: now) }
    }

    /// Tells the job's watchers messages. Tasks report side by side; the lock keeps the messages in order.
    ///
    /// - Parameter make: Makes the messages, at a time in milliseconds since 1970.
    private func publish(_ make: (inout State, Int64) -> [JobMessage]) {
        state.withLock { state in
            for message in make(&state, clock.epochMilliseconds()) { publish(message) }
        }
    }

    private func publish(_ message: JobMessage) {
        guard photos == nil || !isBatch else { return }
        let message = message.counting(photos: photos)
        let bytes = message.json
        _ = hub.update(job) { log in
            // Canceled a moment ago.
            guard log.ending == nil else { return }
            switch message.body {
            case .started where isStarted: break
            case .started(let total, _):
                _ = log.add(
                    .started, bytes, progress: JobProgress(processedCount: 0, totalCount: total),
                    sentence: "Started", at: message.timestamp)
            case .progress(let progress, let sentence, _), .paused(let progress, let sentence, _):
                _ = log.add(.progress, bytes, progress: progress, sentence: sentence, at: message.timestamp)
            default: break
            }
        }
    }
}

extension JobMessage {
    /// The message as clients of a scan know it: their progress counts photos, which are all read by then.
    ///
    /// - Parameter photos: Nil for a message of another job.
    fileprivate func counting(photos: Int?) -> JobMessage {
        guard let photos, case .progress(_, _, let item) = body else { return self }
        return JobMessage(
            jobId: jobId, pipeline: pipeline, timestamp: timestamp,
            .progress(
                JobProgress(processedCount: photos, totalCount: photos), sentence: "Looking the books up",
                currentItem: item))
    }
}

extension ImportOptions {
    /// A message in which files have the names that the client knows. Paths of this machine are not for clients.
    func withoutPaths(_ message: JobMessage, store: String) -> JobMessage {
        guard case .failed(var failure) = message.body else { return message }
        for (path, name) in zip(files, names) {
            failure.message = failure.message.replacing(path, with: name)
        }
        for path in [StorePath.real(store), store] {
            failure.message = failure.message.replacing("`\(path)`", with: "the store")
        }
        var message = message
        message.body = .failed(failure)
        return message
    }
}
