import Database

/// Undoes what a job stored, so that it can be run again from its start with all answers. A record that was
/// stored while a service was silent then becomes what it would have become with the answer (Decision 0010).
///
/// Deletes the entries that the job created, with the editions, works and authors that nothing else uses.
/// Some entries stay: those the job only updated, and those whose work others use as well, because the work's
/// lineage names them. They are updated again. Entries that a later job updated stay as that job left them
/// (``EntryWriters``). Entries that the job created and that stay count as created again
/// (``PreviouslyCreated``). Decisions in reviews are not stored with jobs and are applied again.
///
/// All of this belongs to the transaction in which the job is run again (``ResultsStore/beginRollback()``).
struct JobRollback {
    let connection: Connection
    private let job: Int64
    private let isFilling: Bool
    private let writers: EntryWriters

    init(_ job: Job, in connection: Connection) throws(SQLiteError) {
        self.connection = connection
        self.job = job.id
        isFilling = job.mode == .fill
        writers = try EntryWriters(connection, of: job)
    }

    func run() throws(SQLiteError) {
        try gather()
        for table in ["entries", "editions", "works", "authors"] {
            try connection.execute("DELETE FROM \(table) WHERE id IN (SELECT id FROM gone_\(table))")
        }
        try connection.execute(
            """
            DELETE FROM contributors WHERE \(ContributorIDs.work()) IN (SELECT id FROM gone_works);
            DELETE FROM aliases WHERE work IN (SELECT id FROM gone_works);
            DELETE FROM updated_entries WHERE entry IN (SELECT id FROM gone_entries);
            DELETE FROM matches WHERE entry IN (SELECT id FROM gone_entries);
            DELETE FROM record_runs WHERE job = \(job);
            DELETE FROM pending WHERE job = \(job);
            DELETE FROM rejects WHERE job = \(job);
            DELETE FROM notices WHERE job = \(job);
            """)
        try Reviews(connection).forgetOpen(ofJob: job)
        // An empty store starts over. Cached answers are in another table.
        if try connection.integer("SELECT count(*) FROM works") == 0 {
            try connection.execute("DELETE FROM candidates")
        }
        // Removing so many keys from their blocks would cost more than rebuilding all indexes from the
        // remaining rows, as after a kill.
        for keys in Self.keyTables { try connection.execute("DELETE FROM \(keys)") }
        try connection.execute(
            """
            UPDATE jobs SET status = 'processing', file = 0, byte = 0, line = 1, record = 1, tail_digest = NULL,
                created = 0, updated = 0, duplicates = 0, rejected = 0, enriched = 0, with_isbn = 0,
                isbn_matches = 0, lost_answers = 0, unused_answers = 0, ended_at = NULL, failure = NULL
            WHERE id = \(job)
            """)
        for table in Self.tables { try connection.execute("DROP TABLE IF EXISTS temp.\(table)") }
    }

    /// A contribution no record has. Marks entries that the job must update again.
    static let forgottenContribution: Int64 = 0

    private static let keyTables = [
        "work_keys", "edition_isbns", "edition_keys", "author_keys", "entry_keys", "candidate_keys",
        "key_blocks",
        "key_runs", "flushed",
    ]

    private static let tables = ["gone_entries", "gone_editions", "gone_works", "gone_authors"]

    /// Finds the rows that only the job uses.
    private func gather() throws(SQLiteError) {
        for table in Self.tables {
            try connection.execute("CREATE TEMP TABLE \(table)(id INTEGER PRIMARY KEY)")
        }
        try PreviouslyCreated.begin(in: connection)
        let stay = try connection.prepare("INSERT OR IGNORE INTO \(PreviouslyCreated.table) VALUES (?1, 1)")
        let insert = try connection.prepare("INSERT OR IGNORE INTO gone_entries(id) VALUES (?1)")
        // An updated entry is updated again, so its last contribution must not look unchanged.
        let forget = try connection.prepare(
            "UPDATE entries SET contribution = \(Self.forgottenContribution) WHERE id = ?1")
        let runs = try PackedOutcomesReader(connection, of: job)
        while let run = try runs.next() {
            for record in run.records {
                let statement: Statement
                switch record.outcome {
                case .created, .pending: statement = try writers.isLater(record.entry) ? stay : insert
                // Filled gaps are not filled again; they stay as the newer export left them.
                case .updated:
                    let isCorrected =
                        try isFilling
                        ? writers.isOfSameFiles(record.entry) : !writers.isLater(record.entry)
                    guard isCorrected else { continue }
                    statement = forget
                case .duplicate, .rejected: continue
                }
                statement.bind(1, record.entry)
                try statement.run()
            }
        }
        try connection.execute(
            """
            INSERT INTO gone_editions SELECT edition FROM entries
                GROUP BY edition HAVING count(*) = sum(id IN (SELECT id FROM gone_entries));
            INSERT INTO gone_works SELECT work FROM editions
                GROUP BY work HAVING count(*) = sum(id IN (SELECT id FROM gone_editions));
            INSERT INTO gone_authors SELECT author FROM contributors
                GROUP BY author HAVING count(*) = sum(\(ContributorIDs.work()) IN (SELECT id FROM gone_works));
            INSERT OR IGNORE INTO \(PreviouslyCreated.table) SELECT entries.id, 0
                FROM gone_entries JOIN entries USING (id) JOIN editions ON editions.id = entries.edition
                WHERE editions.work NOT IN (SELECT id FROM gone_works);
            DELETE FROM gone_entries WHERE id IN (SELECT id FROM \(PreviouslyCreated.table));
            """)
        try connection.execute(
            """
            UPDATE entries SET contribution = \(Self.forgottenContribution)
            WHERE id IN (SELECT id FROM \(PreviouslyCreated.table) WHERE NOT is_later)
            """)
    }
}

/// Entries that a job created before it was rolled back and that stayed (``JobRollback``). The first record
/// about one of them counts as created again, whatever else it is.
struct PreviouslyCreated {
    static let table = "temp.created_before"

    private let remove: Statement
    private let connection: Connection

    /// - Returns: nil if no job is being run again.
    init?(_ connection: Connection) throws(SQLiteError) {
        let there = try connection.integer(
            "SELECT count(*) FROM sqlite_temp_master WHERE name = 'created_before'")
        guard there != 0 else { return nil }
        self.connection = connection
        remove = try connection.prepare("DELETE FROM \(Self.table) WHERE id = ?1")
    }

    /// Creates the empty table.
    static func begin(in connection: Connection) throws(SQLiteError) {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(table)(id INTEGER PRIMARY KEY, is_later INTEGER NOT NULL DEFAULT 0);
            DELETE FROM \(table)
            """)
    }

    /// Empties the table when the job is complete.
    static func end(in connection: Connection) throws(SQLiteError) {
        try connection.execute("DELETE FROM \(table)")
    }

    /// Whether an entry is one of them. Removes it, so that the next record about it counts as a duplicate.
    func take(_ entry: Int64) throws(SQLiteError) -> Bool {
        remove.bind(1, entry)
        try remove.run()
        return connection.changes > 0
    }
}
