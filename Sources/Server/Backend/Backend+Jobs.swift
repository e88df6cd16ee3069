package import Contract
import Queries
import Store
package import System

/// Looking at jobs, whether they wait here, run here, or are only in the store.
extension Backend {
    /// The status of a job; nil if there is none.
    package func status(of name: String) throws(ETLError) -> JobStatusDTO? {
        if let log = hub[name] {
            // The store has its own numbers of a job that it knows, also while services are asked again.
            let stored = try storedJob(name)
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
            return status
        }
        return try storedJob(name).map {
            $0.statusDTO(isRunning: StoreLock.jobRun(on: settings.store) == name)
        }
    }

    private func storedJob(_ name: String) throws(ETLError) -> Job? {
        guard let store = try StoreFile.openIfStarted(settings.store) else { return nil }
        return try JobTable(store).job(named: name)
    }
}
