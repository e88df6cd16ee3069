package import Database
import Glibc
package import System

/// Deletes old data that a store keeps besides the library: before-images, the records of undone jobs,
/// finished jobs without records, and expired answers.
///
/// Before-images are deleted in the order of the runs, so a run's changes are known only if those of all
/// later ones are. A job without before-images can no longer be undone. If it is run again, because of a late
/// answer or decision, rows that it had changed are not restored first; they are changed again.
///
/// A job with records is kept: its records are results. Refreshes, edits and undos without before-images are only
/// lines of a list, and go.
package struct Pruning: Sendable, Hashable {
    /// Number of before-images deleted.
    package private(set) var images = 0
    /// Jobs that can no longer be undone.
    package private(set) var jobs: [String] = []
    /// Undone jobs whose records were deleted. They can no longer be restored.
    package private(set) var undoneJobs: [String] = []
    /// Finished jobs that were deleted: refreshes, edits and undos.
    package private(set) var finishedJobs: [String] = []
    /// Number of expired answers deleted.
    package private(set) var answers = 0
    /// Bytes of the store's file that are free and used again by later imports.
    package private(set) var freeBytes: Int64 = 0
    /// Bytes by which the file was shortened.
    package private(set) var shortenedBytes: Int64 = 0
    /// Whether a removed library was among the deleted data. Then no byte of it may stay in free pages.
    package private(set) var forgets = false
    /// Whether deleted rows are still in SQLite's log, because another process reads the store.
    package private(set) var isInLog = false

    /// Prunes a store. Locks it meanwhile.
    ///
    /// - Parameters:
    ///   - milliseconds: Jobs that ended longer ago are old; nil for all jobs, whatever the clock says.
    ///   - now: Milliseconds since 1970.
    /// - Throws: `.temporary` while a run writes to the store; then nothing was deleted.
    package init(
        of store: String, olderThan milliseconds: Int64?, now: Int64, waiting policy: LockWaitPolicy
    ) throws(ETLError) {
        // Check first that the file is a store, so that nothing else is written to.
        _ = try StoreFile.openForReading(store, waiting: policy)
        let lock = try StoreLock(store: store)
        defer { withExtendedLifetime(lock) {} }
        let connection = try StoreFile.openForWriting(store, waiting: policy)
        let known = try JobTable(connection).all()
        let limit = milliseconds.map { now - $0 } ?? .max
        try connection.transaction { () throws(ETLError) in
            try deleteImages(of: known, endedBefore: limit, in: connection)
            try deleteRecords(of: known, in: connection)
            try deleteFinished(known, endedBefore: limit, in: connection)
            // Stores that were written before they were deleted with their editions.
            try Refreshes.drop(where: "edition NOT IN (SELECT id FROM editions)", in: connection)
            answers = try CachedAnswers.deleteExpired(now: now, in: connection)
        }
        try shorten(connection, store)
        // The log has rows of before, and stays as long as a server has the store open.
        isInLog = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0
    }

    private mutating func deleteImages(
        of known: [Job], endedBefore limit: Int64, in connection: Connection
    ) throws(ETLError) {
        let young = Set(known.filter { ($0.endedAt ?? $0.updatedAt) > limit }.map(\.id))
        let old = try RunHistory(connection).runs.prefix { !young.contains($0.job) }
        guard let last = old.last?.id, old.contains(where: \.isKnown) else { return }
        for table in JournaledTable.allCases {
            try connection.execute("DELETE FROM \(table.images) WHERE run <= ?1", last)
            images += connection.changes
        }
        try connection.execute("UPDATE runs SET first_author = NULL WHERE id <= ?1", last)
        let forgotten = Set(old.filter(\.isKnown).map(\.job))
        let removals = known.filter { forgotten.contains($0.id) && $0.isRemoval && $0.undoneBy == nil }
        forgets = !removals.isEmpty
        for removal in removals {
            try RememberedRules.drop(of: removal, in: connection)
            try Reviews.drop(of: removal, in: connection)
        }
        jobs = known.filter { forgotten.contains($0.id) && $0.undoneBy == nil }.map(\.name).reversed()
    }

    /// Deletes the records of jobs whose undo can no longer be undone.
    private mutating func deleteRecords(of known: [Job], in connection: Connection) throws(ETLError) {
        let history = try RunHistory(connection)
        let final = Set(
            known.filter { undo in
                let runs = history.runs(of: [undo.id])
                return !runs.isEmpty && runs.allSatisfy { !$0.isKnown }
            }.map(\.name))
        for job in known.reversed() where job.undoneBy.map(final.contains) == true {
            let before = connection.totalChanges
            for table in Self.recordTables {
                try connection.execute("DELETE FROM \(table) WHERE job = ?1", job.id)
            }
            if connection.totalChanges > before { undoneJobs.append(job.name) }
        }
    }

    /// Deletes old jobs without records whose changes are not known any more. The newest job and the last run stay,
    /// so that their numbers are not given again, and so do undos of jobs that stay.
    private mutating func deleteFinished(
        _ known: [Job], endedBefore limit: Int64, in connection: Connection
    ) throws(ETLError) {
        let runs = try RunHistory(connection).runs
        let kept = Set(runs.filter(\.isKnown).map(\.job) + [runs.last?.job].compactMap(\.self))
        var candidates = known.dropFirst().filter { job in
            !job.hasRecords && (job.status == .completed || job.status == .canceled)
                && (job.endedAt ?? job.updatedAt) <= limit && !kept.contains(job.id)
        }
        // An undo goes with the jobs that it has undone, which may be undos themselves.
        while true {
            let gone = Set(candidates.map(\.id))
            let held = Set(known.filter { !gone.contains($0.id) }.compactMap(\.undoneBy))
            let rest = candidates.filter { !held.contains($0.name) }
            if rest.count == candidates.count { break }
            candidates = rest
        }
        guard !candidates.isEmpty else { return }
        let list = candidates.map { "\($0.id)" }.joined(separator: ", ")
        try connection.execute(
            "DELETE FROM runs WHERE job IN (\(list)); DELETE FROM jobs WHERE id IN (\(list))")
        for table in Self.recordTables {
            try connection.execute("DELETE FROM \(table) WHERE job IN (\(list))")
        }
        finishedJobs = candidates.map(\.name).reversed()
    }

    /// The tables with a job's records.
    private static let recordTables = [
        "record_runs", "rejects", "warnings", "corrections", "pending", "reviews", "job_inputs",
    ]

    /// Copies the store without its free pages if they are a quarter of it or more and there is room for the
    /// copy, and always if they may contain a removed library.
    private mutating func shorten(_ connection: Connection, _ store: String) throws(ETLError) {
        func bytes(_ pragma: String) throws(ETLError) -> Int64 {
            let pages = try connection.integer("PRAGMA \(pragma)") ?? 0
            return try pages * (connection.integer("PRAGMA page_size") ?? 0)
        }
        freeBytes = try bytes("freelist_count")
        let size = try bytes("page_count")
        if !forgets {
            guard freeBytes > Self.leastShortened, freeBytes * 4 >= size else { return }
            var disk = statvfs()
            guard FileSystem.statvfs(FolderPath.of(StorePath.real(store)), &disk) == 0,
                Int64(disk.f_bavail) * Int64(disk.f_frsize) > 3 * size
            else { return }
        }
        try connection.execute("VACUUM")
        shortenedBytes = size - (try bytes("page_count"))
        freeBytes = try bytes("freelist_count")
    }

    private static let leastShortened: Int64 = 1 << 20
}
