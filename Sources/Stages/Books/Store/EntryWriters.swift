import Bytes
import Database

/// Which job has last brought each entry up to date. A job that is gone on with, mended or taken up after a later one
/// takes nothing back from what that one has written: it only fills gaps there, as an older export does.
///
/// Rows are only ever appended, so a sitting of a job, from its taking the store up to the next job's, is known by its
/// first row. An entry that another job has brought up to date since is noted by itself.
struct EntryWriters {
    private let job: Int64
    /// A job that only fills gaps owns nothing: whoever knows better may correct it.
    private let ownsWhatItWrites: Bool
    /// Whether a later job has written anything that this one could take back.
    private let hasLater: Bool
    /// Jobs that have read the same files before.
    private let readBefore: Set<Int64>
    private let jobStarts: [(firstRow: Int64, job: Int64)]
    private let readUpdated: Statement
    private let noteUpdated: Statement

    static let tables = """
        -- Rows of entries from one on, up to the next, were written by a job; its id is negative where it only fills gaps.
        CREATE TABLE sittings(first_row INTEGER PRIMARY KEY, job INTEGER NOT NULL);
        -- Entries that a job has brought up to date which did not write them.
        CREATE TABLE updated_entries(entry INTEGER PRIMARY KEY, job INTEGER NOT NULL)
        """

    init(_ connection: Connection, of job: Job) throws(SQLiteError) {
        self.job = job.id
        ownsWhatItWrites = job.mode == .update
        readBefore = Set(job.terms?.readBefore ?? [])
        hasLater = try connection.integer("SELECT 1 FROM jobs WHERE id > \(job.id) LIMIT 1") != nil
        let stored = try connection.prepare("SELECT first_row, job FROM sittings ORDER BY first_row")
        var jobStarts: [(firstRow: Int64, job: Int64)] = []
        while try stored.step() { jobStarts.append((stored.integer(0), stored.integer(1))) }
        self.jobStarts = jobStarts
        readUpdated = try connection.prepare("SELECT job FROM updated_entries WHERE entry = ?1")
        noteUpdated = try connection.prepare("INSERT OR REPLACE INTO updated_entries VALUES (?1, ?2)")
    }

    /// Notes that the rows from here on are the job's.
    ///
    /// - Parameter last: The last row there is. A sitting that began behind it has nothing left.
    static func begin(_ job: Job, after last: Int64, in connection: Connection) throws(SQLiteError) {
        try connection.execute(
            """
            DELETE FROM sittings WHERE first_row > \(last);
            INSERT INTO sittings VALUES (\(last + 1), \(job.mode == .update ? job.id : -job.id))
            """)
    }

    /// Whether a later job has brought an entry up to date: to this one it is not to be corrected.
    func isLater(_ entry: Int64) throws(SQLiteError) -> Bool {
        guard hasLater else { return false }
        return try owner(of: entry) > job
    }

    /// Whether what an entry holds was made of the same files when they were read before: whatever else is newer, it is
    /// this job's to correct.
    func isOfSameFiles(_ entry: Int64) throws(SQLiteError) -> Bool {
        guard !readBefore.isEmpty else { return false }
        return try readBefore.contains(abs(owner(of: entry)))
    }

    /// Whether what an entry holds was written by this job: by an earlier record of the same input.
    func isOwn(_ entry: Int64) throws(SQLiteError) -> Bool { try abs(owner(of: entry)) == job }

    /// Notes that the job has brought an entry up to date.
    func note(_ entry: Int64) throws(SQLiteError) {
        guard ownsWhatItWrites, try owner(of: entry) != job else { return }
        noteUpdated.bind(1, entry)
        noteUpdated.bind(2, job)
        try noteUpdated.run()
    }

    /// The job that has last brought an entry up to date; 0 where that is not known, negative where the job that made
    /// the entry only fills gaps.
    private func owner(of entry: Int64) throws(SQLiteError) -> Int64 {
        readUpdated.bind(1, entry)
        defer { readUpdated.reset() }
        if try readUpdated.step() { return readUpdated.integer(0) }
        let next = jobStarts.indices.partitioningIndex { jobStarts[$0].firstRow > entry }
        return next == 0 ? 0 : jobStarts[next - 1].job
    }
}
