import Database

/// Keeps rows of the library as they were before a run changed or deleted them.
///
/// Each run keeps the *before-image* of a row once, before its first change. Rows that the run itself created
/// need none: their ids are above those that existed before. So a run is taken back by deleting the rows it
/// created and restoring those it kept (``RunReversal``), and the state of a row after a run is the next
/// before-image of the row, or the row itself.
///
/// Triggers of the writing connection keep the images, so no statement can change a row unnoticed. They do
/// not exist while an empty store is filled. Only the contributors that a stored work gets have to be noted
/// (``noteContributors(_:ofWork:)``): a trigger on their insertion would slow down every import.
struct Journal {
    private let connection: Connection
    private let run: RunTable.Run
    private let noteAbsent: Statement?

    /// Starts to keep images for a run. Ends keeping those of an earlier run on the same connection.
    ///
    /// - Parameter keepingInserts: Whether rows with ids of earlier runs are inserted, as when a run is taken
    ///   back.
    init(_ connection: Connection, for run: RunTable.Run, keepingInserts: Bool = false) throws(SQLiteError) {
        self.connection = connection
        self.run = run
        try Self.end(in: connection)
        guard run.firstRow > 1 else {
            noteAbsent = nil
            return
        }
        let span = RunSpan(firstRow: run.firstRow, firstAuthor: run.firstAuthor ?? 1)
        for table in JournaledTable.allCases {
            let first = table.firstID(of: span)
            let columns = try table.columns(in: connection)
            for event in Event.allCases {
                if event == .insert, first != nil, !keepingInserts { continue }
                try connection.execute(
                    Self.trigger(event, on: table, columns: columns, before: first, run: run.id))
            }
        }
        noteAbsent = try connection.prepare(
            Self.keepAbsent(.contributors, id: "?1", run: run.id))
    }

    /// Stops keeping images.
    static func end(in connection: Connection) throws(SQLiteError) {
        for table in JournaledTable.allCases {
            for event in Event.allCases {
                try connection.execute("DROP TRIGGER IF EXISTS temp.\(event.trigger(on: table))")
            }
        }
    }

    /// Notes the contributors that a work is about to get, before any of its present ones is deleted.
    ///
    /// - Parameter count: The number of its contributors from then on.
    func noteContributors(_ count: Int, ofWork work: Int64) throws(SQLiteError) {
        guard let noteAbsent, work < run.firstRow else { return }
        for position in 0..<count {
            noteAbsent.bind(1, ContributorIDs.id(work: work, position: position))
            try noteAbsent.run()
        }
    }

    // MARK: Statements

    private enum Event: String, CaseIterable {
        case insert, update, delete

        func trigger(on table: JournaledTable) -> String { "journal_\(table.name)_\(rawValue)" }
    }

    private static func trigger(
        _ event: Event, on table: JournaledTable, columns: [String], before first: Int64?, run: Int64
    ) -> String {
        let key = table.key
        let row = event == .insert ? "NEW" : "OLD"
        let condition = first.map { "WHEN \(row).\(key) < \($0)" } ?? ""
        let keepRow = "\(keepPresent(table, columns: columns, run: run));"
        let body =
            switch event {
            // An insert can replace a row.
            case .insert:
                "\(keepStored(table, columns: columns, id: "NEW.\(key)", run: run));\n"
                    + "\(keepAbsent(table, id: "NEW.\(key)", run: run));"
            case .delete: keepRow
            // A row that moves to another id is new there.
            case .update where table == .contributors:
                "\(keepRow)\n\(keepAbsent(table, id: "NEW.\(key)", run: run, if: "NEW.\(key) <> OLD.\(key)"));"
            case .update: keepRow
            }
        return """
            CREATE TEMP TRIGGER \(event.trigger(on: table)) BEFORE \(event.rawValue) ON main.\(table.name) \(condition)
            BEGIN
            \(body)
            END
            """
    }

    // The conflict clause of the statement that fires a trigger would replace one here.
    private static func isNew(_ table: JournaledTable, id: String, run: Int64) -> String {
        "NOT EXISTS (SELECT 1 FROM \(table.images) i WHERE i.\(table.key) = \(id) AND i.run = \(run))"
    }

    /// Keeps the row that a trigger is about.
    private static func keepPresent(_ table: JournaledTable, columns: [String], run: Int64) -> String {
        """
        INSERT INTO \(table.images)(run, present, \(columns.joined(separator: ", ")))
        SELECT \(run), 1, \(columns.map { "OLD.\($0)" }.joined(separator: ", "))
        WHERE \(isNew(table, id: "OLD.\(table.key)", run: run))
        """
    }

    /// Keeps the stored row with an id, if there is one.
    private static func keepStored(
        _ table: JournaledTable, columns: [String], id: String, run: Int64
    ) -> String {
        """
        INSERT INTO \(table.images)(run, present, \(columns.joined(separator: ", ")))
        SELECT \(run), 1, \(columns.joined(separator: ", ")) FROM \(table.name)
        WHERE \(table.key) = \(id) AND \(isNew(table, id: id, run: run))
        """
    }

    /// Keeps that there is no row with an id.
    private static func keepAbsent(
        _ table: JournaledTable, id: String, run: Int64, if condition: String = "true"
    ) -> String {
        """
        INSERT INTO \(table.images)(run, present, \(table.key)) SELECT \(run), 0, \(id)
        WHERE \(condition) AND \(isNew(table, id: id, run: run))
            AND NOT EXISTS (SELECT 1 FROM \(table.name) t WHERE t.\(table.key) = \(id))
        """
    }
}
