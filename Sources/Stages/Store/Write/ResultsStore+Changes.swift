import Database
package import System

/// Changes to be undone.
package struct UndoRequest: Sendable, Hashable {
    /// Names of the jobs.
    package var jobs: [String]
    /// Whether to undo later jobs that have built on them as well.
    package var withLater: Bool
    /// The name of the undo's own job.
    package var name: String

    package init(jobs: [String], withLater: Bool = false, name: String) {
        self.jobs = jobs
        self.withLater = withLater
        self.name = name
    }
}

/// Changes by an undo, or by the removal of a library.
package struct LibraryChange: Sendable, Hashable {
    /// Its own job. Undoing it restores everything. Nil if nothing was changed.
    package var job: Job?
    /// The jobs that were undone, newest first.
    package var undone: [Job]
    /// The jobs that are in effect again, if an undo was undone.
    package var redone: [Job]
    package var rows: RowCounts
}

/// Changes of stored rows that are jobs of their own, each in one transaction. A kill leaves the library as it
/// was before or as it is after.
extension ResultsStore {
    /// Takes jobs back.
    ///
    /// - Throws: `.missing` if there is no such job; `.usage` if a job is undone, or its changes are not
    ///   known; `.conflict` if later jobs have built on it; `.temporary` if the run is stopped meanwhile.
    package func undo(_ request: UndoRequest) throws(ETLError) -> LibraryChange {
        try connection.interrupting(at: lockWaitPolicy.stop) { () throws(ETLError) in
            try change { (keys) throws(ETLError) in try undo(request, keys) }
        }
    }

    private func undo(_ request: UndoRequest, _ keys: ReversedKeys) throws(ETLError) -> LibraryChange {
        let targets = try UndoTargets.gathered(
            request.jobs, withLater: request.withLater, keys, in: connection)
        var change = try targets.change
        var options = JobOptions.none
        options.undoes = targets.jobs.map(\.id)
        let job = try jobTable.createChange(
            request.name, pipeline: Job.undoPipeline, options, JobRunState(rows: change.rows),
            library: targets.jobs.first?.library ?? JobOptions.defaultLibrary,
            now: clock.epochMilliseconds())
        try apply(targets.reversal.rows, keys, hasOthers: targets.hasLater, as: job)
        try targets.note(undoneBy: job)
        change.job = job
        try targets.finish()
        return change
    }

    /// Removes the entries of a library and what only they use. Its jobs count as undone.
    ///
    /// - Parameters:
    ///   - library: The name of the library.
    ///   - name: The name of the removal's own job.
    ///   - isDryRun: Whether to find out what would happen and change nothing.
    /// - Throws: `.missing` if there is no such library.
    package func forget(
        _ library: String, as name: String, isDryRun: Bool = false
    ) throws(ETLError) -> LibraryChange {
        try change { (keys) throws(ETLError) in
            let id = try LibraryNames(connection).id(of: library)
            let jobs = try jobTable.all().filter {
                $0.library == library && $0.undoneBy == nil && $0.hasRecords
            }
            let removal = LibraryRemoval(
                of: id, try RunHistory(connection),
                in: connection)
            var options = JobOptions.none
            options.forgets = true
            return try remove(
                removal, undoing: jobs, as: name, pipeline: Job.forgetPipeline, options, library: library,
                isDryRun: isDryRun
            ) { () throws(ETLError) in try keys.apply(removal.rows, hasOthers: true) }
        }
    }

    /// Removes the rows that a removal finds, as a separate job.
    ///
    /// - Parameters:
    ///   - jobs: The jobs that count as undone.
    ///   - apply: Removes the rows. Returns whether the key indexes in memory are current.
    func remove(
        _ removal: LibraryRemoval, undoing jobs: [Job] = [], as name: String, pipeline: String,
        _ options: JobOptions, library: String, isDryRun: Bool, _ apply: () throws(ETLError) -> Bool
    ) throws(ETLError) -> LibraryChange {
        try removal.gather()
        var change = LibraryChange(job: nil, undone: jobs, redone: [], rows: try removal.rows.counts())
        if !isDryRun {
            let job = try jobTable.createChange(
                name, pipeline: pipeline, options, JobRunState(rows: change.rows), library: library,
                now: clock.epochMilliseconds())
            try inRun(of: job, apply)
            try jobTable.note(jobs, undoneBy: job.id)
            change.job = job
        }
        try removal.rows.finish()
        return change
    }

    /// Deletes and restores rows in the only run of a job.
    private func apply(
        _ rows: PlannedRows, _ keys: ReversedKeys, hasOthers: Bool, as job: Job
    ) throws(ETLError) {
        try inRun(of: job) { () throws(ETLError) in try keys.apply(rows, hasOthers: hasOthers) }
    }

    /// Changes rows in the only run of a job.
    ///
    /// - Parameter body: Returns whether the key indexes in memory are current.
    func inRun(of job: Job, _ body: () throws(ETLError) -> Bool) throws(ETLError) {
        lock.writeJobName(job.name)
        let run = try RunTable(connection).begin(
            job: job.id, afterRow: tables.indexes.lastRow, author: tables.indexes.lastAuthor,
            now: clock.epochMilliseconds())
        let journal = try Journal(connection, for: run, keepingInserts: true)
        let areKeysCurrent = try body()
        try Journal.end(in: connection)
        withExtendedLifetime(journal) {}
        if areKeysCurrent {
            tables.books.forget()
            tables.spellings.removeAll()
            try tables.indexes.flush()
        } else {
            tables = try LibraryTables(connection, limits: limits)
        }
    }

    /// Changes stored rows in one transaction, which is rolled back if `body` throws.
    func change<Result>(
        _ body: (ReversedKeys) throws(ETLError) -> Result
    ) throws(ETLError) -> Result {
        if let broken { throw broken }
        try StoreFile.finishFilling(connection)
        try connection.begin()
        do throws(ETLError) {
            let result = try body(
                ReversedKeys(
                    connection: connection, indexes: tables.indexes, mostRemoved: limits.keysRemoved))
            observe?(.beforeCommit(batch: 0))
            try connection.commit()
            observe?(.afterCommit(batch: 0))
            return result
        } catch {
            connection.rollBack()
            // The indexes in memory no longer match the disk.
            broken = error
            throw error
        }
    }
}
