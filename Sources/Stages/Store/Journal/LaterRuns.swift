import Database
import System

/// Runs that were begun after those that are undone, and whose effects stay. They *hold* rows that they
/// changed, and entries that their jobs have records about.
struct LaterRuns {
    private static let entries = "later_entries"

    private let connection: Connection
    private let history: RunHistory
    private let runs: [Run]
    /// The runs that are undone.
    private let reversed: [Run]

    /// - Parameters:
    ///   - runs: Runs whose effects stay.
    ///   - reversed: The runs that are undone.
    init(_ runs: [Run], than reversed: [Run], of history: RunHistory, in connection: Connection) {
        self.runs = runs
        self.reversed = reversed
        self.history = history
        self.connection = connection
    }

    var isEmpty: Bool { runs.isEmpty }

    /// Finds the entries that the reversed runs have touched and that the jobs have records about, in a
    /// temporary table.
    func gather() throws(ETLError) {
        try finish()
        try connection.execute(
            """
            CREATE TEMP TABLE \(Self.entries)(id INTEGER, job INTEGER, PRIMARY KEY(id, job)) WITHOUT ROWID
            """)
        let insert = try connection.prepare("INSERT OR IGNORE INTO temp.\(Self.entries) VALUES (?1, ?2)")
        let created = history.created(.entries, by: reversed)
        let changed = try changedEntries()
        for job in Set(runs.map(\.job)).sorted() {
            let outcomes = try PackedOutcomesReader(connection, of: job)
            while let run = try outcomes.next() {
                for entry in run.records.lazy.map(\.entry)
                where created.contains(entry) || changed.contains(entry) {
                    try insert.run(entry, job)
                }
            }
        }
    }

    private func changedEntries() throws(ETLError) -> RowSet {
        var changed = RowSet()
        let read = try connection.prepare(
            "SELECT id FROM \(JournaledTable.entries.images) WHERE run IN (\(reversed.sqlList))")
        while try read.next() { changed.insert(read.integer(0)) }
        return changed
    }

    /// Drops the temporary table.
    func finish() throws(ETLError) {
        try connection.execute("DROP TABLE IF EXISTS temp.\(Self.entries)")
    }

    /// The SQL condition for the rows of a table, among those that the reversed runs have touched, that these
    /// runs hold.
    ///
    /// - Parameter id: The row's id with the alias of its table: the tables of the condition have columns `id`, too.
    func hold(_ table: JournaledTable, _ id: String) -> String {
        guard !runs.isEmpty else { return "false" }
        var isChanged = Self.isChanged(table, id, by: runs)
        // A lock changes no other row.
        if let part = EditableField.Part.allCases.first(where: { $0.table == table }) {
            isChanged = "(\(isChanged) OR \(Self.isEdited(part, id, by: runs)))"
        }
        return switch table {
        case .entries: "(\(isChanged) OR EXISTS (SELECT 1 FROM \(Self.entries) l WHERE l.id = \(id)))"
        case .matches, .supersededRows: "(\(isChanged) OR \(hold(.entries, id)))"
        // The list of a work's contributors belongs to the work.
        case .contributors: "(\(isChanged) OR \(hold(.works, "\(id) >> \(ContributorIDs.bits)")))"
        default: isChanged
        }
    }

    private static func isChanged(_ table: JournaledTable, _ id: String, by runs: [Run]) -> String {
        """
        EXISTS (SELECT 1 FROM \(table.images) i WHERE i.\(table.key) = \(id) AND i.run IN (\(runs.sqlList)))
        """
    }

    /// The condition for rows whose fields some runs have set, locked or unlocked.
    private static func isEdited(_ part: EditableField.Part, _ id: String, by runs: [Run]) -> String {
        """
        EXISTS (SELECT 1 FROM \(JournaledTable.edits.images) i
            WHERE \(EditIDs.condition("i.id", row: id, part)) AND i.run IN (\(runs.sqlList)))
        """
    }

    /// The jobs of these runs that have built on the reversed ones: that hold rows which those created or
    /// changed, or have rows that refer to them. Authors and candidates are shared: only an author that both
    /// have changed counts.
    func jobsBuiltOn() throws(ETLError) -> Set<Int64> {
        guard !runs.isEmpty else { return [] }
        func isTouched(_ table: JournaledTable, _ id: String) -> String {
            let isCreated = table == .authors ? "false" : history.created(table, by: reversed).contain(id)
            return "(\(isCreated) OR \(Self.isChanged(table, id, by: reversed)))"
        }
        var selects = ["SELECT DISTINCT job FROM temp.\(Self.entries)"]
        for table in JournaledTable.allCases where table != .candidates && table != .leftEditions {
            selects.append(
                """
                SELECT DISTINCT r.job FROM \(table.images) l JOIN runs r ON r.id = l.run
                WHERE l.run IN (\(runs.sqlList)) AND \(isTouched(table, "l.\(table.key)"))
                """)
        }
        for part in EditableField.Part.allCases {
            let codes = part.codes
            selects.append(
                """
                SELECT DISTINCT r.job FROM \(JournaledTable.edits.images) l JOIN runs r ON r.id = l.run
                WHERE l.run IN (\(runs.sqlList)) AND l.id & 255 BETWEEN \(codes.lowerBound) AND \(codes.upperBound - 1)
                AND \(isTouched(part.table, EditIDs.row(of: "l.id")))
                """)
        }
        for reference in RowReference.all {
            let created = history.created(reference.from, by: runs)
            selects.append(
                """
                SELECT DISTINCT \(Self.job(ofRow: "n.id")) FROM (\(created.ids)) c
                CROSS JOIN \(reference.from.name) n ON n.id = c.id
                WHERE \(isTouched(reference.to, "n.\(reference.column)"))
                """)
        }
        var jobs: Set<Int64> = []
        for select in selects {
            let read = try connection.prepare(select)
            while try read.next() { jobs.insert(read.integer(0)) }
        }
        return jobs
    }

    /// The job that created a row of works, editions or entries, as SQL.
    private static func job(ofRow id: String) -> String {
        "(SELECT job FROM runs WHERE first_row <= \(id) ORDER BY runs.id DESC LIMIT 1)"
    }
}

/// A column that refers to rows of another table.
struct RowReference: Sendable {
    let from: JournaledTable
    let column: String
    let to: JournaledTable

    static let all = [
        RowReference(from: .entries, column: "edition", to: .editions),
        RowReference(from: .editions, column: "work", to: .works),
    ]
}
