package import Contract
package import Store

extension Job {
    /// The job's status as the contract has it.
    ///
    /// - Parameters:
    ///   - isRunning: Whether a process is running the job.
    ///   - running: Progress that the process states; nil if it states none.
    package func statusDTO(isRunning: Bool, _ running: RunProgress? = nil) -> JobStatusDTO {
        var status = JobStatusDTO(
            jobId: name, pipeline: contractPipeline, state: state, progress: progress)
        if let running {
            // The library lags behind the answers that have arrived.
            status.progress.processedCount = max(progress.processedCount, running.done)
            status.secondsLeft = running.secondsLeft
        }
        status.isRunning = isRunning
        status.pending = pending
        if running != nil {
            status.pending = min(
                pending, max(0, status.progress.totalCount - status.progress.processedCount))
        }
        status.resumeAt = pause?.resumeAt
        return status
    }
}
