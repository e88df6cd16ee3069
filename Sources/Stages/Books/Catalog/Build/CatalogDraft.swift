import Database
package import Pipeline

/// A catalog in the making: records wait in a file of their own until all are read; then the catalog is written
/// in the order of its keys and put in its place.
///
/// One connection on a queue of its own; the full-text index is written beside it (``SearchDraft``). What batches
/// hold and the checkpoint after them are one transaction, and each part of the catalog is one: a build that is killed
/// at any moment goes on after the last of them. Memory is two caches and the sorters', SQLite's and ours, 32 MiB each
/// and as much again while it sorts, some authors, as much for the index, and the longest line, whatever the dumps'
/// size; beside them pages of the files, which the system takes back. SQLite sorts in the folder that `SQLITE_TMPDIR`
/// or `TMPDIR` names, else `/var/tmp`: all of Open Library wants about the size of the catalog there. The same files
/// give the same catalog, but for the date.
package actor CatalogDraft {
    /// MiB of each of the two databases' caches, and of what SQLite's sorter holds before it writes a run.
    static let cacheMiB = 32

    /// Keys that are sorted in memory where nothing is said, sixteen bytes each.
    package static let keysInMemory = KeySorter.maxWaiting

    private nonisolated let executor = QueueExecutor(label: "etl.catalog.build")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Indices of the inputs in the order in which they are read: that in which an earlier run of the build was given
    /// them.
    package nonisolated let order: [Int]
    /// Where reading begins, or goes on.
    package nonisolated let start: Position
    /// Lines that an earlier run read and kept.
    package nonisolated let linesKept: Int

    private let directory: BuildDirectory
    private let keysInMemory: Int
    private let connection: Connection
    private let staging: CatalogStaging
    private let saveCheckpoint: Statement
    private var checkpoint: CatalogCheckpoint
    /// Set when a transaction failed: nothing more is written then.
    private var broken: StageFailure?

    /// Begins a catalog, or takes up one that was begun with the same files.
    ///
    /// - Parameters:
    ///   - output: The catalog's path; a catalog that stands there is replaced when the new one is complete.
    ///   - inputs: Proof of the files that are read.
    ///   - updates: Whether the catalog that stands there is the beginning of the new one.
    ///   - builtAt: Now, in ISO 8601.
    ///   - keysInMemory: Keys that are sorted in memory, of which there are sixteen bytes each; more wait on disk.
    ///   - note: Told before an unfinished build is thrown away.
    /// - Throws: ``StageFailure/Kind/temporary`` where another build of it is at work,
    ///   ``StageFailure/Kind/cannotCreate`` where something else stands there,
    ///   ``StageFailure/Kind/missing`` where there is no catalog to update.
    package init(
        output: String, inputs: [SourceFingerprint], updates: Bool, builtAt: String,
        keysInMemory: Int, noting note: (CatalogBuildNotice) -> Void = { _ in }
    ) throws(StageFailure) {
        self.keysInMemory = keysInMemory
        try CatalogFile.checkPlace(output)
        let old = updates ? try CatalogFile.open(output, oldest: CatalogSchema.oldestToUpdate) : nil
        let task = CatalogCheckpoint.Task(
            inputs: inputs,
            updating: try SQLiteError.reported { () throws(SQLiteError) in
                try old?.string("SELECT value FROM meta WHERE key = 'built_at'")
            })
        directory = try BuildDirectory(output: output)
        switch Self.unfinished(directory, task) {
        case .success(let begun): (connection, checkpoint, order) = begun
        case .failure(let loss):
            if directory.isStarted {
                note(.throwsAway(lines: loss.lines, of: output, reason: loss.reason))
            }
            directory.discard()
            order = Array(inputs.indices)
            var checkpoint = CatalogCheckpoint(task: task, builtAt: builtAt)
            if let old {
                checkpoint.report.earlierSources = try SQLiteError.reported { () throws(SQLiteError) in
                    try CatalogDescription(old).sources
                }
            }
            self.checkpoint = checkpoint
            do throws(SQLiteError) {
                connection = try Self.make(directory, checkpoint, from: old)
            } catch {
                directory.discard()
                throw error.failure
            }
        }
        let connection = connection
        (staging, saveCheckpoint) = try SQLiteError.reported { () throws(SQLiteError) in
            (
                try CatalogStaging(connection),
                try connection.prepare("UPDATE stage.checkpoint SET body = ?")
            )
        }
        start = checkpoint.position
        linesKept = checkpoint.report.linesRead
    }

    // MARK: Beginning

    private static func open(_ building: String, _ staging: String) throws(SQLiteError) -> Connection {
        let connection = try Connection(building, .create)
        // What the sorter has no room for is sorted on a thread of its own.
        try connection.execute("PRAGMA page_size = \(CatalogSchema.pageSize); PRAGMA threads = 1")
        // Runs of keys that were merged need not be made unreadable: all of them stand in the catalog.
        try connection.execute("PRAGMA temp.secure_delete = OFF")
        let attach = try connection.prepare("ATTACH ? AS stage")
        attach.bind(1, staging)
        try attach.run()
        // A rollback journal: appending needs next to none of it, where a write-ahead log would write all twice. Mapped, for
        // of its cache SQLite gives up pages that were only read before any that was written: what is looked up while the
        // catalog is written would be read again and again.
        for database in ["main", "stage"] {
            try connection.execute(
                """
                PRAGMA \(database).journal_mode = TRUNCATE; PRAGMA \(database).synchronous = NORMAL;
                PRAGMA \(database).locking_mode = EXCLUSIVE;
                PRAGMA \(database).cache_size = -\(cacheMiB * 1_024); PRAGMA \(database).secure_delete = OFF;
                PRAGMA \(database).mmap_size = \(CatalogFile.mappedBytes);
                """)
        }
        return connection
    }

    /// An unfinished build that is not gone on with.
    private struct Loss: Error {
        var lines = 0
        var reason: CatalogBuildNotice.Reason
    }

    /// A build that was begun with the same task and not finished, and the order in which it reads the task's inputs.
    private static func unfinished(
        _ directory: borrowing BuildDirectory, _ task: CatalogCheckpoint.Task
    ) -> Result<(Connection, CatalogCheckpoint, [Int]), Loss> {
        guard directory.isStarted,
            let connection = try? open(directory.building, directory.staging),
            let text = try? connection.string("SELECT body FROM stage.checkpoint"),
            let checkpoint = CatalogCheckpoint(json: text)
        else { return .failure(Loss(reason: .unreadable)) }
        return task.order(resuming: checkpoint.task)
            .map { (connection, checkpoint, $0) }
            .mapError { Loss(lines: checkpoint.report.linesRead, reason: $0) }
    }

    private static func make(
        _ directory: borrowing BuildDirectory, _ checkpoint: CatalogCheckpoint, from old: Connection?
    ) throws(SQLiteError) -> Connection {
        let connection = try open(directory.building, directory.staging)
        try connection.transaction { () throws(SQLiteError) in
            try connection.execute(CatalogSchema.tables)
            try connection.execute(FullTextSchema.tables)
            try connection.execute(CatalogSchema.stagingTables)
            if let old {
                var seed = CatalogSeed(from: old, to: connection)
                try seed.run()
            }
            let insert = try connection.prepare("INSERT INTO stage.checkpoint VALUES (1, ?)")
            insert.bind(1, checkpoint.json)
            try insert.run()
        }
        return connection
    }

    // MARK: Taking records

    /// Puts batches down to wait, with the checkpoint after the last of them.
    func take(_ batches: [Batch<DumpRecords>]) throws(StageFailure) {
        for batch in batches {
            checkpoint.note(batch.payload, lines: batch.recordsRead, batch.rejects)
            if batch.end.file > batch.payload.file {
                try checkpoint.report.checkSource(batch.payload.file)
            }
            checkpoint.position = batch.end
        }
        // Only the waiting records are written to.
        try commit(isDeferred: true) { () throws(SQLiteError) in
            for batch in batches { try staging.store(batch.payload) }
        }
    }

    // MARK: Finishing

    /// Writes the catalog of what was taken, part by part, and puts it in its place.
    ///
    /// - Parameters:
    ///   - stop: Looked at now and then: a part that is stopped is written again by the next run.
    ///   - begin: Told of each part as it begins.
    func finish(
        stop: StopSignal, _ begin: (CatalogBuildProgress.Phase) -> Void
    ) async throws(StageFailure) {
        try checkpoint.report.checkContent(updates: checkpoint.task.updating != nil)
        try write(.authors, stop, begin)
        let index =
            checkpoint.written.contains(.search)
            ? nil : SearchDraft(directory.index, staging: directory.staging, keysInMemory: keysInMemory)
        try await index?.begin()
        // Left early, it is cancelled and waited for.
        async let indexed = index?.write(stop: stop)
        for phase in [CatalogBuildProgress.Phase.works, .editions, .people] { try write(phase, stop, begin) }
        if index != nil { begin(.search) }
        try await indexed?.get()
        try write(.search, stop) { _ in }
        try commit { () throws(SQLiteError) in
            try CatalogMeta.write(checkpoint.report, builtAt: checkpoint.builtAt, to: connection)
        }
        try directory.publish()
    }

    /// Writes a part, unless an earlier run did.
    private func write(
        _ phase: CatalogBuildProgress.Phase, _ stop: StopSignal, _ begin: (CatalogBuildProgress.Phase) -> Void
    ) throws(StageFailure) {
        guard !checkpoint.written.contains(phase) else { return }
        begin(phase)
        try commit { () throws(SQLiteError) in
            var assembly = CatalogAssembly(
                connection, checkpoint.report, stop: stop, index: directory.index, keysInMemory: keysInMemory)
            try assembly.write(phase)
            checkpoint.report = assembly.report
            checkpoint.written.insert(phase)
        }
    }

    /// What was read and made of it.
    package func report() -> CatalogBuildReport { checkpoint.report }

    /// Takes the draft away: with these files no catalog will come of it.
    package func discard() { directory.discard() }

    /// Runs a transaction that ends with the checkpoint.
    private func commit(
        isDeferred: Bool = false, _ body: () throws(SQLiteError) -> Void
    ) throws(StageFailure) {
        if let broken { throw broken }
        do throws(SQLiteError) {
            try connection.transaction(isDeferred: isDeferred) { () throws(SQLiteError) in
                try body()
                saveCheckpoint.bind(1, checkpoint.json)
                try saveCheckpoint.run()
            }
        } catch {
            broken = error.failure
            throw error.failure
        }
    }
}
