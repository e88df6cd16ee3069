import Database

/// Takes back what runs have written: restores the rows they changed or deleted, and deletes the rows they
/// created.
///
/// Rows are *held* by a later job that changed them, refers to them, or has a record about them. Held rows
/// stay as they are, and so do entries that the lineage of a held work may name. A caller that must leave
/// nothing behind first asks whether anything is held (``LaterUses``). Authors are shared facts: those in use
/// stay.
///
///     gather()    finds the rows, in temporary tables
///     apply()     restores and deletes them, in the caller's transaction
///     finish()    drops the temporary tables
struct RunReversal {
    let connection: Connection
    private let runs: String
    private let later: LaterRuns
    private let spans: RunSpans

    /// - Parameters:
    ///   - runs: The runs to take back, in their order.
    ///   - later: The later runs whose effects stay.
    ///   - all: All runs of the store.
    init(
        _ runs: [RunTable.Run], keeping later: [RunTable.Run], of all: [RunTable.Run],
        in connection: Connection
    ) {
        self.connection = connection
        self.runs = runs.sqlList
        self.later = LaterRuns(later, in: connection)
        spans = RunSpans(of: runs, among: all)
    }

    /// The temporary table of a table's rows that are deleted, by id.
    static func gone(_ table: JournaledTable) -> String { "gone_\(table.name)" }
    /// The temporary table of a table's rows that are restored: the row's key, and the run that kept it.
    static func returning(_ table: JournaledTable) -> String { "returning_\(table.name)" }
    /// The temporary table of the entries that the runs created and that stay, because they are held or
    /// because a held work's lineage may name them.
    static let staying = "staying_entries"

    // MARK: Finding the rows

    /// Finds the rows to delete and to restore. Changes nothing.
    func gather() throws(SQLiteError) {
        try finish()
        try later.gather()
        for table in JournaledTable.allCases {
            let key = "b.\(table.key)"
            try connection.execute(
                """
                CREATE TEMP TABLE \(Self.gone(table))(id PRIMARY KEY) WITHOUT ROWID;
                CREATE TEMP TABLE \(Self.returning(table))(id PRIMARY KEY, run INTEGER NOT NULL) WITHOUT ROWID;
                INSERT INTO \(Self.returning(table)) SELECT \(key), min(run) FROM \(table.images) b
                    WHERE run IN (\(runs)) AND NOT \(spans.contain(table, key))
                    AND NOT \(later.hold(table, key)) GROUP BY \(key);
                """)
        }
        try gatherCreated()
    }

    /// Finds the created rows that nothing else uses. Editions are used by entries, works by editions.
    ///
    /// The restored rows count as they will be: `present_…` have the references of rows that will exist.
    private func gatherCreated() throws(SQLiteError) {
        func created(_ table: JournaledTable) -> String {
            "\(spans.contain(table, "id")) AND NOT \(later.hold(table, "\(table.name).id"))"
        }
        try connection.execute(
            """
            INSERT INTO gone_entries SELECT id FROM entries WHERE \(created(.entries));
            INSERT INTO gone_editions SELECT id FROM editions WHERE \(created(.editions));
            DELETE FROM gone_editions WHERE id IN (\(references("edition", of: .entries)));
            INSERT INTO gone_works SELECT id FROM works WHERE \(created(.works));
            DELETE FROM gone_works WHERE id IN (\(references("work", of: .editions)));
            CREATE TEMP TABLE \(Self.staying)(id INTEGER PRIMARY KEY, is_held INTEGER NOT NULL);
            INSERT INTO \(Self.staying) SELECT id, 1 FROM entries
                WHERE \(spans.contain(.entries, "id")) AND id NOT IN (SELECT id FROM gone_entries);
            INSERT INTO \(Self.staying) SELECT e.id, 0 FROM gone_entries g
                JOIN entries e ON e.id = g.id JOIN editions d ON d.id = e.edition
                WHERE d.work NOT IN (SELECT id FROM gone_works)
                AND (\(spans.contain(.works, "d.work")) OR \(later.hold(.works, "d.work")));
            DELETE FROM gone_entries WHERE id IN (SELECT id FROM \(Self.staying));
            DELETE FROM gone_editions WHERE id IN
                (SELECT edition FROM entries WHERE id IN (SELECT id FROM \(Self.staying)));
            INSERT INTO gone_contributors SELECT id FROM contributors
                WHERE \(spans.contain(.contributors, "id"))
                AND \(ContributorIDs.work()) IN (SELECT id FROM gone_works);
            INSERT INTO gone_aliases SELECT key FROM aliases WHERE work IN (SELECT id FROM gone_works);
            INSERT INTO gone_updated_entries
                SELECT entry FROM updated_entries WHERE entry IN (SELECT id FROM gone_entries);
            INSERT INTO gone_authors SELECT id FROM authors WHERE \(created(.authors));
            DELETE FROM gone_authors WHERE id IN (\(references("author", of: .contributors)));
            """)
        // Later rows may have been merged from the same candidates.
        if later.isEmpty {
            try connection.execute(
                "INSERT INTO gone_candidates SELECT id FROM candidates WHERE \(spans.contain(.candidates, "id"))")
        }
    }

    /// Selects the references in a column, of the rows of a table as they will be.
    private func references(_ column: String, of table: JournaledTable) -> String {
        """
        SELECT \(column) FROM \(table.name) WHERE id NOT IN (SELECT id FROM \(Self.gone(table)))
            AND id NOT IN (SELECT id FROM \(Self.returning(table)))
        UNION SELECT b.\(column) FROM \(Self.returning(table)) r
            JOIN \(table.images) b ON b.id = r.id AND b.run = r.run WHERE b.present
        """
    }

    // MARK: Changing them

    /// Restores and deletes the rows.
    func apply() throws(SQLiteError) {
        for table in JournaledTable.allCases {
            let columns = try table.columns(in: connection).joined(separator: ", ")
            let key = table.key
            try connection.execute(
                """
                DELETE FROM \(table.name) WHERE \(key) IN (SELECT id FROM \(Self.gone(table)));
                DELETE FROM \(table.name) WHERE \(key) IN (SELECT id FROM \(Self.returning(table)));
                INSERT INTO \(table.name)(\(columns)) SELECT \(columns) FROM \(table.images)
                    WHERE present AND (\(key), run) IN (SELECT id, run FROM \(Self.returning(table)));
                """)
        }
    }

    /// Deletes the before-images of the restored rows. The runs are then as if they had not happened.
    func dropImages() throws(SQLiteError) {
        for table in JournaledTable.allCases {
            try connection.execute(
                """
                DELETE FROM \(table.images) WHERE run IN (\(runs))
                    AND (\(table.key) IN (SELECT id FROM \(Self.returning(table)))
                        OR \(table.key) IN (SELECT id FROM \(Self.gone(table))));
                """)
        }
    }

    func finish() throws(SQLiteError) {
        for table in JournaledTable.allCases {
            try connection.execute(
                """
                DROP TABLE IF EXISTS temp.\(Self.gone(table));
                DROP TABLE IF EXISTS temp.\(Self.returning(table));
                """)
        }
        try connection.execute("DROP TABLE IF EXISTS temp.\(Self.staying)")
        try later.finish()
    }
}

/// The rows that runs created: ranges of ids.
struct RunSpans {
    private let spans: [(first: RunSpan, next: RunSpan?)]

    init(of runs: [RunTable.Run], among all: [RunTable.Run]) {
        let ids = Set(runs.map(\.id))
        spans = all.indices.filter { ids.contains(all[$0].id) }.map { index in
            let next = all[(index + 1)...].first
            return (all[index].span, next?.span)
        }
    }

    /// The SQL condition for the rows of a table that the runs created. False for tables without numbered
    /// rows.
    func contain(_ table: JournaledTable, _ id: String) -> String {
        let ranges = spans.compactMap { span -> String? in
            guard let first = table.firstID(of: span.first) else { return nil }
            let end = span.next.flatMap { table.firstID(of: $0) }
            return end.map { "\(id) >= \(first) AND \(id) < \($0)" } ?? "\(id) >= \(first)"
        }
        return ranges.isEmpty ? "false" : "(\(ranges.joined(separator: " OR ")))"
    }
}

extension RunTable.Run {
    /// A run of an earlier version counts as having created no authors.
    fileprivate var span: RunSpan { RunSpan(firstRow: firstRow, firstAuthor: firstAuthor ?? .max) }
}

extension [RunTable.Run] {
    /// Their ids, for use in an SQL list.
    var sqlList: String { map { "\($0.id)" }.joined(separator: ", ") }
}
