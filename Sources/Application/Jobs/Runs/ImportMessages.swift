package import Contract
package import Store
package import System

/// The contract's messages about one run of an import: `job_started`, progress, then one `job_complete` or
/// `error`; or a last progress message if the job can go on later. It has no clock; all times are milliseconds
/// since 1970.
package struct ImportMessages: Sendable {
    /// Maximum time without a message while the job runs, in milliseconds, if ``reminder(_:at:waitingFor:now:)``
    /// is called every second.
    private static let longestSilence: Int64 = 4_000

    /// When the last message was made; nil before the first and after the last one.
    private var lastMade: Int64?
    private var cadence = ProgressThrottle(total: 0, startedAt: 0)
    private var total = 0
    /// The latest count of a progress message.
    private var reported = 0
    private var line = 0
    private var input = ""

    /// Messages about a run that has not begun.
    package init() {}

    /// The run has begun.
    ///
    /// - Parameters:
    ///   - files: Name of the input; nil for the names of the job's files.
    ///   - seconds: Expected duration of the services; nil if unknown.
    /// - Returns: The start, and the progress with which the run begins.
    package mutating func began(
        _ job: Job, reading files: String? = nil, servicesTaking seconds: ClosedRange<Double>? = nil,
        now: Int64
    ) -> [JobMessage] {
        total = job.totalCount ?? 0
        cadence = ProgressThrottle(total: total, startedAt: now)
        (reported, line) = (0, 0)
        input = files ?? job.inputs.map(\.name).joined(separator: ", ")
        // From a measured rate of about 100,000 records per second. Never zero.
        var milliseconds = Int64(total / 100 + 100)
        // The middle of a range by factors.
        if let seconds {
            milliseconds += Int64(1_000 * (seconds.lowerBound * seconds.upperBound).squareRoot())
        }
        cadence.noteBeginning(processed: job.finishedCount)
        return [
            message(job, .started(totalItems: total, estimatedDuration: milliseconds), now),
            progress(job, at: job.finishedCount, now: now),
        ]
    }

    /// The run has advanced. Tasks report side by side, so a report can arrive after a later one. It is ignored.
    ///
    /// - Parameter end: The end of the last record read; nil if no record was read since the last call.
    /// - Returns: Nil if no message is due.
    package mutating func advanced(
        _ job: Job, to processed: Int, end: Position? = nil, now: Int64
    ) -> JobMessage? {
        guard processed >= reported else { return nil }
        if let end { line = end.line }
        return cadence.isDue(processed: processed, at: now) ? progress(job, at: processed, now: now) : nil
    }

    /// The progress once more if there was no message for some seconds, so that a watcher sees that the job
    /// runs, and the reason why it waits.
    package mutating func reminder(
        _ job: Job, at processed: Int, waitingFor services: String?, now: Int64
    ) -> JobMessage? {
        guard let lastMade, now - lastMade >= Self.longestSilence || now < lastMade else { return nil }
        return progress(job, at: processed, addition: services.map { ", waiting for \($0)" } ?? "", now: now)
    }

    private mutating func progress(
        _ job: Job, at processed: Int, addition: String = "", now: Int64
    ) -> JobMessage {
        lastMade = now
        reported = max(reported, processed)
        let progress = JobProgress(processedCount: reported, totalCount: total)
        let sentence = Self.sentence(job, progress) + addition
        let item = line > 0 ? "\(input):\(line)" : input
        return message(job, .progress(progress, sentence: sentence, currentItem: item), now)
    }

    /// The run has ended.
    ///
    /// - Parameters:
    ///   - expiresAt: When the results expire over HTTP.
    ///   - quality: The figures of a completed job; nil if they cannot be had.
    package mutating func ended(
        _ outcome: ImportOutcome, expiresAt: Int64, quality: QualityCounts? = nil, now: Int64
    ) -> JobMessage {
        lastMade = nil
        let body: JobMessage.Body
        switch outcome.end {
        case .completed, .paused:
            if let pause = outcome.pause {
                return waits(outcome.job, for: pause.services, until: pause.resumeAt, now: now)
            }
            return completed(
                outcome.job, duration: outcome.milliseconds, expiresAt: expiresAt, quality: quality, now: now)
        case .failed(let failure):
            body = Self.failed(failure)
        case .stopped: body = paused(outcome.job, "stopped; it can be resumed")
        case .unfinished: body = paused(outcome.job, "and the others wait for the next run")
        case .violated(let violations, _):
            body = .failed(JobFailure(.csvProcessingFailed, violations.joined(separator: "; ")))
        case .canceled: body = .failed(.canceled)
        }
        return message(outcome.job, body, now)
    }

    /// The job has completed.
    ///
    /// - Parameter duration: Milliseconds of this run.
    package mutating func completed(
        _ job: Job, duration: Int64 = 0, expiresAt: Int64, quality: QualityCounts? = nil, now: Int64
    ) -> JobMessage {
        lastMade = nil
        let completion = JobCompletion(
            counts: job.counts, duration: duration, expiresAt: expiresAt, pending: job.pending - job.decided,
            quality: quality)
        return message(job, .complete(completion), now)
    }

    /// All records are stored, and the job waits for services.
    ///
    /// - Parameter instant: When it goes on, if that is known.
    package mutating func waits(
        _ job: Job, for services: [String], until instant: Int64?, now: Int64
    ) -> JobMessage {
        lastMade = nil
        let names = services.joined(separator: ", ")
        return message(job, paused(job, "waiting for \(names)", resumeAt: instant), now)
    }

    private func paused(_ job: Job, _ why: String, resumeAt: Int64? = nil) -> JobMessage.Body {
        var progress = job.progress
        progress.processedCount = job.finishedCount
        progress.totalCount = max(progress.totalCount, total)
        return .paused(progress, sentence: "\(Self.sentence(job, progress)), \(why)", resumeAt: resumeAt)
    }

    private static func sentence(_ job: Job, _ progress: JobProgress) -> String {
        let (verb, noun) = job.isRefresh ? ("Refreshed", "book") : ("Imported", "record")
        let ending = progress.totalCount == 1 ? "" : "s"
        return "\(verb) \(progress.processedCount) of \(progress.totalCount) \(noun)\(ending)"
    }

    /// The import cannot begin.
    ///
    /// - Parameter name: The name that the job was to have.
    package static func refused(
        _ name: String, _ pipeline: JobPipeline, _ failure: ETLError, now: Int64
    ) -> JobMessage {
        JobMessage(jobId: name, pipeline: pipeline, timestamp: now, Self.failed(failure))
    }

    private static func failed(_ failure: ETLError) -> JobMessage.Body {
        let code: ErrorCode =
            switch failure.kind {
            case .bug: .internalError
            case .tooLarge: .payloadTooLarge
            default: .csvProcessingFailed
            }
        return .failed(
            JobFailure(
                code, failure.message, lineNumber: failure.position?.line,
                isRetryable: code.isRetryable && !failure.kind.isFinal))
    }

    private func message(_ job: Job, _ body: JobMessage.Body, _ now: Int64) -> JobMessage {
        JobMessage(jobId: job.name, pipeline: job.contractPipeline, timestamp: now, body)
    }
}

extension ETLError.Kind {
    /// Whether the same request fails again: its input, its settings or its permissions have to be changed first. The
    /// same kinds are a refused request in a failure envelope.
    fileprivate var isFinal: Bool {
        switch self {
        case .unusableInput, .tooLarge, .missing, .usage, .conflict, .cannotCreate, .permission,
            .configuration:
            true
        case .transient, .unavailable, .bug, .inputOutput, .temporary, .budget: false
        }
    }
}

extension JobMessage? {
    /// The message, if one is due.
    package var list: [JobMessage] { map { [$0] } ?? [] }
}
