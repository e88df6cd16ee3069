import Books
package import Database
package import Pipeline
package import System

/// A results store that is open for writing: one connection and one writer, on its own queue.
///
/// Results, rejects, counts and checkpoint of a batch share one transaction. After its commit the process may
/// be killed at any time; the next run continues after that batch.
package actor ResultsStore {
    /// A moment at which a test can examine the store's files as a kill would leave them.
    package enum CommitPoint: Sendable, Hashable {
        /// Within a transaction, after a batch was written.
        case written
        /// Before any commit, also of a transaction that writes no batch.
        case committing
        case beforeCommit(batch: Int)
        case afterCommit(batch: Int)
    }

    nonisolated let executor: QueueExecutor
    nonisolated package var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let lock: StoreLock
    /// Nil if the store was opened in WAL mode.
    private let earlyWriting: EarlyWriteback?
    let connection: Connection
    /// Wait policy while another program has the store locked.
    let lockWaitPolicy: LockWaitPolicy
    var tables: LibraryTables
    /// Row ids of a job's records.
    nonisolated package let numbers = RowNumbers()
    let limits: Limits
    let answers: AnswerTable
    /// Nil while the store is filled for the first time.
    nonisolated let reader: AnswerReader?
    let jobTable: JobTable
    let clock: any RunClock
    let observe: (@Sendable (CommitPoint) -> Void)?

    var current: (job: Job, writer: BatchWriter)?
    private var asksServices = false
    var layouts: [String: Int64] = [:]
    private var commits = 0
    /// Outcomes of the records written in the open transaction; nil if none is open.
    private var uncommitted: BatchCounts?
    /// Set when a transaction failed, because the indexes in memory then no longer match the disk.
    var broken: ETLError?

    private let updateJob: Statement

    /// Opens a store for writing, and creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - lock: The store's lock; nil to take it now.
    ///   - policy: Wait policy while another program has the store locked.
    ///   - admitsReaders: Whether an empty store, too, can be read while it is filled.
    /// - Throws: `.temporary` if another run is writing to it.
    package init(
        _ path: String, limits: Limits = Limits(), clock: any RunClock = SystemClock(),
        holding lock: StoreLock? = nil, waiting policy: LockWaitPolicy = LockWaitPolicy(),
        admittingReaders admitsReaders: Bool = false,
        observingCommits observe: (@Sendable (CommitPoint) -> Void)? = nil
    ) throws(ETLError) {
        lockWaitPolicy = policy
        executor = QueueExecutor(label: "results-store")
        self.clock = clock
        self.observe = observe
        self.lock = if let lock { lock } else { try StoreLock(store: path) }
        connection = try StoreFile.openForWriting(path, waiting: policy, admittingReaders: admitsReaders)
        if let observe { connection.observeCommits { observe(.committing) } }
        jobTable = JobTable(connection)
        self.limits = limits
        tables = try LibraryTables(connection, limits: limits)
        answers = try AnswerTable(connection)
        let isInWAL = try connection.string("PRAGMA journal_mode") == "wal"
        reader = isInWAL ? try AnswerReader(path) : nil
        earlyWriting = isInWAL ? nil : EarlyWriteback(connection)
        updateJob = try connection.prepare(
            """
            UPDATE jobs SET file=coalesce(?2, file), byte=coalesce(?3, byte), line=coalesce(?4, line),
            record=coalesce(?5, record), tail_digest=CASE WHEN ?2 IS NULL THEN tail_digest ELSE ?6 END,
            created=created+?7, updated=updated+?8, duplicates=duplicates+?9, rejected=rejected+?10,
            enriched=enriched+?11, with_isbn=with_isbn+?12, isbn_matches=isbn_matches+?13, updated_at=?14
            WHERE id=?1
            """)
    }

    // MARK: Jobs

    /// Starts or resumes the requested job. The following batches belong to it.
    ///
    /// - Parameter asksServices: Whether this run asks services.
    package func begin(_ request: JobRequest, asksServices: Bool = false) throws(ETLError) -> Job {
        self.asksServices = asksServices
        let job = try connection.transaction { () throws(ETLError) in
            let job = try jobTable.start(request, now: clock.epochMilliseconds())
            try take(job)
            return job
        }
        if job.checkpoint == .start {
            try tables.indexes.mergeIfManyAreLookedUp()
        }
        return job
    }

    func take(_ job: Job, corrections: Bool = false) throws(ETLError) {
        lock.writeJobName(job.name)
        numbers.begin(after: tables.indexes.lastRow)
        let run = try RunTable(connection).begin(
            job: job.id, afterRow: tables.indexes.lastRow, author: tables.indexes.lastAuthor,
            now: clock.epochMilliseconds())
        tables.journal = try Journal(connection, for: run)
        tables.locked = try LockedFields(connection)
        let library = try connection.integer("SELECT library FROM jobs WHERE id = ?1", job.id) ?? 0
        try beginKeyspace(of: library)
        let writer = try BatchWriter(
            tables: tables, job: job, library: library, isCorrection: corrections,
            asksServices: asksServices, clock: clock)
        current = (job, writer)
    }

    /// Has works and editions found and added in the keyspace of a library.
    private func beginKeyspace(of library: Int64) throws(ETLError) {
        let indexes = tables.indexes
        indexes.keyspace = try LibraryNames(connection).keyspace(ofLibrary: library)
        try indexes.keyspaces.begin(indexes.keyspace, atRow: indexes.lastRow + 1)
    }

    /// The services that a job has asked in any of its runs.
    package func servicesAsked(by job: Job) throws(ETLError) -> Set<String> {
        try JobServices(connection: connection).names(of: job)
    }

    /// Notes the services that the job asks in this run.
    package func noteAsking(_ services: Set<String>) throws(ETLError) {
        guard let current else { return }
        try JobServices(connection: connection).note(services, of: current.job)
    }

    /// Notes the catalogs that the job asks in this run, in addition to those of earlier runs.
    package func note(_ catalogs: [CatalogReference]) throws(ETLError) {
        guard let current, let job = try jobTable.job(named: current.job.name) else { return }
        var state = job.runState
        let known = state.catalogs ?? []
        let new = catalogs.filter { !known.contains($0) }
        guard !new.isEmpty else { return }
        state.catalogs = known + new
        try jobTable.keep(state, of: job)
    }

    /// Notes how far the job was when its error budgets were exceeded.
    package func note(_ spent: BudgetBaseline) throws(ETLError) {
        try changeRunState { $0.budgetBaseline = spent }
    }

    /// Notes what the job waits for from now on; nil for nothing.
    package func note(_ pause: JobPause?) throws(ETLError) { try changeRunState { $0.pause = pause } }

    /// Notes what a run of the job has measured.
    package func note(_ metrics: RunMetrics) throws(ETLError) {
        try changeRunState { $0.metrics = metrics }
    }

    func changeRunState(_ change: (inout JobRunState) -> Void) throws(ETLError) {
        guard let job = try storedJob() else { return }
        var state = job.runState
        change(&state)
        if state != job.runState { try jobTable.keep(state, of: job) }
    }

    /// Writes rows in memory to disk, and notes how the job ended.
    package func end(
        _ status: JobState, failure: String? = nil, busyMilliseconds: Int64
    ) throws(ETLError) -> Job? {
        guard let current else { return nil }
        // A job that is being stopped loses nothing if this fails: it is found unfinished.
        if status != .processing { connection.waitWhenBusy(lockWaitPolicy.despiteStop) }
        if broken == nil {
            if current.job.isRefresh { try dropUnchangedCandidates(of: current.job) }
            try connection.transaction { () throws(ETLError) in
                try tables.indexes.flush()
                // A stopped job needs its existing editions when it continues.
                if status == .completed { try OrphanedEditions(connection).remove(from: tables.indexes) }
            }
            tables.books.forget()
            tables.spellings.removeAll()
            try StoreFile.finishFilling(connection)
        }
        let now = clock.epochMilliseconds()
        try connection.execute(
            """
            UPDATE jobs SET status=?2, failure=?3, busy_ms=busy_ms+?4, updated_at=?5, ended_at=?5 WHERE id=?1
            """, current.job.id, status.rawValue, failure, busyMilliseconds, now)
        return try jobTable.job(named: current.job.name)
    }

    /// Deletes before-images that a refresh does not need, unless the run is stopped meanwhile: it only saves space.
    private func dropUnchangedCandidates(of job: Job) throws(ETLError) {
        do throws(ETLError) {
            try connection.interrupting(at: lockWaitPolicy.stop) { () throws(ETLError) in
                try connection.transaction { () throws(ETLError) in
                    try Refreshes.dropUnchangedCandidates(ofJob: job.id, in: connection)
                }
            }
        } catch {
            guard error.isInterrupt else { throw error }
        }
    }

    /// Reads committed data.
    package func read<Result: Sendable>(
        _ body: @Sendable (Connection) throws(ETLError) -> Result
    ) throws(ETLError) -> Result {
        if let broken { throw broken }
        return try body(connection)
    }

    /// The job as stored.
    package func storedJob() throws(ETLError) -> Job? {
        if let current { try jobTable.job(named: current.job.name) } else { nil }
    }

    /// Whether another process canceled a job. It does not wait for the store.
    package nonisolated func isCancelRequested(of job: String) -> Bool { lock.isCancelRequested(of: job) }

    /// Tells other processes how far the job is. It does not wait for the store.
    package nonisolated func publish(_ progress: RunProgress) { lock.write(progress) }

    /// The same of the current job.
    package func isCancelRequested() -> Bool {
        current.map { lock.isCancelRequested(of: $0.job.name) } ?? false
    }

    /// Cost of writing so far, for tests that limit it.
    package var cost: (statements: Int, pages: Int, commits: Int) {
        (connection.statementsRun, connection.pagesWritten, commits)
    }

    // MARK: Batches

    /// Writes consecutive batches, all or none. They are not visible to others until
    /// ``commit(through:tailDigest:)``.
    package func write(_ batches: borrowing [Batch<ResultBatch>]) throws(ETLError) {
        if let broken { throw broken }
        guard let current else {
            throw ETLError(
                .bug, "A batch came before its job started.", advice: "Please report this bug.")
        }
        if uncommitted == nil {
            try connection.begin()
            uncommitted = BatchCounts()
            // If there are readers, pages that could be written now stay in memory. Only the commit waits for
            // readers, once, not every row.
            connection.failWhenBusy()
        }
        try orBreak { () throws(ETLError) in
            for index in batches.indices {
                let layout = try layout(
                    formatName: batches[index].payload.exportColumns.formatName,
                    columns: batches[index].payload.layout)
                uncommitted?.add(
                    try current.writer.write(
                        batches[index].payload, rejects: batches[index].rejects, layout: layout))
            }
            if tables.indexes.isFlushDue { try tables.indexes.flush() }
            // A refreshed book that waits for an answer stays in the queue instead.
            for index in batches.indices where !current.job.isRefresh {
                try PendingRecords.note(
                    batches[index].payload.rows, ofJob: current.job.id, in: connection)
                try Reviews.note(batches[index].payload.rows, ofJob: current.job.id, in: connection)
            }
            earlyWriting?.begin()
        }
        observe?(.written)
    }

    /// Commits the written rows. Returns whether another process asked the job to stop.
    ///
    /// - Parameters:
    ///   - end: The end of the last batch written.
    ///   - tailDigest: Digest of the input's bytes before it.
    func commit(through end: Position, tailDigest: Int64?) throws(ETLError) -> Bool {
        if let broken { throw broken }
        guard let current, let batchCounts = uncommitted else { return false }
        try orBreak { () throws(ETLError) in
            try tables.books.write()
            try tables.indexes.writeChanges()
            if current.writer.isCorrection {
                try checkpoint(nil, batchCounts, nil, job: current.job.id)
            } else {
                try checkpoint(end, batchCounts, tailDigest, job: current.job.id)
            }
            observe?(.beforeCommit(batch: commits))
            connection.waitWhenBusy(lockWaitPolicy)
            try connection.commit()
        }
        uncommitted = nil
        observe?(.afterCommit(batch: commits))
        commits += 1
        return lock.isCancelRequested(of: current.job.name)
    }

    /// Runs a part of the open transaction. If it fails, the transaction is rolled back and the store accepts
    /// nothing more.
    private func orBreak(_ body: () throws(ETLError) -> Void) throws(ETLError) {
        do throws(ETLError) {
            try body()
        } catch {
            breakOff(error)
            throw error
        }
    }

    /// Rolls back what was written and not committed. The store accepts nothing more.
    func breakOff(_ failure: ETLError) {
        if uncommitted != nil { connection.rollBack() }
        connection.waitWhenBusy(lockWaitPolicy)
        uncommitted = nil
        broken = failure
    }

    /// - Parameter end: Nil to leave the position unchanged.
    private func checkpoint(
        _ end: Position?, _ batchCounts: BatchCounts, _ tailDigest: Int64?, job: Int64
    ) throws(ETLError) {
        let update = updateJob
        update.bind(
            values: job, end.map { Int64($0.file) }, end?.byte, end.map { Int64($0.line) },
            end.map { Int64($0.record) }, tailDigest)
        let counts = batchCounts.counts
        let values = [
            counts.booksCreated, counts.booksUpdated, counts.duplicatesSkipped, counts.rejected,
            counts.enrichmentSucceeded, batchCounts.recordsWithISBN, batchCounts.recordsMatched,
        ]
        for (index, value) in values.enumerated() { update.bind(Int32(index + 7), value) }
        update.bind(14, clock.epochMilliseconds())
        try update.run()
    }

    /// The row of an export's layout, which is written once.
    func layout(formatName: String, columns: String) throws(ETLError) -> Int64 {
        let name = "\(formatName)\u{1F}\(columns)"
        if let id = layouts[name] { return id }
        let id = try InternTable.number(
            of: [formatName, columns], in: "layouts", columns: ["format", "columns"], connection)
        layouts[name] = id
        return id
    }
}
