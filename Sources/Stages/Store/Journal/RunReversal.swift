import Database
import System

/// Undoes what runs have written: restores the rows they changed or deleted, and deletes the rows they
/// created.
///
/// Rows that later runs hold (``LaterRuns``) stay as they are, and so do entries that the lineage of a held
/// work may name. A caller that must leave nothing behind first asks whether anything is held. Authors are
/// shared facts: those in use stay.
///
///     gather()        finds the rows
///     rows.apply()    restores and deletes them, in the caller's transaction
///     finish()        drops the temporary tables
struct RunReversal {
    let rows: PlannedRows
    private let connection: Connection
    private let runs: [Run]
    private let later: LaterRuns
    private let history: RunHistory

    /// - Parameters:
    ///   - runs: The runs to undo, in their order.
    ///   - later: The later runs whose effects stay.
    init(_ runs: [Run], keeping later: LaterRuns, of history: RunHistory, in connection: Connection) {
        self.connection = connection
        rows = PlannedRows(connection: connection)
        self.runs = runs
        self.later = later
        self.history = history
    }

    /// The temporary table of the entries that the runs created and that stay, because they are held or
    /// because a held work's lineage may name them.
    static let staying = "staying_entries"

    // MARK: Finding the rows

    /// Finds the rows to delete and to restore. Changes nothing.
    func gather() throws(ETLError) {
        try finish()
        try rows.begin()
        try connection.execute(
            "CREATE TEMP TABLE \(Self.staying)(id INTEGER PRIMARY KEY, is_held INTEGER NOT NULL)")
        for table in JournaledTable.allCases { try gather(table) }
        try gatherRemovedEntries()
        try keepUsed(.editions)
        try keepUsed(.works)
        try keepSources()
        try rows.addDependents()
        try gatherAuthors()
    }

    /// Finds the rows of a table that the runs have touched and that no later run holds. A row that exists
    /// although it did not before goes, like one that the runs created.
    private func gather(_ table: JournaledTable) throws(ETLError) {
        let (key, created) = (table.key, history.created(table, by: runs))
        let kept = "WHERE run IN (\(runs.sqlList)) AND NOT \(later.hold(table, "b.\(key)"))"
        try connection.execute(
            """
            INSERT INTO \(PlannedRows.returning(table)) SELECT \(key), min(run) FROM \(table.images) b
                \(kept) AND NOT \(created.contain("b.\(key)")) GROUP BY \(key);
            INSERT INTO \(PlannedRows.gone(table)) SELECT r.id FROM \(PlannedRows.images(table)) WHERE NOT b.present;
            DELETE FROM \(PlannedRows.returning(table)) WHERE id IN (SELECT id FROM \(PlannedRows.gone(table)));
            """)
        // The contributors of a work go with it. Later rows may have been merged from the same candidates.
        guard table != .contributors, table != .candidates || later.isEmpty else { return }
        try connection.execute(
            """
            INSERT OR IGNORE INTO \(PlannedRows.gone(table))
                SELECT c.id FROM (\(created.ids)) c WHERE NOT \(later.hold(table, "c.id"))
            """)
    }

    /// Finds entries that the runs have created and joined to others. There is no image of them if the store was being
    /// filled.
    private func gatherRemovedEntries() throws(ETLError) {
        let created = history.created(.entries, by: runs)
        try connection.execute(
            """
            INSERT OR IGNORE INTO \(PlannedRows.gone(.removedEntries)) SELECT r.id FROM removed_entries r
                WHERE \(created.contain("r.id")) AND NOT \(later.hold(.removedEntries, "r.id"))
            """)
    }

    /// Keeps the editions or works that other rows refer to.
    private func keepUsed(_ table: JournaledTable) throws(ETLError) {
        for reference in RowReference.all where reference.to == table {
            try connection.execute(
                "DELETE FROM \(PlannedRows.gone(table)) WHERE id IN (\(users(reference.column, of: reference.from, to: table)))"
            )
        }
    }

    /// Keeps the entries whose work stays although the runs created it, or is held: its lineage may name them.
    private func keepSources() throws(ETLError) {
        try connection.execute(
            """
            INSERT INTO \(Self.staying) SELECT id, 1 FROM (\(history.created(.entries, by: runs).ids))
                WHERE id NOT IN (SELECT id FROM gone_entries);
            INSERT OR IGNORE INTO \(Self.staying) SELECT e.id, 0 FROM gone_entries g
                JOIN entries e ON e.id = g.id JOIN editions d ON d.id = e.edition
                WHERE d.work NOT IN (SELECT id FROM gone_works)
                AND (\(history.created(.works, by: runs).contain("d.work")) OR \(later.hold(.works, "d.work")));
            DELETE FROM gone_entries WHERE id IN (SELECT id FROM \(Self.staying));
            DELETE FROM gone_matches WHERE id IN (SELECT id FROM \(Self.staying));
            DELETE FROM gone_superseded_rows WHERE id IN (SELECT id FROM \(Self.staying));
            DELETE FROM gone_editions WHERE id IN
                (SELECT edition FROM entries WHERE id IN (SELECT id FROM \(Self.staying)));
            """)
    }

    /// Keeps the authors that other works name. Authors whom a restored work names, and who were deleted since
    /// because no work named them, come back.
    private func gatherAuthors() throws(ETLError) {
        try connection.execute(
            """
            DELETE FROM gone_authors WHERE id IN (\(users("author", of: .contributors, to: .authors)));
            INSERT OR IGNORE INTO returning_authors SELECT a.id, max(a.run) FROM \(PlannedRows.images(.contributors))
                JOIN \(JournaledTable.authors.images) a ON a.id = b.author
                WHERE a.present AND b.author NOT IN (SELECT id FROM authors) GROUP BY a.id
            """)
    }

    /// Selects the references in a column to rows that may go, of the rows of a table as they will be.
    ///
    /// There is no index on references. Only rows that the runs or later ones created or changed can refer to
    /// a row that the runs created.
    private func users(_ column: String, of table: JournaledTable, to target: JournaledTable) -> String {
        let isConcerned = "u.\(column) IN (SELECT id FROM \(PlannedRows.gone(target)))"
        var rows = ["SELECT u.id, u.\(column) FROM \(table.name) u WHERE \(isConcerned)"]
        if let first = runs.first, first.isKnown, let firstID = table.firstID(of: first.span) {
            rows = [
                rows[0] + " AND u.id >= \(firstID)",
                """
                \(rows[0]) AND u.id < \(firstID)
                AND u.id IN (SELECT id FROM \(table.images) WHERE run >= \(first.id))
                """,
            ]
        }
        return """
            SELECT \(column) FROM (\(rows.joined(separator: " UNION ALL ")))
                WHERE id NOT IN (SELECT id FROM \(PlannedRows.gone(table)))
                AND id NOT IN (SELECT id FROM \(PlannedRows.returning(table)))
            UNION ALL SELECT b.\(column) FROM \(PlannedRows.images(table))
                WHERE b.\(column) IN (SELECT id FROM \(PlannedRows.gone(target)))
            """
    }

    // MARK: References to deleted rows

    /// The jobs that deleted rows to which restored rows refer.
    func jobsThatDeletedReferences() throws(ETLError) -> Set<Int64> {
        var jobs: Set<Int64> = []
        for reference in RowReference.all {
            let deleter = """
                SELECT x.job FROM \(reference.to.images) i JOIN runs x ON x.id = i.run
                WHERE i.id = b.\(reference.column) AND i.present ORDER BY i.run DESC LIMIT 1
                """
            let read = try connection.prepare(
                "SELECT DISTINCT (\(deleter)) FROM \(PlannedRows.images(reference.from)) WHERE \(isDangling(reference))"
            )
            while try read.next() { jobs.insert(read.integer(0)) }
        }
        return jobs
    }

    /// Leaves rows as they are that would refer to deleted rows.
    func keepRowsWithoutReferences() throws(ETLError) {
        for reference in RowReference.all.reversed() {
            try connection.execute(
                """
                DELETE FROM \(PlannedRows.returning(reference.from)) WHERE id IN
                    (SELECT r.id FROM \(PlannedRows.images(reference.from)) WHERE \(isDangling(reference)))
                """)
        }
    }

    private func isDangling(_ reference: RowReference) -> String {
        """
        b.\(reference.column) NOT IN (SELECT id FROM \(reference.to.name))
            AND b.\(reference.column) NOT IN (SELECT id FROM \(PlannedRows.returning(reference.to)))
        """
    }

    // MARK: Changing them

    /// Deletes the before-images of the rows that were restored or deleted. The runs are then as if they had
    /// not happened.
    func dropImages() throws(ETLError) {
        for table in JournaledTable.allCases {
            for rows in [PlannedRows.returning(table), PlannedRows.gone(table)] {
                try connection.execute(
                    """
                    DELETE FROM \(table.images)
                    WHERE run IN (\(runs.sqlList)) AND \(table.key) IN (SELECT id FROM \(rows))
                    """)
            }
        }
    }

    func finish() throws(ETLError) {
        try rows.finish()
        try connection.execute("DROP TABLE IF EXISTS temp.\(Self.staying)")
    }
}
