import Formats
import Jobs
import Services
import Store
import System

/// Jobs whose records are stored, of which services have left some unanswered: the server asks again by itself.
extension JobRunner {
    /// The wait of a job; nil if it does not wait for services.
    package func wait(of job: String) -> ServiceWait? { state.withLock { $0.waits[job] } }

    /// Queues the jobs whose wait is over. Call it now and then.
    package func resumeDue() {
        let (now, instant) = (clock.epochMilliseconds(), clock.nanoseconds())
        let isDue = state.withLock { state in
            let due = state.waits.takeDue(at: now)
            for kept in due { state.schedule.add(kept, at: instant) }
            return !due.isEmpty
        }
        if isDue { runNext() }
    }

    /// Keeps a job for another run if services have left records open.
    ///
    /// - Returns: Whether it waits. If not, it has ended.
    func waits(
        _ kept: QueuedJob, _ outcome: ImportOutcome, _ watcher: ImportWatcher
    ) async throws(ETLError) -> Bool {
        let (job, now) = (outcome.job, clock.epochMilliseconds())
        let pending = job.pending - job.decided
        let names = outcome.waiting.map(\.service).filter { $0 != Reviews.pendingService }
        let times = outcome.services.filter { names.contains($0.name) }.compactMap(\.metrics.pausedUntil)
        guard pending > 0,
            let wait = ServiceWait(
                after: kept.terms.wait, for: names, pending: pending, resumeAt: times.min(), now: now)
        else { return false }
        var kept = kept
        kept.terms.wait = wait
        kept.state = .waiting
        try await queue.keep(kept.terms, of: kept.id)
        // The store has a copy of the input while records are pending.
        uploads.remove(kept.terms.upload)
        state.withLock { [kept] state in
            state.schedule.settle(kept)
            state.jobs[kept.id] = kept
            state.waits.add(kept)
        }
        watcher.waits(job, wait)
        return true
    }

    /// Ends the wait of a job, because another order for it is accepted, which also asks again.
    func endWait(of job: String) async throws(ETLError) {
        guard let kept = state.withLock({ $0.waits.take(job) }), let done = try finished(job) else { return }
        try await end(kept, .completed, message(done))
    }
}

extension QueuedJob {
    /// Whether it was run and waits for services. One that was killed while it asked again does not wait.
    var isWaitingForServices: Bool { terms.wait != nil && state == .waiting }
}
