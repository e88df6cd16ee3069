import Contract
import Formats
import Jobs
import Services
import Store
import Syntax
import System

/// Jobs whose records are stored, of which services have left some unanswered: the server asks again by itself.
extension JobRunner {
    /// The wait of a job; nil if it does not wait for services.
    package func wait(of job: String) -> ServiceWait? {
        state.withLock { $0.schedule.waitingForServices(job)?.options.wait }
    }

    /// Queues the jobs whose wait is over. Call it now and then.
    package func resumeDue() {
        let (epoch, now) = (clock.epochMilliseconds(), clock.nanoseconds())
        if state.withLock({ $0.schedule.resume(at: epoch, now) }) { runNext() }
    }

    /// Keeps a job for another run if services have left records open.
    ///
    /// - Returns: Whether it waits, or was canceled. If not, it has ended.
    func waits(
        _ kept: QueuedJob, _ outcome: ImportOutcome, _ watcher: ImportWatcher
    ) async throws(ETLError) -> Bool {
        let (job, now) = (outcome.job, clock.epochMilliseconds())
        let pending = job.pending - job.decided
        let names = outcome.waiting.map(\.service).filter { $0 != Reviews.pendingService }
        let times = outcome.services.filter { names.contains($0.name) }.compactMap(\.metrics.pausedUntil)
        guard pending > 0,
            let wait = ServiceWait(
                after: kept.options.wait, for: names, pending: pending, resumeAt: times.min(), now: now)
        else { return false }
        var kept = kept
        kept.options.wait = wait
        kept.options.worked = state.withLock { $0.schedule.workedMilliseconds(at: clock.nanoseconds()) }
        kept.state = .waiting
        try await queue.keep(kept.options, of: kept.id)
        let isWaiting = state.withLock { [kept] state in
            state.jobs[kept.id] = kept
            return state.schedule.wait(kept)
        }
        guard isWaiting else {
            await endCanceled(kept)
            return true
        }
        // The store has a copy of the input while records are pending.
        uploads.remove(kept.options.upload)
        watcher.waits(job, wait)
        return true
    }

    /// How a job ends that waits for services, if another run for it is accepted, which asks them again. Nil if there is
    /// none, or the store cannot be read: then it goes on waiting, which does no harm.
    func endOfWait(of job: String) -> (id: Int64, ending: JobEnding)? {
        guard let kept = state.withLock({ $0.schedule.waitingForServices(job) }),
            let done = try? finished(job)
        else { return nil }
        let ending = JobEnding(
            state: .completed, endedAt: clock.epochMilliseconds(), expiresAt: expiry,
            lastEvent: hub[job]?.ending?.id ?? 1, message: message(done).json)
        return (kept.id, ending)
    }
}

extension QueuedJob {
    /// Whether it was run and waits for services. One that was killed while it asked again does not wait.
    var isWaitingForServices: Bool { options.wait != nil && state == .waiting }
}
