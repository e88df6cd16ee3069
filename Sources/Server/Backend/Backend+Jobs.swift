package import Contract
import Database
import Jobs
import Queries
import Store
package import System

/// Looking at jobs, whether they wait here, run here, or are only in the store.
extension Backend {
    /// The status of a job; nil if there is none.
    package func status(of name: String) throws(ETLError) -> JobStatusDTO? {
        if let log = hub[name] {
            // The store has its own numbers of a job that it knows, also while services are asked again.
            let (store, stored) = try storedJob(name)
            var status =
                stored?.statusDTO(isRunning: false)
                ?? JobStatusDTO(jobId: name, pipeline: log.pipeline, state: log.state, progress: log.progress)
            status.state = log.state
            status.position = jobs.position(of: name)
            status.isRunning = log.state == .processing && status.position == nil
            if status.isRunning {
                status.secondsLeft = jobs.timeLeft(of: name).map { Int(($0 + 999_999_999) / 1_000_000_000) }
            } else {
                status.startsAt = jobs.turn(of: name)
            }
            if let wait = jobs.wait(of: name), let stored {
                // The store's job is complete but for its pending records.
                status.isRunning = false
                status.progress.processedCount = stored.finishedCount
                status.resumeAt = wait.until
            }
            status.quality = try quality(of: stored, status, in: store)
            return status
        }
        let (store, stored) = try storedJob(name)
        guard let stored else { return nil }
        var status = stored.statusDTO(isRunning: StoreLock.jobRun(on: settings.store) == name)
        status.quality = try quality(of: stored, status, in: store)
        return status
    }

    /// Reserves the name that a client has chosen for its job, until ``release(_:)``.
    ///
    /// - Returns: Nil if it has chosen none, or none that it may have.
    func claim(_ name: String?) -> String? {
        guard let name, JobName.isChoosable(name), claimed.withLock({ $0.insert(name).inserted }) else {
            return nil
        }
        // A store that cannot be read now may have it.
        let isFree = hub[name] == nil && (try? storedJob(name)).map { $0.job == nil } ?? false
        if !isFree { release(name) }
        return isFree ? name : nil
    }

    /// The name's job was accepted, or refused.
    func release(_ name: String) { claimed.withLock { _ = $0.remove(name) } }

    private func quality(
        of job: Job?, _ status: JobStatusDTO, in store: Connection?
    ) throws(ETLError) -> QualityCounts? {
        guard status.state == .completed, let job, let store else { return nil }
        return try quality(of: job, in: store)
    }

    /// The figures of a completed job. A million books take a second, so they are kept until the store changes: a refresh
    /// or a correction changes the books of earlier jobs too.
    func quality(of job: Job, in store: Connection) throws(ETLError) -> QualityCounts {
        let version = watch.look()
        if let known = qualities.withLock({ $0[job.name] }), known.version == version {
            return known.counts
        }
        let counts = try QualityMetrics(store).counts(of: job)
        qualities.withLock { kept in
            if kept.count >= Self.mostQualities { kept.removeAll() }
            kept[job.name] = KnownQuality(version: version, counts: counts)
        }
        return counts
    }

    private static let mostQualities = 1_000

    /// The figures of a job, and the version of the store before they were computed.
    struct KnownQuality: Sendable {
        var version: UInt64
        var counts: QualityCounts
    }

    private func storedJob(_ name: String) throws(ETLError) -> (store: Connection?, job: Job?) {
        guard let store = try StoreFile.openIfStarted(settings.store) else { return (nil, nil) }
        return (store, try JobTable(store).job(named: name))
    }
}
