package import Books
package import Pipeline
import Services

/// How an import ended.
package struct ImportOutcome: Sendable {
    /// The ways an import ends, more than a run has: another process may cancel a job, and all may be done but what
    /// waits for a service's next day.
    package enum End: Sendable, Hashable {
        case completed
        /// All is read and stored, but records wait for services whose budget of calls is spent.
        case paused(QuotaPause)
        /// Asked to stop; it can be resumed.
        case stopped
        /// Cancelled from another process.
        case canceled
        case failed(StageFailure)

        var state: JobState {
            switch self {
            case .completed, .paused: .completed
            // Nothing is wrong with it: it waits to be resumed.
            case .stopped: .processing
            case .canceled: .canceled
            case .failed: .failed
            }
        }

        var failure: StageFailure? { if case .failed(let failure) = self { failure } else { nil } }
    }

    /// How it ended.
    package var end: End
    /// The job as the store has it now.
    package var job: Job
    /// What each stage did in this run.
    package var report: RunReport
    /// What was seen of the files before they were read.
    package var survey: LibrarySurvey
    /// Of this run, in milliseconds.
    package var milliseconds: Int64
    /// Records that earlier runs of the job have read.
    package var earlier = 0
    /// Records that waited to be taken up when this run of the job began.
    package var waited = 0
    /// What came of a mended list of errors; nil where none was read.
    package var corrections: CorrectionCounts?
    /// The services that were asked, in their order.
    package var services: [ServiceReport] = []
}

/// What a run that has done all else waits for: the next day of services whose budget of calls is spent.
package struct QuotaPause: Sendable, Hashable {
    /// The services' names, in their order.
    package var services: [String]
    /// When the first of them can be asked again, in milliseconds since 1970; nil where that is not known.
    package var resumeAt: Int64?
}

extension ImportOutcome {
    /// The closing summary (cli.md). By then nobody runs the job: its state is what `etl status` says.
    package func summary(quality: QualityTally, expiresAt: Int64, peakMemoryBytes: Int64) -> JobSummary {
        var summary = JobSummary(
            jobId: job.name, pipeline: job.contractPipeline, state: job.state(isRunning: false),
            counts: job.counts, duration: milliseconds, expiresAt: expiresAt, quality: quality,
            stages: report.stages.map { stage in
                StageMetrics(
                    name: stage.name, recordsIn: stage.recordsIn, recordsOut: stage.recordsOut,
                    busyMs: Int64(stage.busy / 1_000_000),
                    blockedOnInputMs: Int64(stage.blockedOnInput / 1_000_000),
                    blockedOnOutputMs: Int64(stage.blockedOnOutput / 1_000_000))
            },
            peakMemoryBytes: peakMemoryBytes)
        summary.pending = job.pending - job.decided
        summary.decided = job.decided
        summary.services = services.map(\.calls)
        return summary
    }
}

extension ServiceReport {
    /// What the closing summary says of it.
    var calls: ServiceCalls {
        ServiceCalls(
            name: name, calls: metrics.calls, hits: metrics.hits, found: metrics.outcomes[.found] ?? 0,
            notFound: metrics.outcomes[.notFound] ?? 0,
            unanswered: metrics.outcomes.filter { !$0.key.isSettled }.values.reduce(0, +),
            throttled: metrics.throttled, p50: metrics.latencyMilliseconds(share: 0.5),
            p95: metrics.latencyMilliseconds(share: 0.95), p99: metrics.latencyMilliseconds(share: 0.99))
    }
}
