import Database
package import Pipeline

/// What is to be taken back.
package struct UndoRequest: Sendable, Hashable {
    /// Names of the jobs.
    package var jobs: [String]
    /// Whether to take back later jobs that have built on them as well.
    package var withLater: Bool
    /// The name of the undo's own job.
    package var name: String
    /// Whether to find out what would happen and change nothing.
    package var isDryRun: Bool

    package init(jobs: [String], withLater: Bool = false, name: String, isDryRun: Bool = false) {
        self.jobs = jobs
        self.withLater = withLater
        self.name = name
        self.isDryRun = isDryRun
    }
}

/// What was taken back.
package struct Undone: Sendable, Hashable {
    /// The undo's own job. Taking it back restores everything.
    package var job: Job
    /// The jobs that were taken back, newest first.
    package var undone: [Job]
    /// The jobs that are in effect again, if an undo was taken back.
    package var redone: [Job]
    package var rows: ReversedRows
}

/// Taking back what jobs have stored.
extension ResultsStore {
    /// Takes jobs back, as a job of its own and in one transaction. A kill leaves the library as it was before
    /// or as it is after.
    ///
    /// - Throws: `.missing` if there is no such job; `.usage` if a job is undone, or what it changed is not
    ///   known; `.conflict` if later jobs have built on it.
    package func undo(_ request: UndoRequest) throws(StageFailure) -> Undone {
        if let broken { throw broken }
        try SQLiteError.reported { () throws(SQLiteError) in
            try StoreFile.finishFilling(connection)
            try connection.begin()
        }
        do throws(StageFailure) {
            let undone = try takeBack(request)
            guard request.isDryRun else {
                try SQLiteError.reported { () throws(SQLiteError) in try connection.commit() }
                return undone
            }
            connection.rollBack()
            return undone
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private func takeBack(_ request: UndoRequest) throws(StageFailure) -> Undone {
        let targets = try UndoTargets(request.jobs, withLater: request.withLater, in: connection)
        let job = try jobTable.createUndo(
            of: targets.jobs, named: request.name, now: clock.epochMilliseconds())
        let reversal = targets.reversal
        let keys = ReversedKeys(connection: connection, indexes: tables.indexes)
        let rows = try SQLiteError.reported { () throws(SQLiteError) in
            let run = try RunTable(connection).begin(
                job: job.id, afterRow: tables.indexes.lastRow, author: tables.indexes.lastAuthor)
            tables.journal = try Journal(connection, for: run, keepingInserts: true)
            try reversal.gather()
            return try ReversedRows(connection)
        }
        let others = try SQLiteError.reported { () throws(SQLiteError) in
            try keys.jobsWithKeys(ofRestored: reversal, from: targets.firstRow)
        }
        guard others.isEmpty else { throw targets.replaced(by: others) }
        try SQLiteError.reported { () throws(SQLiteError) in
            let areKeysCurrent = try keys.apply(reversal, hasLater: targets.hasLater)
            try reversal.finish()
            try Journal.end(in: connection)
            try targets.note(undoneBy: job)
            tables = areKeysCurrent ? tables : try LibraryTables(connection, limits: limits.indexes)
            tables.journal = nil
            try tables.indexes.flush()
        }
        return Undone(job: job, undone: targets.jobs, redone: targets.redone, rows: rows)
    }
}
