package import Pipeline

/// Asks a job to stop, from another process than the one that runs it.
package enum JobCancellation {
    /// What the request leads to.
    package enum Answer: Sendable, Hashable {
        /// It runs: it stops after the batch in hand.
        case requested
        /// It did not run.
        case canceled
        /// There was nothing to stop.
        case ended(JobState)
    }

    /// Asks the run to stop, or marks a job that does not run as cancelled.
    ///
    /// - Throws: `.missing` where there is no such job; what SQLite says where the store cannot be written.
    package static func request(_ name: String, in store: String) throws(StageFailure) -> Answer {
        guard let job = try JobLedger(try StoreFile.openForReading(store)).job(called: name) else {
            throw StageFailure(
                .missing, "There is no job \(name) in \(store).", advice: "`etl jobs` lists what there is.")
        }
        guard job.status == .processing || job.status == .initialized else { return .ended(job.status) }
        let isRunning = StoreLock.isHeld(store: store)
        if isRunning {
            try StoreLock.requestStop(of: job.name, store: store)
            return .requested
        }
        do {
            let connection = try Connection(store, .readWrite)
            let update = try connection.prepare("UPDATE jobs SET status = 'canceled' WHERE id = ?1")
            update.bind(1, job.id)
            try update.run()
        } catch {
            throw error.failure
        }
        return .canceled
    }
}
