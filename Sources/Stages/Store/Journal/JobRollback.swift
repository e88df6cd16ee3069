import Database
import System

/// Undoes what a job stored, so that it can be run again from its start with all answers. A record stored
/// while a service was silent then gets the result it would have with the answer (Decision 0010).
///
/// The job's runs are undone (``RunReversal``), except for what later jobs hold. Entries that the job
/// created and that stay count as created again (``PreviouslyCreated``). Decisions in reviews are not stored
/// with jobs and are applied again.
///
/// All of this belongs to the transaction in which the job is run again (``ResultsStore/beginRollback()``).
struct JobRollback {
    let connection: Connection
    private let job: Job

    init(_ job: Job, in connection: Connection) {
        self.connection = connection
        self.job = job
    }

    func run() throws(ETLError) {
        // What is deleted here was written by the job itself.
        try Journal.end(in: connection)
        let history = try RunHistory(connection)
        let own = history.runs(of: [job.id])
        let first = own.first?.id ?? .max
        let later = LaterRuns(
            history.runs.filter { $0.job != job.id && $0.id > first }, than: own, of: history, in: connection)
        let reversal = RunReversal(own, keeping: later, of: history, in: connection)
        try later.gather()
        try reversal.gather()
        try reversal.keepRowsWithoutReferences()
        try PreviouslyCreated.begin(in: connection)
        try reversal.rows.apply()
        try reversal.dropImages()
        try reversal.finish()
        try later.finish()
        for table in ["record_runs", "pending", "rejects", "warnings"] {
            try connection.execute("DELETE FROM \(table) WHERE job = ?1", job.id)
        }
        try Reviews(connection).forgetOpen(ofJob: job.id)
        // Removing this many keys from their blocks would cost more than rebuilding all indexes from the
        // remaining rows, as after a kill.
        try LibraryIndexes.clear(in: connection)
        try connection.execute(
            """
            UPDATE jobs SET status = 'processing', file = 0, byte = 0, line = 1, record = 1, tail_digest = NULL,
                created = 0, updated = 0, duplicates = 0, rejected = 0, enriched = 0, with_isbn = 0,
                isbn_matches = 0, lost_answers = 0, unused_answers = 0, ended_at = NULL, failure = NULL,
                run_state = json_remove(run_state, '$.joined')
            WHERE id = ?1
            """, job.id)
    }
}

/// Entries that a job created before it was rolled back and that stayed (``JobRollback``). The first record
/// about one of them counts as created again, whatever else it is.
struct PreviouslyCreated {
    static let table = "temp.created_before"

    private let remove: Statement
    private let connection: Connection

    /// - Returns: nil if no job is being run again.
    init?(_ connection: Connection) throws(ETLError) {
        let there = try connection.integer(
            "SELECT count(*) FROM sqlite_temp_master WHERE name = 'created_before'")
        guard there != 0 else { return nil }
        self.connection = connection
        remove = try connection.prepare("DELETE FROM \(Self.table) WHERE id = ?1")
    }

    /// Takes over the entries that a reversal leaves behind.
    static func begin(in connection: Connection) throws(ETLError) {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(table)(id INTEGER PRIMARY KEY);
            DELETE FROM \(table);
            INSERT INTO \(table) SELECT id FROM \(RunReversal.staying)
            """)
    }

    /// Empties the table when the job is complete.
    static func end(in connection: Connection) throws(ETLError) {
        try connection.execute("DELETE FROM \(table)")
    }

    /// Whether an entry is one of them. Removes it, so that the next record about it counts as a duplicate.
    func take(_ entry: Int64) throws(ETLError) -> Bool {
        try remove.run(entry)
        return connection.changes > 0
    }
}
