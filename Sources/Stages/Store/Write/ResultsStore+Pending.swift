package import Books
import Database
package import System

/// Pending records of the job: those that wait for services or for a review decision to be applied.
extension ResultsStore {
    /// Number of the job's pending records.
    package func pendingCount() throws(ETLError) -> Int {
        guard let current else { return 0 }
        return try PendingRecords(connection).count(ofJob: current.job.id)
    }

    /// Pending records of a file within a range of record numbers.
    package func pendingRows(ofFile file: Int, in range: ClosedRange<Int>) throws(ETLError) -> Set<Int> {
        guard let current else { return [] }
        return try PendingRecords(connection).rows(ofJob: current.job.id, file: file, in: range)
    }

    /// Updates why records are pending after they were asked for again.
    package func noteReasons(of records: [PendingRecord]) throws(ETLError) {
        guard let current, !records.isEmpty else { return }
        try PendingRecords(connection).renew(records, ofJob: current.job.id)
    }

    /// Whether answers were dropped since the job was last run from its start
    /// (``CachedAnswers/purge(_:service:onlyStale:now:waiting:)``).
    package func hasLostAnswers() throws(ETLError) -> Bool {
        guard let current else { return false }
        return try connection.number("SELECT lost_answers FROM jobs WHERE id = ?1", current.job.id) != 0
    }

    /// Whether answers were cached since the job was last run from its start. Then the library may lack
    /// values that are known.
    package func hasUnusedAnswers() throws(ETLError) -> Bool {
        guard let current else { return false }
        return try connection.number("SELECT unused_answers FROM jobs WHERE id = ?1", current.job.id) != 0
    }

    /// Stores copies of the job's files if the job will read them again, and deletes them if it will not.
    ///
    /// - Parameter files: The files, which were read to their end.
    package func keepInputs(_ files: [String]) throws(ETLError) {
        guard let current else { return }
        let copies = InputCopies(connection)
        let hasReviews = try Reviews(connection).exist(ofJob: current.job.id)
        let isNeeded = try pendingCount() > 0 || hasReviews
        if !isNeeded {
            try copies.remove(ofJob: current.job.id)
        } else if try !copies.exist(ofJob: current.job.id) {
            try copies.save(files, ofJob: current.job.id)
        }
    }

    /// The decisions that users made in reviews and that apply to a library.
    ///
    /// - Parameter isPrivate: Whether the library is private if there is none with this name.
    package func decisions(
        of library: String, isPrivate: Bool
    ) throws(ETLError) -> MatchDecisions {
        let isNew = try connection.row("SELECT 1 FROM libraries WHERE name = ?1", library) == nil
        guard !isNew || !isPrivate else { return MatchDecisions() }
        return try Reviews(connection).decisions(in: LibraryNames(connection).keyspace(ofLibrary: library))
    }

    /// The services that records of the job wait for, and why.
    package func pendingCounts() throws(ETLError) -> [PendingRecords.Counts] {
        guard let current else { return [] }
        return try PendingRecords(connection).counts(ofJob: current.job.id)
    }
}
