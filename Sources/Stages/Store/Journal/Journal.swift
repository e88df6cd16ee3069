import Database
import System

/// Keeps rows of the library as they were before a run changed or deleted them.
///
/// Each run keeps the *before-image* of a row once, before its first change. Rows that the run itself created
/// need none: their ids are above those that existed before. So a run is undone by deleting the rows it
/// created and restoring those it kept (``RunReversal``), and the state of a row after a run is the next
/// before-image of the row, or the row itself (`PastRows`).
///
/// Triggers of the writing connection keep the images, so no statement can change a row unnoticed. They do
/// not exist while an empty store is filled. Only the contributors that a stored work gets must be noted
/// (``noteContributors(_:ofWork:)``): a trigger on their insertion would slow down every import.
struct Journal {
    private let run: Run
    private let noteAbsent: Statement?

    /// Starts to keep images for a run. Ends keeping those of an earlier run on the same connection.
    ///
    /// - Parameter keepingInserts: Whether rows with ids of earlier runs are inserted, as when a run is taken
    ///   back.
    init(_ connection: Connection, for run: Run, keepingInserts: Bool = false) throws(ETLError) {
        self.run = run
        try Self.end(in: connection)
        guard run.firstRow > 1 else {
            noteAbsent = nil
            return
        }
        for table in JournaledTable.allCases {
            let images = RowImages(
                of: table, run: run.id, before: table.firstID(of: run.span),
                columns: try table.columns(in: connection))
            for event in Event.allCases {
                if event == .insert, images.first != nil, !table.isOfEntries, !keepingInserts { continue }
                try connection.execute(
                    """
                    CREATE TEMP TRIGGER \(event.trigger(on: table)) BEFORE \(event.rawValue) ON main.\(table.name)
                    \(images.condition(of: event)) BEGIN \(images.statements(for: event)) END
                    """)
            }
        }
        let contributors = RowImages(of: .contributors, run: run.id, before: nil, columns: [])
        noteAbsent = try connection.prepare(contributors.keepAbsent("?1"))
    }

    /// Stops keeping images.
    static func end(in connection: Connection) throws(ETLError) {
        for table in JournaledTable.allCases {
            for event in Event.allCases {
                try connection.execute("DROP TRIGGER IF EXISTS temp.\(event.trigger(on: table))")
            }
        }
    }

    /// Notes the contributors that a work is about to get, before any of its present ones is deleted.
    ///
    /// - Parameter count: The number of its contributors from then on.
    func noteContributors(_ count: Int, ofWork work: Int64) throws(ETLError) {
        guard let noteAbsent, work < run.firstRow else { return }
        for position in 0..<count {
            try noteAbsent.run(ContributorIDs.id(work: work, position: position))
        }
    }
}

private enum Event: String, CaseIterable {
    case insert, update, delete

    func trigger(on table: JournaledTable) -> String { "journal_\(table.name)_\(rawValue)" }
}

/// The SQL that keeps before-images of a table's rows for a run.
private struct RowImages {
    let table: JournaledTable
    let run: Int64
    /// Rows from this id on were created by the run; nil if ids do not say that.
    let first: Int64?
    let columns: [String]

    init(of table: JournaledTable, run: Int64, before first: Int64?, columns: [String]) {
        self.table = table
        self.run = run
        self.first = first
        self.columns = columns
    }

    /// The condition of a trigger.
    func condition(of event: Event) -> String {
        guard let first else { return "" }
        return switch event {
        case .insert: "WHEN NEW.\(table.key) < \(first)"
        case .delete: "WHEN OLD.\(table.key) < \(first)"
        case .update where movesRows: "WHEN OLD.\(table.key) < \(first) OR NEW.\(table.key) < \(first)"
        case .update: "WHEN OLD.\(table.key) < \(first)"
        }
    }

    /// The statements of a trigger.
    func statements(for event: Event) -> String {
        switch event {
        // An insert can replace a row.
        case .insert: "\(keepStored("NEW.\(table.key)")); \(keepAbsent("NEW.\(table.key)"));"
        case .delete: "\(keepOld);"
        // A row that moves to another id is new there.
        case .update where movesRows: "\(keepOld); \(keepAbsent("NEW.\(table.key)"));"
        case .update: "\(keepOld);"
        }
    }

    /// Whether updates can give rows other ids. When works are merged, contributors and edits move.
    private var movesRows: Bool { table == .contributors || table == .edits }

    // The conflict clause of the statement that fires a trigger replaces the one here. With it, SQLite keeps no pages
    // for undoing a single statement (``JournaledTable/update``).
    private func isNew(_ id: String) -> String {
        let isOld = first.map { "\(id) < \($0) AND " } ?? ""
        return isOld
            + "NOT EXISTS (SELECT 1 FROM \(table.images) i WHERE i.\(table.key) = \(id) AND i.run = \(run))"
    }

    /// Keeps the row that a trigger is about.
    private var keepOld: String {
        """
        INSERT OR ROLLBACK INTO \(table.images)(run, present, \(columns.joined(separator: ", ")))
        SELECT \(run), 1, \(columns.map { "OLD.\($0)" }.joined(separator: ", ")) WHERE \(isNew("OLD.\(table.key)"))
        """
    }

    /// Keeps the stored row with an id, if there is one.
    private func keepStored(_ id: String) -> String {
        """
        INSERT OR ROLLBACK INTO \(table.images)(run, present, \(columns.joined(separator: ", ")))
        SELECT \(run), 1, \(columns.joined(separator: ", ")) FROM \(table.name)
        WHERE \(table.key) = \(id) AND \(isNew(id))
        """
    }

    /// Keeps that there is no row with an id.
    func keepAbsent(_ id: String) -> String {
        """
        INSERT OR ROLLBACK INTO \(table.images)(run, present, \(table.key)) SELECT \(run), 0, \(id)
        WHERE \(isNew(id)) AND NOT EXISTS (SELECT 1 FROM \(table.name) t WHERE t.\(table.key) = \(id))
        """
    }
}
