import Database

/// The runs after those that are taken back, and the rows they hold: rows that they changed, and entries that
/// their jobs have records about.
struct LaterRuns {
    private static let entries = "later_entries"

    private let connection: Connection
    private let runs: [RunTable.Run]
    private var list: String { runs.sqlList }

    init(_ runs: [RunTable.Run], in connection: Connection) {
        self.runs = runs
        self.connection = connection
    }

    var isEmpty: Bool { runs.isEmpty }

    /// Finds the entries of the jobs' records, in a temporary table.
    func gather() throws(SQLiteError) {
        try finish()
        try connection.execute(
            """
            CREATE TEMP TABLE \(Self.entries)(id INTEGER, job INTEGER, PRIMARY KEY(id, job)) WITHOUT ROWID
            """)
        let insert = try connection.prepare("INSERT OR IGNORE INTO temp.\(Self.entries) VALUES (?1, ?2)")
        for job in Set(runs.map(\.job)).sorted() {
            let outcomes = try PackedOutcomesReader(connection, of: job)
            while let run = try outcomes.next() {
                for record in run.records {
                    insert.bind(1, record.entry)
                    insert.bind(2, job)
                    try insert.run()
                }
            }
        }
    }

    /// Drops the temporary table.
    func finish() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS temp.\(Self.entries)")
    }

    /// The SQL condition for the rows of a table that the runs hold.
    func hold(_ table: JournaledTable, _ id: String) -> String {
        guard !runs.isEmpty else { return "false" }
        let isChanged = Self.isChanged(table, id, by: list)
        return switch table {
        case .entries: "(\(isChanged) OR EXISTS (SELECT 1 FROM \(Self.entries) l WHERE l.id = \(id)))"
        // The list of a work's contributors belongs to the work.
        case .contributors: "(\(isChanged) OR \(hold(.works, "\(id) >> \(ContributorIDs.bits)")))"
        default: isChanged
        }
    }

    private static func isChanged(_ table: JournaledTable, _ id: String, by runs: String) -> String {
        "EXISTS (SELECT 1 FROM \(table.images) i WHERE i.\(table.key) = \(id) AND i.run IN (\(runs)))"
    }

    /// The jobs of these runs that have built on other runs: that hold rows which those created or changed,
    /// or have rows that refer to them. Authors and candidates are shared and do not count.
    ///
    /// - Parameters:
    ///   - others: The runs that are to be taken back.
    ///   - all: All runs of the store.
    func jobs(
        holdingRowsOf others: [RunTable.Run], among all: [RunTable.Run]
    ) throws(SQLiteError) -> Set<Int64> {
        guard !runs.isEmpty else { return [] }
        let (own, created) = (RunSpans(of: runs, among: all), RunSpans(of: others, among: all))
        func isTouched(_ table: JournaledTable, _ id: String) -> String {
            "(\(created.contain(table, id)) OR \(Self.isChanged(table, id, by: others.sqlList)))"
        }
        var selects = [
            "SELECT DISTINCT l.job FROM \(Self.entries) l WHERE \(isTouched(.entries, "l.id"))"
        ]
        for table in JournaledTable.allCases where ![.authors, .candidates].contains(table) {
            selects.append(
                """
                SELECT DISTINCT r.job FROM \(table.images) l JOIN runs r ON r.id = l.run
                WHERE l.run IN (\(list)) AND \(isTouched(table, "l.\(table.key)"))
                """)
        }
        let references: [(from: JournaledTable, column: String, to: JournaledTable)] = [
            (.entries, "edition", .editions), (.editions, "work", .works),
        ]
        for (from, column, to) in references {
            selects.append(
                """
                SELECT DISTINCT \(RunTable.job(ofRow: "n.id")) FROM \(from.name) n
                WHERE \(own.contain(from, "n.id")) AND \(isTouched(to, "n.\(column)"))
                """)
        }
        var jobs: Set<Int64> = []
        for select in selects {
            let read = try connection.prepare(select)
            while try read.step() { jobs.insert(read.integer(0)) }
        }
        return jobs
    }
}
