package import Pipeline

/// What an import tells while it runs.
package enum ImportEvent: Sendable {
    /// The files were looked at.
    case surveyed(LibrarySurvey)
    /// The job has begun, or goes on from its checkpoint.
    case began(Job)
    case ran(RunEvent)
    /// All is read; so many records wait for services, which are asked once more, or for what their reader has decided.
    case takingUp(Int)
}

/// How an import ended.
package struct ImportOutcome: Sendable {
    /// The four ways an import ends, one more than a run has: another process may cancel a job.
    package enum End: Sendable, Hashable {
        case completed
        /// Asked to stop; it can be resumed.
        case stopped
        /// Cancelled from another process.
        case canceled
        case failed(StageFailure)

        var state: JobState {
            switch self {
            case .completed: .completed
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
    /// What came of a mended list of errors; nil where none was read.
    package var mending: MendingFigures?
    /// The services that were asked, in their order.
    package var services: [ServiceReport] = []
}

extension ImportOutcome {
    /// The closing summary (cli.md).
    package func summary(quality: QualityTally, expiresAt: Int64, peakMemoryBytes: Int64) -> JobSummary {
        JobSummary(
            jobId: job.name, pipeline: job.contractPipeline, state: job.status,
            counts: job.counts, duration: milliseconds, expiresAt: expiresAt, quality: quality,
            stages: report.stages.map { stage in
                StageFigures(
                    name: stage.name, recordsIn: stage.recordsIn, recordsOut: stage.recordsOut,
                    busyMs: Int64(stage.busy / 1_000_000),
                    blockedOnInputMs: Int64(stage.blockedOnInput / 1_000_000),
                    blockedOnOutputMs: Int64(stage.blockedOnOutput / 1_000_000))
            },
            peakMemoryBytes: peakMemoryBytes)
    }
}
