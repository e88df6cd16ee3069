import Database
package import System

/// What an administrator does with the queue.
extension JobQueue {
    /// A job that has ended waits again. It may work as long as a new one.
    package func `repeat`(_ id: Int64) throws(ETLError) {
        try connection.execute(
            """
            UPDATE queued_jobs SET state = 'waiting', options = json_remove(options, '$.worked'), ended_at = NULL,
                expires_at = NULL, message = NULL
            WHERE id = ?1
            """, id)
    }

    /// Removes the jobs that were requested with tokens of a name, their tokens, and the answers to their requests.
    package func removeJobs(ofToken name: String) throws(ETLError) {
        unwritten.removeAll { $0.job.tokenName == name }
        // The name is the first word of an owner.
        let isOwned = "substr(owner, 1, length(?1) + 1) = ?1 || ' '"
        try connection.transaction { () throws(ETLError) in
            try connection.execute(
                "DELETE FROM tokens WHERE job IN (SELECT job FROM queued_jobs WHERE \(isOwned))", name)
            try connection.execute("DELETE FROM queued_jobs WHERE \(isOwned)", name)
            try connection.execute("DELETE FROM idempotency_records WHERE \(isOwned)", name)
        }
        // What was deleted is in the log until then.
        _ = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
