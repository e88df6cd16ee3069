package import Books
package import Syntax

/// A job's status, for clients that poll.
package struct JobStatusDTO: Sendable, Hashable {
    package var jobId: String
    package var pipeline: JobPipeline
    package var state: JobState
    package var progress: JobProgress
    /// Whether a process is running the job.
    package var isRunning = false
    /// Records that wait for a service, or for a decision to be applied.
    package var pending = 0
    /// Seconds until a running job is done; nil if unknown.
    package var secondsLeft: Int?
    /// When a job that waits for a service can go on, in milliseconds since 1970.
    package var resumeAt: Int64?

    /// The share that is done, 0–1. A completed job is at 1, even if its input was empty; but not while records
    /// wait.
    package var fraction: Double { state == .completed && pending == 0 ? 1 : progress.fraction }

    package init(jobId: String, pipeline: JobPipeline, state: JobState, progress: JobProgress) {
        self.jobId = jobId
        self.pipeline = pipeline
        self.state = state
        self.progress = progress
    }
}

extension JobStatusDTO: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("jobId", jobId)
            out.field("status", state)
            out.field("progress", fraction)
            out.field("totalCount", progress.totalCount)
            out.field("processedCount", progress.processedCount)
            out.field("pipeline", pipeline)
            out.field("running", isRunning)
            out.field("pending", pending)
            out.field("secondsLeft", secondsLeft)
            out.field("resumeAt", resumeAt.map(Timestamp.withoutFraction))
        }
    }
}

extension Job {
    /// The job's status as the contract has it.
    ///
    /// - Parameters:
    ///   - isRunning: Whether a process is running the job.
    ///   - running: What that process says; nil if it says nothing.
    package func statusDTO(isRunning: Bool, _ running: RunProgress? = nil) -> JobStatusDTO {
        var status = JobStatusDTO(
            jobId: name, pipeline: contractPipeline, state: state, progress: progress)
        if let running {
            // The library lags behind the answers that have arrived.
            status.progress.processedCount = max(progress.processedCount, running.done)
            status.secondsLeft = running.secondsLeft
        }
        status.isRunning = isRunning
        status.pending = min(
            pending, max(0, status.progress.totalCount - status.progress.processedCount))
        status.resumeAt = pause?.resumeAt
        return status
    }
}
