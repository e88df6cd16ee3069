import Application
import Books
import FoundationEssentials
import Glibc
import Pipeline
import Syntax

/// The messages of `--events`: one JSON object per line, to a file or standard output.
final class EventStream: Sendable {
    private enum Target: Sendable {
        case console(Console)
        case file(Guarded<FileOutlet>, path: String)
    }

    /// Maximum time without a message while the job runs, in milliseconds, if ``remind(_:at:waitingFor:)`` is
    /// called every second.
    private static let longestSilence: Int64 = 4_000

    private struct State: Sendable {
        /// When the last message was sent, in milliseconds since 1970; nil before the first and after the
        /// last one.
        var lastSent: Int64?
        var cadence = ProgressThrottle(total: 0, startedAt: 0)
        var total = 0
        var line = 0
        var input = ""
        var failure: CommandFailure?
    }

    private let target: Target
    private let clock: any RunClock
    private let state = Guarded(State())

    /// Writes to standard output.
    init(_ console: Console, clock: any RunClock = SystemClock()) {
        self.clock = clock
        target = .console(console)
    }

    /// Writes to an open file; the path is for error messages.
    init(_ file: FileOutlet, path: String, clock: any RunClock = SystemClock()) {
        self.clock = clock
        target = .file(Guarded(file), path: path)
    }

    /// - Parameter seconds: How long the services will take; nil if that is unknown.
    func began(_ job: Job, servicesTaking seconds: ClosedRange<Double>? = nil) {
        let now = clock.epochMilliseconds()
        let total = job.totalCount ?? 0
        state.withLock {
            $0.cadence = ProgressThrottle(total: total, startedAt: now)
            $0.total = total
            $0.line = 0
            $0.input = job.inputs.map(\.name).joined(separator: ", ")
        }
        // From a measured rate of about 100,000 records per second. Never zero.
        var milliseconds = Int64(total / 100 + 100)
        // The middle of a range by factors.
        if let seconds {
            milliseconds += Int64(1_000 * (seconds.lowerBound * seconds.upperBound).squareRoot())
        }
        send(job, .started(totalItems: total, estimatedDuration: milliseconds))
    }

    /// Sends a progress message if one is due.
    ///
    /// - Parameter end: The end of the last record read; nil if no record was read since the last call.
    func advanced(_ job: Job, to processed: Int, end: Position? = nil) {
        let now = clock.epochMilliseconds()
        let isDue = state.withLock { state in
            if let end { state.line = end.line }
            return state.cadence.isDue(processed: processed, at: now)
        }
        if isDue { sendProgress(job, at: processed) }
    }

    /// Sends the progress again if nothing was sent for some seconds, so that a watcher knows that the job
    /// runs, and what it waits for.
    func remind(_ job: Job, at processed: Int, waitingFor services: String?) {
        let now = clock.epochMilliseconds()
        guard let last = state.withLock({ $0.lastSent }), now - last >= Self.longestSilence || now < last
        else { return }
        sendProgress(job, at: processed, addition: services.map { ", waiting for \($0)" } ?? "")
    }

    private func sendProgress(_ job: Job, at processed: Int, addition: String = "") {
        let (total, item) = state.withLock { ($0.total, "\($0.input):\($0.line)") }
        let sentence = "Imported \(processed) of \(total) \(total == 1 ? "record" : "records")\(addition)"
        let progress = JobProgress(processedCount: processed, totalCount: total)
        send(job, .progress(progress, sentence: sentence, currentItem: item))
    }

    func ended(_ outcome: ImportOutcome, expiresAt: Int64) {
        switch outcome.end {
        case .completed, .paused:
            send(
                outcome.job,
                .complete(
                    JobCompletion(
                        counts: outcome.job.counts, duration: outcome.milliseconds, expiresAt: expiresAt,
                        pending: outcome.job.pending - outcome.job.decided)))
        case .failed(let failure):
            let code: ErrorCode = failure.kind == .bug ? .internalError : .csvProcessingFailed
            send(outcome.job, .failed(JobFailure(code, failure.message, lineNumber: failure.position?.line)))
        case .stopped:
            send(
                outcome.job,
                .failed(JobFailure(.csvProcessingFailed, "The job was stopped. It can be resumed.")))
        case .canceled:
            send(outcome.job, .failed(JobFailure(.csvProcessingFailed, "The job was canceled.")))
        }
    }

    private func send(_ job: Job, _ body: JobMessage.Body) {
        var json = JSONWriter()
        JobMessage(
            jobId: job.name, pipeline: job.contractPipeline, timestamp: clock.epochMilliseconds(), body
        ).write(into: &json)
        let line = json.bytes + [UInt8(ascii: "\n")]
        switch body {
        case .started, .progress: state.withLock { $0.lastSent = clock.epochMilliseconds() }
        default: state.withLock { $0.lastSent = nil }
        }
        do throws(CommandFailure) {
            switch target {
            case .console(let console):
                try console.write(line)
                try console.flush()
            case .file(let handle, let path):
                let isWritten = handle.withLock { $0.write(line) == 0 }
                guard isWritten else {
                    throw CommandFailure(
                        .inputOutput,
                        "Writing events to `\(path)` failed. All imported records are committed.",
                        advice: "Free some space on its disk, or specify another file with --events.")
                }
            }
        } catch {
            state.withLock { if $0.failure == nil { $0.failure = error } }
        }
    }

    /// The first failure to write a message, to be reported at the end.
    var failure: CommandFailure? { state.withLock { $0.failure } }
}
