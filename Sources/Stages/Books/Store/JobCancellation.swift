import Database
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
    /// - Parameter pause: Waits a moment for a run to say which job it has.
    /// - Throws: `.missing` where there is no such job; what SQLite says where the store cannot be written.
    package static func request(
        _ name: String, in store: String, pausing pause: () -> Void = StoreLock.pause
    ) throws(StageFailure) -> Answer {
        guard let job = try JobTable(try StoreFile.openForReading(store)).job(called: name) else {
            throw StageFailure(
                .missing, "There is no job \(name) in \(store).",
                advice: "\(UserCommand.jobs) lists the jobs of the store.")
        }
        guard isAtWork(job.status) else { return .ended(job.status) }
        switch holder(of: store, pausing: pause) {
        case .job(job.name):
            try StoreLock.requestStop(of: job.name, store: store)
            return .requested
        case .unnamed:
            // Should it come to this job after all, it finds the request.
            try StoreLock.requestStop(of: job.name, store: store)
            return try mark(job, in: store)
        case .nobody, .job:
            return try mark(job, in: store)
        }
    }

    private static func isAtWork(_ status: JobState) -> Bool {
        status == .processing || status == .initialized
    }

    /// A run says which job it has once its store is open, which takes a moment.
    private static func holder(of store: String, pausing pause: () -> Void) -> StoreLock.Holder {
        var holder = StoreLock.holder(of: store)
        for _ in 0..<pauseLimit where holder == .unnamed {
            pause()
            holder = StoreLock.holder(of: store)
        }
        return holder
    }

    private static let pauseLimit = 50

    /// Marks a job that nobody runs, unless it has ended since it was looked at.
    private static func mark(_ job: Job, in store: String) throws(StageFailure) -> Answer {
        do {
            // Another job's run commits without a pause: it may take some tries to come between.
            let connection = try Connection(store, .readWrite, busyMilliseconds: 30_000)
            let update = try connection.prepare(
                """
                UPDATE jobs SET status = 'canceled' WHERE id = ?1 AND status IN ('processing', 'initialized')
                """
            )
            update.bind(1, job.id)
            try update.run()
            guard connection.changes == 0 else { return .canceled }
            let read = try connection.prepare("SELECT status FROM jobs WHERE id = ?1")
            read.bind(1, job.id)
            guard try read.step(), let status = JobState(rawValue: read.string(0)) else { return .canceled }
            return .ended(status)
        } catch {
            throw error.failure
        }
    }
}
