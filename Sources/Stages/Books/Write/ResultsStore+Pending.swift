import Database
package import Pipeline

/// Records of the job that wait for services, or for what their reader has decided.
extension ResultsStore {
    /// How many of the job's records wait for services or for what their reader has decided.
    package func pendingCount() throws(StageFailure) -> Int {
        guard let current else { return 0 }
        do { return try PendingRecords(connection).count(ofJob: current.job.id) } catch {
            throw error.failure
        }
    }

    /// Which of a file's records from one to another are pending.
    package func pendingRows(ofFile file: Int, in range: ClosedRange<Int>) throws(StageFailure) -> Set<Int> {
        guard let current else { return [] }
        do {
            return try PendingRecords(connection).rows(ofJob: current.job.id, file: file, in: range)
        } catch {
            throw error.failure
        }
    }

    /// Notes why records of the job are open that were asked for again.
    package func noteReasons(of records: [PendingRecord]) throws(StageFailure) {
        guard let current, !records.isEmpty else { return }
        try PendingRecords(connection).renew(records, ofJob: current.job.id)
    }

    /// Whether answers were dropped since the job was last run from its start (``CachedAnswers/purge(_:service:onlyStale:now:)``).
    package func hasLostAnswers() throws(StageFailure) -> Bool {
        guard let current else { return false }
        return try connection.number("SELECT lost_answers FROM jobs WHERE id = \(current.job.id)") != 0
    }

    /// What readers have decided in reviews.
    package func decisions() throws(StageFailure) -> MatchDecisions {
        try Reviews(connection).decisions()
    }

    /// The services that records of the job wait for, and why.
    package func pendingReasons() throws(StageFailure) -> [PendingRecords.Reason] {
        guard let current else { return [] }
        return try PendingRecords(connection).reasons(ofJob: current.job.id)
    }
}
