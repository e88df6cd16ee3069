import Database

/// Takes back what a job has stored, so that it is run again from its start with the answers it now has: a record that
/// was committed while a service was silent then becomes what it would have become at once (design decision 5).
///
/// Taken back are the entries the job has created, with the editions, works and authors that nobody else uses. What it
/// only brought up to date stays and is brought up to date again, and so do entries whose work is somebody else's too:
/// the work's lineage names them. What a later job has brought up to date since stays as that one left it
/// (``EntryWriters``). Entries of the job's own that stay count as created again (``PreviouslyCreated``). What was chosen in
/// a review is remembered apart from jobs, and comes again.
///
/// All of it is part of the transaction in which the job is run again (``ResultsStore/rewind()``).
struct JobRollback {
    let connection: Connection
    private let job: Int64
    private let isFilling: Bool
    private let owners: EntryWriters

    init(_ job: Job, in connection: Connection) throws(SQLiteError) {
        self.connection = connection
        self.job = job.id
        isFilling = job.mode == .fill
        owners = try EntryWriters(connection, of: job)
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
            DELETE FROM record_runs WHERE job = \(job);
            DELETE FROM pending WHERE job = \(job);
            DELETE FROM rejects WHERE job = \(job);
            DELETE FROM notices WHERE job = \(job);
            """)
        try Reviews(connection).forgetOpen(ofJob: job)
        // A store that holds nothing begins anew: answers of services are kept elsewhere.
        if try connection.integer("SELECT count(*) FROM works") == 0 {
            try connection.execute("DELETE FROM candidates")
        }
        // To take so many keys out of their blocks would cost more than to make all again from the rows that are left,
        // as after a kill.
        for keys in Self.keyTables { try connection.execute("DELETE FROM \(keys)") }
        try connection.execute(
            """
            UPDATE jobs SET status = 'processing', file = 0, byte = 0, line = 1, record = 1, tail_digest = NULL,
                created = 0, updated = 0, duplicates = 0, rejected = 0, enriched = 0, with_isbn = 0,
                isbn_matches = 0, lost_answers = 0, ended_at = NULL, failure = NULL
            WHERE id = \(job)
            """)
        for table in Self.tables { try connection.execute("DROP TABLE IF EXISTS temp.\(table)") }
    }

    /// The contribution of an entry that the job has brought up to date already, and is to do so again.
    static let forgottenContribution: Int64 = 0

    private static let keyTables = [
        "work_keys", "edition_isbns", "edition_keys", "author_keys", "entry_keys", "candidate_keys",
        "key_blocks",
        "key_runs", "flushed",
    ]

    private static let tables = ["gone_entries", "gone_editions", "gone_works", "gone_authors"]

    /// Finds out what nobody but the job uses.
    private func gather() throws(SQLiteError) {
        for table in Self.tables {
            try connection.execute("CREATE TEMP TABLE \(table)(id INTEGER PRIMARY KEY)")
        }
        try PreviouslyCreated.begin(in: connection)
        let stay = try connection.prepare("INSERT OR IGNORE INTO \(PreviouslyCreated.table) VALUES (?1, 1)")
        let insert = try connection.prepare("INSERT OR IGNORE INTO gone_entries(id) VALUES (?1)")
        // An entry brought up to date is brought up to date once more: what it said last must not look the same.
        let forget = try connection.prepare(
            "UPDATE entries SET contribution = \(Self.forgottenContribution) WHERE id = ?1")
        let runs = try RecordOutcomesReader(connection, of: job)
        while let run = try runs.next() {
            for record in run.records {
                let statement: Statement
                switch record.outcome {
                case .created, .pending: statement = try owners.isLater(record.entry) ? stay : insert
                // What is filled already is not filled again, and stays what the newer export has made of it.
                case .updated:
                    let isCorrected =
                        try isFilling
                        ? owners.isOfSameFiles(record.entry) : !owners.isLater(record.entry)
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

/// Entries that a job which is run again has created the first time, and that have stayed (``JobRollback``): the record that
/// comes to one of them first counts as created again, whatever else it is.
struct PreviouslyCreated {
    static let table = "temp.created_before"

    private let remove: Statement
    private let connection: Connection

    /// - Returns: nil where no job is run again.
    init?(_ connection: Connection) throws(SQLiteError) {
        let there = try connection.integer(
            "SELECT count(*) FROM sqlite_temp_master WHERE name = 'created_before'")
        guard there != 0 else { return nil }
        self.connection = connection
        remove = try connection.prepare("DELETE FROM \(Self.table) WHERE id = ?1")
    }

    /// Begins with none.
    static func begin(in connection: Connection) throws(SQLiteError) {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(table)(id INTEGER PRIMARY KEY, is_later INTEGER NOT NULL DEFAULT 0);
            DELETE FROM \(table)
            """)
    }

    /// Forgets them all, after ``begin(in:)``: the job is through.
    static func end(in connection: Connection) throws(SQLiteError) {
        try connection.execute("DELETE FROM \(table)")
    }

    /// Whether an entry is one of them; the next record that comes to it is another mention.
    func take(_ entry: Int64) throws(SQLiteError) -> Bool {
        remove.bind(1, entry)
        try remove.run()
        return connection.changes > 0
    }
}
