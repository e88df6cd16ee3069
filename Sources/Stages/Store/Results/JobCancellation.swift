import Books
import Database
package import System

/// Asks a job to stop, from another process than the one running it.
package enum JobCancellation {
    /// The result of the request.
    package enum Answer: Sendable, Hashable {
        /// The job is running and will stop after the current batches.
        case requested
        /// The job was not running, and had records to read or to ask services about.
        case canceled
        /// The job had already ended.
        case ended(JobState)
    }

    /// Asks the run to stop, or marks a job that is not running as canceled.
    ///
    /// - Parameter pause: Waits briefly for a run to name its job.
    /// - Throws: `.missing` if there is no such job; SQLite's error if the store cannot be written.
    package static func request(
        _ name: String, in store: String, pausing pause: () -> Void = StoreLock.pause
    ) throws(ETLError) -> Answer {
        guard let job = try JobTable(try StoreFile.openForReading(store)).job(withPrefix: name) else {
            throw ETLError(
                .missing, "There is no job `\(name)` in `\(store)`.",
                advice: "\(UserCommand.jobs) lists the jobs of the store.")
        }
        // A run that continues a stopped job first looks through the files.
        let isContinued = job.status != .completed && StoreLock.holder(of: store) == .job(job.name)
        guard isContinued || isAtWork(job.status) || job.pending > job.decided else {
            return .ended(job.status)
        }
        switch holder(of: store, pausing: pause) {
        case .job(job.name):
            try StoreLock.requestStop(of: job.name, store: store)
            return .requested
        case .unnamed:
            // If the run does turn out to be of this job, it finds the request.
            try StoreLock.requestStop(of: job.name, store: store)
            return try mark(job, in: store)
        case .noOne, .job:
            return try mark(job, in: store)
        }
    }

    private static func isAtWork(_ status: JobState) -> Bool {
        status == .processing || status == .initialized
    }

    /// A run names its job shortly after it has opened its store.
    private static func holder(of store: String, pausing pause: () -> Void) -> StoreLock.Holder {
        var holder = StoreLock.holder(of: store)
        for _ in 0..<pauseLimit where holder == .unnamed {
            pause()
            holder = StoreLock.holder(of: store)
        }
        return holder
    }

    private static let pauseLimit = 50

    /// Marks a job that is not running as canceled, unless it has ended in the meantime.
    private static func mark(_ job: Job, in store: String) throws(ETLError) -> Answer {
        // The run of another job commits continuously, so getting a turn may take several tries.
        let connection = try Connection(store, .readWrite, busyMilliseconds: 30_000)
        try connection.execute(
            """
            UPDATE jobs SET status = 'canceled' WHERE id = ?1 AND (status IN ('processing', 'initialized')
                OR status = 'completed' AND EXISTS (SELECT 1 FROM pending p WHERE p.job = ?1))
            """, job.id)
        guard connection.changes == 0 else { return .canceled }
        guard let read = try connection.row("SELECT status FROM jobs WHERE id = ?1", job.id),
            let status = JobState(rawValue: read.string(0))
        else { return .canceled }
        return .ended(status)
    }
}
