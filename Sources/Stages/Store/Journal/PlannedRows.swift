import Database
import System

/// The rows that a change of the library will delete and restore, in temporary tables: a reversal of runs
/// (``RunReversal``) or the removal of a library (``LibraryRemoval``).
///
///     begin()     creates the temporary tables, to be filled
///     apply()     deletes and restores the rows, in the caller's transaction
///     finish()    drops the temporary tables
struct PlannedRows {
    let connection: Connection

    /// The temporary table of a table's rows that are deleted, by id.
    static func gone(_ table: JournaledTable) -> String { "gone_\(table.name)" }

    /// The temporary table of a table's rows that are restored: the row's key, and the run that kept it.
    static func returning(_ table: JournaledTable) -> String { "returning_\(table.name)" }

    /// The images of a table's rows that are restored, as an SQL join: the image is `b`.
    static func images(_ table: JournaledTable) -> String {
        "temp.\(returning(table)) r JOIN \(table.images) b ON b.\(table.key) = r.id AND b.run = r.run"
    }

    /// The temporary table of authors that are not restored, because another row has their key since.
    static let replacedAuthors = "replaced_authors"

    func begin() throws(ETLError) {
        try finish()
        for table in JournaledTable.allCases {
            try connection.execute(
                """
                CREATE TEMP TABLE \(Self.gone(table))(id PRIMARY KEY) WITHOUT ROWID;
                CREATE TEMP TABLE \(Self.returning(table))(id PRIMARY KEY, run INTEGER NOT NULL) WITHOUT ROWID;
                """)
        }
        try connection.execute(
            "CREATE TEMP TABLE \(Self.replacedAuthors)(id INTEGER PRIMARY KEY, other INTEGER NOT NULL)")
    }

    /// Plans to delete what belongs to the works and entries that go.
    func addDependents() throws(ETLError) {
        try connection.execute(
            """
            INSERT OR IGNORE INTO gone_contributors SELECT c.id FROM gone_works g
                JOIN contributors c ON \(ContributorIDs.condition(work: "g.id", alias: "c."));
            INSERT OR IGNORE INTO gone_aliases SELECT key FROM aliases WHERE work IN (SELECT id FROM gone_works);
            INSERT OR IGNORE INTO gone_updated_entries
                SELECT entry FROM updated_entries WHERE entry IN (SELECT id FROM gone_entries);
            """)
        for table in JournaledTable.allCases where table.isOfEntries {
            try connection.execute(
                """
                INSERT OR IGNORE INTO \(Self.gone(table))
                    SELECT entry FROM \(table.name) WHERE entry IN (SELECT id FROM gone_entries)
                """)
        }
        for part in EditableField.Part.allCases {
            try connection.execute(
                """
                INSERT OR IGNORE INTO gone_edits SELECT e.id FROM \(Self.gone(part.table)) g
                    JOIN edits e ON \(EditIDs.condition("e.id", row: "g.id", part))
                """)
        }
    }

    func apply() throws(ETLError) {
        try Refreshes.drop(
            where: "edition IN (SELECT id FROM \(Self.gone(.editions)))", in: connection)
        for table in JournaledTable.allCases {
            let columns = try table.columns(in: connection)
            let values = columns.map { column in
                table == .contributors && column == "author"
                    ? "ifnull((SELECT other FROM \(Self.replacedAuthors) p WHERE p.id = b.author), b.author)"
                    : "b.\(column)"
            }
            let key = table.key
            try connection.execute(
                """
                DELETE FROM \(table.name) WHERE \(key) IN (SELECT id FROM \(Self.gone(table)));
                DELETE FROM \(table.name) WHERE \(key) IN (SELECT id FROM \(Self.returning(table)));
                INSERT INTO \(table.name)(\(columns.joined(separator: ", ")))
                    SELECT \(values.joined(separator: ", ")) FROM \(Self.images(table));
                """)
        }
    }

    /// The number of rows of a table that are deleted or restored.
    func count(_ table: JournaledTable) throws(ETLError) -> RowCounts.Count {
        RowCounts.Count(
            deleted: Int(try connection.integer("SELECT count(*) FROM temp.\(Self.gone(table))") ?? 0),
            restored: Int(try connection.integer("SELECT count(*) FROM temp.\(Self.returning(table))") ?? 0))
    }

    func counts() throws(ETLError) -> RowCounts {
        RowCounts(
            works: try count(.works), editions: try count(.editions), authors: try count(.authors),
            entries: try count(.entries))
    }

    func finish() throws(ETLError) {
        for table in JournaledTable.allCases {
            try connection.execute(
                """
                DROP TABLE IF EXISTS temp.\(Self.gone(table));
                DROP TABLE IF EXISTS temp.\(Self.returning(table));
                """)
        }
        try connection.execute("DROP TABLE IF EXISTS temp.\(Self.replacedAuthors)")
    }
}
