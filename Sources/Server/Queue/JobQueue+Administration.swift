import Database
package import System

/// What an administrator does with the queue.
extension JobQueue {
    /// A job that has ended waits again.
    package func `repeat`(_ id: Int64) throws(ETLError) {
        try connection.execute(
            """
            UPDATE queued_jobs SET state = 'waiting', ended_at = NULL, expires_at = NULL, message = NULL
            WHERE id = \(id)
            """)
    }

    /// Removes the jobs that were ordered with a token, their tokens, and the answers to its requests.
    package func removeJobs(of owner: String) throws(ETLError) {
        try connection.transaction { () throws(ETLError) in
            try connection.execute(
                "DELETE FROM tokens WHERE job IN (SELECT job FROM queued_jobs WHERE owner = ?1)", owner)
            try connection.execute("DELETE FROM queued_jobs WHERE owner = ?1", owner)
            try connection.execute("DELETE FROM answers WHERE owner = ?1", owner)
        }
    }
}
