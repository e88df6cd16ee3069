package import Books
package import Syntax

/// A job's status, for clients that poll.
package struct JobStatusDTO: Sendable, Hashable {
    package var jobId: String
    package var pipeline: JobPipeline
    package var state: JobState
    package var progress: JobProgress

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
            // A completed job is at 100 %, even if its input was empty.
            out.field("progress", state == .completed ? 1 : progress.fraction)
            out.field("totalCount", progress.totalCount)
            out.field("processedCount", progress.processedCount)
            out.field("pipeline", pipeline)
        }
    }
}

extension Job {
    /// The job's status as the contract has it.
    ///
    /// - Parameter isRunning: Whether a process is running the job.
    package func statusDTO(isRunning: Bool) -> JobStatusDTO {
        JobStatusDTO(
            jobId: name, pipeline: contractPipeline, state: state(isRunning: isRunning),
            progress: JobProgress(processedCount: counts.totalProcessed, totalCount: totalCount ?? 0))
    }
}
