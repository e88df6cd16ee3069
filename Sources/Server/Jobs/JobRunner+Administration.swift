import Contract
import Store
package import System

/// What an administrator does with the queue.
extension JobRunner {
    /// Runs work while no job runs. The running one stops at its checkpoint and goes on afterwards.
    package func exclusively<Result: Sendable>(
        _ work: () async throws(ETLError) -> Result
    ) async throws(ETLError) -> Result {
        let runner = state.withLock { state in
            if state.schedule.hold() { state.stop?.raise() }
            return state.runner
        }
        await runner?.value
        defer {
            state.withLock { $0.schedule.release() }
            runNext()
        }
        return try await work()
    }

    /// Whether a job that has ended can be run again: it failed, and its input is still there.
    package func canRepeat(_ kept: QueuedJob) -> Bool {
        kept.state == .failed && !isActive(kept.options.job)
            && (!kept.options.kind.hasUpload || uploads.bytes(of: kept.options.upload) > 0)
    }

    /// Queues a job again that failed. It goes on where it has stopped.
    ///
    /// - Parameter id: The number of the job.
    /// - Returns: Whether it was queued.
    package func `repeat`(_ id: Int64) async throws(ETLError) -> Bool {
        guard var kept = state.withLock({ $0.jobs[id] }), canRepeat(kept) else { return false }
        kept.state = .waiting
        kept.ending = nil
        kept.options.worked = nil
        try await queue.repeat(id)
        begin(kept)
        readNext()
        runNext()
        return true
    }

    /// Removes all jobs that were requested with tokens of a name, their uploads, and the answers that are kept for them. No job
    /// may run.
    ///
    /// - Returns: Number of jobs.
    package func removeJobs(ofToken name: String) async throws(ETLError) -> Int {
        try await queue.removeJobs(ofToken: name)
        let jobs = state.withLock { state in
            let jobs = state.jobs.values.filter { $0.tokenName == name }
            for kept in jobs {
                _ = state.schedule.cancel(kept.options.job)
                state.jobs[kept.id] = nil
                state.owners[kept.options.job] = nil
                state.tokens.remove(of: kept.options.job)
            }
            return jobs
        }
        for kept in jobs {
            uploads.remove(kept.options.upload)
            hub.close(kept.options.job)
        }
        return jobs.count
    }
}
