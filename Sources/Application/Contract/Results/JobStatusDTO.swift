package import Store
import Syntax

/// A job's status, for clients that poll.
package struct JobStatusDTO: Sendable, Hashable {
    package var jobId: String
    package var pipeline: JobPipeline
    package var state: JobState
    package var progress: JobProgress
    /// Whether a process is running the job.
    package var isRunning = false
    /// The job's place among those that wait for their turn, from 1; nil if it does not wait.
    package var position: Int?
    /// The latest time at which its turn begins, in milliseconds since 1970; nil if it does not wait, or that is unknown.
    package var startsAt: Int64?
    /// Records that wait for a service, or for a decision to be applied.
    package var pending = 0
    /// Seconds until a running job is done; nil if unknown.
    package var secondsLeft: Int?
    /// When a job that waits for a service can go on, in milliseconds since 1970.
    package var resumeAt: Int64?
    /// The figures of a completed job; nil for others, and in lists of jobs.
    package var quality: QualityCounts?

    /// The share that is done, 0–1. A completed job is at 1, even if its input was empty.
    package var fraction: Double { state == .completed ? 1 : progress.fraction }

    package init(jobId: String, pipeline: JobPipeline, state: JobState, progress: JobProgress) {
        self.jobId = jobId
        self.pipeline = pipeline
        self.state = state
        self.progress = progress
    }
}

extension JobStatusDTO: ContractRecord {
    package static var example: JobStatusDTO {
        JobStatusDTO(
            jobId: "", pipeline: .csvImport, state: .completed,
            progress: JobProgress(processedCount: 0, totalCount: 0))
    }
    package static var schemaName: String? { "JobStatus" }

    package func fields(into table: inout some FieldTable) {
        table.field("jobId", jobId)
        table.field("status", state)
        table.field("progress", fraction)
        table.field("totalCount", progress.totalCount)
        table.field("processedCount", progress.processedCount)
        table.field("pipeline", pipeline)
        table.field("running", isRunning)
        table.field("position", position)
        table.field("startsAt", startsAt.map { Moment($0) })
        table.field("pending", pending)
        table.field("secondsLeft", secondsLeft)
        table.field("resumeAt", resumeAt.map { Moment($0) })
        table.field("quality", quality.map { QualityReport($0) })
    }
}
