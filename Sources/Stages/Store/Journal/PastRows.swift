package import Database
package import System

/// Rows of a table as they were at the end of a run: the next before-image of each row, or the row itself if
/// no later run changed it.
package struct PastRows {
    private let image: Statement
    private let current: Statement
    /// Rows from this id on were created later; nil if there are none, or if ids do not say that.
    private let firstLater: Int64?
    private let presence: Int32

    /// - Parameters:
    ///   - columns: The columns to read, in this order.
    ///   - run: The run's id; 0 for the state before all runs. What later runs changed must be known.
    package init(
        of table: JournaledTable, _ columns: [String], after run: Int64, _ history: RunHistory,
        in connection: Connection
    ) throws(ETLError) {
        let list = columns.joined(separator: ", ")
        image = try connection.query(
            """
            SELECT \(list), present FROM \(table.images) WHERE \(table.key) = ?1 AND run > \(run) ORDER BY run LIMIT 1
            """)
        current = try connection.query("SELECT \(list), 1 FROM \(table.name) WHERE \(table.key) = ?1")
        presence = Int32(columns.count)
        firstLater = history.runs.first { $0.id > run }.flatMap { table.firstID(of: $0.span) }
    }

    /// Passes a row to a closure; nil if there was none.
    package func read<Result>(
        _ id: Int64, _ body: (Statement) throws(ETLError) -> Result
    ) throws(ETLError) -> Result? {
        if let firstLater, id >= firstLater { return nil }
        image.bind(1, id)
        current.bind(1, id)
        return try read(body)
    }

    /// Passes the row of a text key to a closure; nil if there was none.
    package func read<Result>(
        key: String, _ body: (Statement) throws(ETLError) -> Result
    ) throws(ETLError) -> Result? {
        image.bind(1, key)
        current.bind(1, key)
        return try read(body)
    }

    private func read<Result>(
        _ body: (Statement) throws(ETLError) -> Result
    ) throws(ETLError) -> Result? {
        for rows in [image, current] {
            defer { rows.reset() }
            guard try rows.next() else { continue }
            return rows.integer(presence) != 0 ? try body(rows) : nil
        }
        return nil
    }
}

/// Consecutive runs, and the rows that they created, changed or deleted.
package struct RunInterval: Sendable {
    /// The run before the first one; 0 if there is none.
    package let before: Int64
    /// The last run.
    package let last: Int64
    private let history: RunHistory

    /// - Parameters:
    ///   - before: The id of the run before the first one; 0 if there is none.
    ///   - last: The id of the last run.
    package init(after before: Int64, through last: Int64, of history: RunHistory) {
        self.before = before
        self.last = last
        self.history = history
    }

    /// Whether the changes of the runs and of all later ones are known.
    package var isKnown: Bool { history.runs.allSatisfy { $0.id <= before || $0.isKnown } }

    /// The SQL query for the ids of a table's rows that the runs created, changed or deleted, and of some that
    /// they only created and deleted again.
    package func touched(_ table: JournaledTable) -> String {
        let runs = history.runs.filter { $0.id > before && $0.id <= last }
        let created = history.created(table, by: runs)
        return """
            SELECT \(table.key) AS id FROM \(table.images) WHERE run > \(before) AND run <= \(last)
            UNION \(created.ids)
            UNION SELECT \(table.key) FROM \(table.images) WHERE run > \(last) AND \(created.contain(table.key))
            """
    }

    /// The rows at the end of the run before, and at the end of the last one.
    package func states(
        of table: JournaledTable, _ columns: [String], in connection: Connection
    ) throws(ETLError) -> (before: PastRows, after: PastRows) {
        (
            try PastRows(of: table, columns, after: before, history, in: connection),
            try PastRows(of: table, columns, after: last, history, in: connection)
        )
    }
}

extension RunHistory {
    /// The runs of a job. If other jobs wrote between them, each period is a separate interval.
    package func intervals(of job: Job) -> [RunInterval] {
        var intervals: [RunInterval] = []
        var before: Int64 = 0
        for (index, run) in runs.enumerated() {
            let isLast = index + 1 == runs.count || runs[index + 1].job != job.id
            if run.job == job.id, isLast {
                intervals.append(RunInterval(after: before, through: run.id, of: self))
            }
            if run.job != job.id { before = run.id }
        }
        return intervals
    }
}
