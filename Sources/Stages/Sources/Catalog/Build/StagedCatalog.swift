import Database
import Pipeline
package import System

/// A catalog being built. Records are staged in a separate file until all are read; then the catalog is
/// written in key order and moved to its path.
///
/// The actor has its own queue and one connection; ``StagedIndex`` writes the full-text index in parallel. A
/// group of batches and the checkpoint after it share a transaction, and so does each part of the catalog. A
/// build that is killed continues after the last committed transaction.
///
/// Memory does not depend on the size of the dumps: 2 SQLite caches and 2 sorters of 32 MiB; twice that while
/// sorting; the same for the search index; 16 MiB of authors; the longest line. Mapped file pages come on top;
/// the system can reclaim them. SQLite sorts in `SQLITE_TMPDIR`, else `TMPDIR`, else
/// `/var/tmp`; for all of Open Library it needs about the catalog's size there.
///
/// The same files give the same catalog, except for its date.
package actor StagedCatalog {
    /// MiB of each of the two databases' caches, and of SQLite's sorter before it writes a run to disk.
    static let cacheMiB = 32

    /// Default number of keys sorted in memory, 16 bytes each.
    package static let keysInMemory = KeySorter.maxWaiting

    private nonisolated let executor = QueueExecutor(label: "etl.catalog.build")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Indices of the inputs in reading order. A continued build keeps the order of its first run.
    package nonisolated let order: [Int]
    /// Where reading starts or continues.
    package nonisolated let start: Position
    /// Lines that an earlier run of the build read and kept.
    package nonisolated let linesKept: Int

    private let directory: BuildDirectory
    private let keysInMemory: Int
    private let connection: Connection
    private let staging: CatalogStaging
    private let saveCheckpoint: Statement
    private var checkpoint: CatalogCheckpoint
    /// Set when a transaction fails. Nothing is written after that.
    private var broken: ETLError?

    /// Starts a catalog, or continues one that was started with the same files.
    ///
    /// - Parameters:
    ///   - output: The catalog's path. An existing catalog is replaced when the new one is complete.
    ///   - inputs: Fingerprints of the files to read.
    ///   - updates: Whether the existing catalog is the base of the new one.
    ///   - builtAt: Now, in ISO 8601.
    ///   - keysInMemory: Keys sorted in memory, 16 bytes each; more are kept on disk.
    ///   - note: Called before an unfinished build is discarded.
    /// - Throws: `ETLError.Kind.temporary` if another build of the catalog is running,
    ///   `ETLError.Kind.cannotCreate` if the path holds something else, `ETLError.Kind.missing`
    ///   if there is no catalog to update.
    package init(
        output: String, inputs: [SourceFingerprint], updates: Bool, builtAt: String,
        keysInMemory: Int, noting note: (CatalogBuildWarning) -> Void = { _ in }
    ) throws(ETLError) {
        self.keysInMemory = keysInMemory
        try CatalogFile.checkPlace(output)
        let old = updates ? try CatalogFile.open(output) : nil
        let task = CatalogCheckpoint.Task(
            inputs: inputs,
            updating: try old?.string("SELECT value FROM meta WHERE key = 'built_at'"))
        directory = try BuildDirectory(output: output)
        switch Self.unfinished(directory, task) {
        case .success(let begun): (connection, checkpoint, order) = begun
        case .failure(let loss):
            if directory.isStarted {
                note(.discards(lines: loss.lines, of: output, reason: loss.reason))
            }
            directory.discard()
            order = Array(inputs.indices)
            var checkpoint = CatalogCheckpoint(task: task, builtAt: builtAt)
            if let old {
                checkpoint.report.earlierSources = try CatalogDescription(old).sources
            }
            self.checkpoint = checkpoint
            do throws(ETLError) {
                connection = try Self.make(directory, checkpoint, from: old)
            } catch {
                directory.discard()
                throw error
            }
        }
        let connection = connection
        (staging, saveCheckpoint) = (
            try CatalogStaging(connection),
            try connection.prepare("UPDATE stage.checkpoint SET body = ?")
        )
        start = checkpoint.position
        linesKept = checkpoint.report.linesRead
    }

    // MARK: Starting

    private static func open(_ building: String, _ staging: String) throws(ETLError) -> Connection {
        let connection = try Connection(building, .create)
        // A second thread sorts what does not fit in memory.
        try connection.execute("PRAGMA page_size = \(CatalogSchema.pageSize); PRAGMA threads = 1")
        // Merged runs of keys need no secure deletion: all keys are in the catalog anyway.
        try connection.execute("PRAGMA temp.secure_delete = OFF")
        let attach = try connection.prepare("ATTACH ? AS stage")
        attach.bind(1, fileName: staging)
        try attach.run()
        // A rollback journal: appending needs almost none of it, while a write-ahead log would write
        // everything twice. Memory-mapped, because SQLite's cache evicts pages that were only read before any
        // written one: pages looked up during writing would be read again and again. Synced in full: with less, a power
        // failure can leave a journal without the name of the super-journal, and only one of the two is rolled back.
        for database in ["main", "stage"] {
            try connection.execute(
                """
                PRAGMA \(database).journal_mode = TRUNCATE; PRAGMA \(database).synchronous = FULL;
                PRAGMA \(database).locking_mode = EXCLUSIVE;
                PRAGMA \(database).cache_size = -\(cacheMiB * 1_024); PRAGMA \(database).secure_delete = OFF;
                PRAGMA \(database).mmap_size = \(Connection.mappedBytes);
                """)
        }
        return connection
    }

    /// An unfinished build that is not continued.
    private struct Loss: Error {
        var lines = 0
        var reason: CatalogBuildWarning.Reason
    }

    /// An unfinished build that was started with the same task, and its reading order of the task's inputs.
    private static func unfinished(
        _ directory: borrowing BuildDirectory, _ task: CatalogCheckpoint.Task
    ) -> Result<(Connection, CatalogCheckpoint, [Int]), Loss> {
        if directory.isStarted, directory.lostItsCommit { return .failure(Loss(reason: .moved)) }
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
    ) throws(ETLError) -> Connection {
        let connection = try open(directory.building, directory.staging)
        for database in ["main", "stage"] { try BuildDirectory.mark(database, of: connection) }
        try connection.transaction { () throws(ETLError) in
            try connection.execute(CatalogSchema.tables)
            try connection.execute(FullTextSchema.tables)
            try connection.execute(CatalogSchema.stagingTables)
            if let old {
                var seed = CatalogSeed(from: old, to: connection)
                try seed.run()
            }
            try connection.execute("INSERT INTO stage.checkpoint VALUES (1, ?)", checkpoint.json)
        }
        return connection
    }

    // MARK: Staging records

    /// Stages batches, together with the checkpoint after the last of them.
    func take(_ batches: [Batch<DumpRecords>]) throws(ETLError) {
        for batch in batches {
            checkpoint.note(batch.payload, lines: batch.recordsRead, batch.rejects)
            if batch.end.file > batch.payload.file {
                try checkpoint.report.checkSource(batch.payload.file)
            }
            checkpoint.position = batch.end
        }
        // Only the staging file is written to.
        try commit(isDeferred: true) { () throws(ETLError) in
            for batch in batches { try staging.store(batch.payload) }
        }
    }

    // MARK: Finishing

    /// Writes the catalog from the staged records, part by part, and moves it to its path.
    ///
    /// - Parameters:
    ///   - stop: Checked at intervals. The next run repeats a part that was stopped.
    ///   - begin: Called with each part as it starts.
    func finish(
        stop: StopSignal, _ begin: (CatalogBuildProgress.Phase) -> Void
    ) async throws(ETLError) {
        try checkpoint.report.checkContent(updates: checkpoint.task.updating != nil)
        try write(.authors, stop, begin)
        let index =
            checkpoint.written.contains(.search)
            ? nil : StagedIndex(directory.index, staging: directory.staging, keysInMemory: keysInMemory)
        try await index?.begin()
        // If this scope exits early, the child task is cancelled and awaited.
        async let indexed = index?.write(stop: stop)
        for phase in [CatalogBuildProgress.Phase.works, .editions, .people] { try write(phase, stop, begin) }
        if index != nil { begin(.search) }
        try await indexed?.get()
        try write(.search, stop) { _ in }
        try commit { () throws(ETLError) in
            try CatalogMeta.write(checkpoint.report, builtAt: checkpoint.builtAt, to: connection)
        }
        try directory.publish()
    }

    /// Writes a part unless an earlier run did.
    private func write(
        _ phase: CatalogBuildProgress.Phase, _ stop: StopSignal, _ begin: (CatalogBuildProgress.Phase) -> Void
    ) throws(ETLError) {
        guard !checkpoint.written.contains(phase) else { return }
        begin(phase)
        try commit { () throws(ETLError) in
            var assembly = CatalogAssembly(
                connection, checkpoint.report, stop: stop, index: directory.index, keysInMemory: keysInMemory)
            try assembly.write(phase)
            checkpoint.report = assembly.report
            checkpoint.written.insert(phase)
        }
    }

    /// Counts of what was read and what the catalog holds.
    package func report() -> CatalogBuildReport { checkpoint.report }

    /// Deletes the staged catalog. Its files cannot become a catalog.
    package func discard() { directory.discard() }

    /// Runs a transaction that also stores the checkpoint.
    private func commit(
        isDeferred: Bool = false, _ body: () throws(ETLError) -> Void
    ) throws(ETLError) {
        if let broken { throw broken }
        do throws(ETLError) {
            try connection.transaction(isDeferred: isDeferred) { () throws(ETLError) in
                try body()
                try saveCheckpoint.run(checkpoint.json)
            }
        } catch {
            broken = error
            throw error
        }
    }
}
