import Bytes
package import Database
package import System

/// Knows which job last updated each entry. A job that is resumed or corrected after a later job does not
/// overwrite the later job's values; there it only fills gaps, like an older export.
///
/// Rows are only appended. So the rows a job writes, from opening the store until the next job opens it, are
/// identified by the first of them. Entries that another job updated afterwards are recorded individually.
struct EntryWriters {
    private let connection: Connection
    private let job: Int64
    /// A job that only fills gaps does not own its values: any later import may correct it.
    private let ownsWhatItWrites: Bool
    /// Whether a later job may have written something that this one must not overwrite.
    private let hasLater: Bool
    /// Jobs that read the same files before.
    private let readBefore: Set<Int64>
    private let owners: EntryOwners
    // Not one statement that replaces a row: SQLite would keep the pages before it (``JournaledTable/update``).
    private let renote: Statement
    private let noteFirst: Statement

    static let tables = """
        -- Entries last updated by a job other than the one that created them.
        CREATE TABLE updated_entries(entry INTEGER PRIMARY KEY, job INTEGER NOT NULL);
        """

    init(_ connection: Connection, of job: Job) throws(ETLError) {
        self.job = job.id
        ownsWhatItWrites = job.mode == .update
        readBefore = Set(job.options?.readBefore ?? [])
        hasLater = try connection.integer("SELECT 1 FROM jobs WHERE id > ?1 LIMIT 1", job.id) != nil
        owners = try EntryOwners(connection)
        renote = try connection.prepare(
            "\(JournaledTable.update) updated_entries SET job = ?2 WHERE entry = ?1")
        noteFirst = try connection.prepare("INSERT OR ROLLBACK INTO updated_entries VALUES (?1, ?2)")
        self.connection = connection
    }

    /// Whether a later job updated the entry, so that this job must not correct it.
    func isLater(_ entry: Int64) throws(ETLError) -> Bool {
        guard hasLater else { return false }
        return try owners.owner(of: entry) > job
    }

    /// Whether the entry was last updated from an earlier import of the same files. This job may then correct
    /// it, even if another export is newer.
    func isOfSameFiles(_ entry: Int64) throws(ETLError) -> Bool {
        guard !readBefore.isEmpty else { return false }
        return readBefore.contains(try owners.job(of: entry))
    }

    /// Whether the job reads files that were read before.
    var isReread: Bool { !readBefore.isEmpty }

    /// Whether this job last updated the entry, from an earlier record of the same input.
    func isOwn(_ entry: Int64) throws(ETLError) -> Bool { try owners.job(of: entry) == job }

    /// Records that the job updated an entry.
    func note(_ entry: Int64) throws(ETLError) {
        guard ownsWhatItWrites, try owners.owner(of: entry) != job else { return }
        for statement in [renote, noteFirst] {
            statement.bind(1, entry)
            statement.bind(2, job)
            try statement.run()
            if connection.changes > 0 { break }
        }
    }
}

/// Finds the job that last updated an entry.
package struct EntryOwners {
    private let jobStarts: [(firstRow: Int64, job: Int64)]
    private let readUpdated: Statement

    package init(_ connection: Connection) throws(ETLError) {
        let stored = try connection.prepare(
            """
            SELECT r.first_row, iif(j.mode = '\(Job.Mode.fill.rawValue)', -r.job, r.job)
            FROM runs r JOIN jobs j ON j.id = r.job ORDER BY r.id
            """)
        var jobStarts: [(firstRow: Int64, job: Int64)] = []
        while try stored.next() { jobStarts.append((stored.integer(0), stored.integer(1))) }
        self.jobStarts = jobStarts
        readUpdated = try connection.prepare("SELECT job FROM updated_entries WHERE entry = ?1")
    }

    /// The job that last updated an entry, whether it only fills gaps or not; 0 if unknown.
    package func job(of entry: Int64) throws(ETLError) -> Int64 {
        let owner = try owner(of: entry)
        return owner < 0 ? 0 &- owner : owner
    }

    /// The job that last updated an entry; 0 if unknown, negative if the entry was created by a job that only
    /// fills gaps.
    func owner(of entry: Int64) throws(ETLError) -> Int64 {
        readUpdated.bind(1, entry)
        defer { readUpdated.reset() }
        if try readUpdated.next() { return readUpdated.integer(0) }
        let next = jobStarts.indices.partitioningIndex { jobStarts[$0].firstRow > entry }
        return next == 0 ? 0 : jobStarts[next - 1].job
    }
}
