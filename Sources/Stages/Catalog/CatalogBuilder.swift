package import Pipeline

/// Builds a catalog from dumps: Open Library's editions, works, authors, redirects and deletes in any order
/// and number of files, and Wikidata's entities; plain or gzip.
///
/// Each line tells by itself what it is. Records wait in a file of their own until all are read; then the
/// catalog is written in the order of its keys and put in its place. The same files give the same catalog,
/// but for the date.
///
/// Memory does not grow with the dumps. It is two caches of 32 MiB, the longest line, and on top of them what
/// SQLite's sorter holds while an order is made: runs as large as a cache, and the buffers they are merged
/// through. 140 MB at the peak were measured. What the sorter does not hold goes to the folder that
/// `SQLITE_TMPDIR` or `TMPDIR` names, else `/var/tmp`: all of Open Library wants about the size of the catalog
/// there.
package actor CatalogBuilder {
    /// Lines between two reports of progress.
    static let reportInterval = 16_384
    /// Lines at a file's beginning of which one must be understood.
    static let patience = 1_000

    private nonisolated let executor = QueueExecutor(label: "etl.catalog.build")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let output: String
    private let builtAt: String
    private let tell: @Sendable (CatalogBuildProgress) -> Void
    private let clock = ContinuousClock()
    private var progress = CatalogBuildProgress(
        phase: .reading, bytesRead: 0, totalBytes: 0, lines: 0, rate: 0)
    private var began = ContinuousClock().now

    /// - Parameters:
    ///   - output: The catalog's path; a catalog that stands there is replaced when the new one is complete.
    ///   - builtAt: Now, in ISO 8601. Its year also bounds the years that are believed in free text.
    ///   - progress: Called on the builder's own queue, several times a second.
    package init(
        output: String, builtAt: String,
        progress: @escaping @Sendable (CatalogBuildProgress) -> Void = { _ in }
    ) {
        self.output = output
        self.builtAt = builtAt
        tell = progress
    }

    /// Builds the catalog.
    ///
    /// - Throws: ``StageFailure/Kind/unusableInput`` for a file that is empty, cut off or nothing of the
    ///   kind;
    ///   ``StageFailure/Kind/temporary`` when the task is cancelled. The catalog that was there stays as it
    ///   was.
    package func build(from files: [String]) throws(StageFailure) -> CatalogBuildReport {
        guard !files.isEmpty else {
            throw StageFailure(
                .configuration, "There is nothing to build a catalog from.",
                advice: "Name Open Library dump files or Wikidata entity files.")
        }
        began = clock.now
        let inputs = try Self.open(files)
        progress.totalBytes = inputs.reduce(0) { $0 + $1.size }
        let workplace = try CatalogWorkplace(output: output)
        let report = try Self.reporting {
            () throws(SQLiteError) -> Result<CatalogBuildReport, StageFailure> in
            let connection = try Self.makeDatabase(workplace)
            do throws(StageFailure) {
                return .success(try fill(connection, inputs))
            } catch {
                return .failure(error)
            }
        }.get()
        try workplace.publish()
        return report
    }

    /// Opens all files before anything is read, so that a wrong name costs no hour.
    private static func open(_ files: [String]) throws(StageFailure) -> [UnpackedFile] {
        var inputs: [UnpackedFile] = []
        for file in files { inputs.append(try UnpackedFile(file)) }
        return inputs
    }

    private static func makeDatabase(_ workplace: borrowing CatalogWorkplace) throws(SQLiteError)
        -> Connection
    {
        let connection = try Connection(workplace.building, .create)
        try connection.execute("PRAGMA page_size = \(CatalogSchema.pageSize)")
        let attach = try connection.prepare("ATTACH ? AS stage")
        attach.bind(1, workplace.staging)
        try attach.run()
        // Nothing is lost when the build dies: its files are thrown away. So no journal and no waiting for
        // the disk.
        for database in ["main", "stage"] {
            try connection.execute(
                """
                PRAGMA \(database).journal_mode = MEMORY; PRAGMA \(database).synchronous = OFF;
                PRAGMA \(database).locking_mode = EXCLUSIVE; PRAGMA \(database).cache_size = -32768;
                PRAGMA \(database).secure_delete = OFF;
                """)
        }
        try connection.execute(CatalogSchema.tables)
        try connection.execute(CatalogSchema.stagingTables)
        try connection.execute("BEGIN")
        return connection
    }

    private func fill(_ connection: Connection, _ inputs: [UnpackedFile]) throws(StageFailure)
        -> CatalogBuildReport
    {
        let latestYear = (Int32(builtAt.prefix(4)) ?? 2_100) + 2
        let intake = try Self.reporting { () throws(SQLiteError) in
            try CatalogIntake(connection, latestYear: latestYear)
        }
        var sources: [CatalogBuildReport.Source] = []
        for input in inputs {
            sources.append(try read(input, intake))
        }
        return try Self.reporting { () throws(SQLiteError) in
            var report = try CatalogAssembly(connection, intake.finish()).run { begin($0) }
            report.sources = sources
            try CatalogMeta.write(report, builtAt: builtAt, to: connection)
            try connection.execute("COMMIT")
            return report
        }
    }

    private func begin(_ phase: CatalogBuildProgress.Phase) {
        progress.phase = phase
        tell(progress)
    }

    // MARK: Reading

    private func read(_ file: UnpackedFile, _ intake: CatalogIntake) throws(StageFailure)
        -> CatalogBuildReport.Source
    {
        var source = CatalogBuildReport.Source(name: file.path, bytes: file.size)
        var lines = DumpLines(file)
        let bytesBefore = progress.bytesRead
        while let line = try lines.next() {
            source.lines += 1
            progress.lines += 1
            if progress.lines % Self.reportInterval == 0 {
                try report(bytesRead: bytesBefore + file.bytesRead)
            }
            try take(line, of: file, intake, &source)
            if source.lines == Self.patience, source.records == 0 { throw Self.strange(file) }
        }
        progress.bytesRead = bytesBefore + file.bytesRead
        guard source.lines > 0 else {
            throw StageFailure(
                .unusableInput, "\(file.path) is empty.",
                advice: "Dumps have been published empty: use the one of the month before.")
        }
        guard source.records > 0 else { throw Self.strange(file) }
        source.endedInGarbage = file.endedInGarbage
        return source
    }

    private func take(
        _ line: DumpLines.Line, of file: UnpackedFile, _ intake: CatalogIntake,
        _ source: inout CatalogBuildReport.Source
    ) throws(StageFailure) {
        let verdict =
            line.isTooLong
            ? CatalogIntake.Verdict.malformed(.tooLong)
            : try Self.reporting { () throws(SQLiteError) in try intake.take(line.bytes) }
        switch verdict {
        case .nothing: break
        case .record(let origin):
            source.records += 1
            source.provider = source.provider ?? origin.rawValue
        case .cutOff where !line.isEnded:
            throw StageFailure(
                .unusableInput,
                "\(file.path) is cut off: its last line, \(line.number), stops in the middle.",
                advice: "Fetch the file again and compare its size with the one published.")
        case .cutOff, .malformed:
            let reason = if case .malformed(let reason) = verdict { reason } else { DumpLineError.badJSON }
            source.malformed += 1
            intake.note(reason, file: file.path, line: line.number, head: line.bytes)
        }
    }

    private func report(bytesRead: Int64) throws(StageFailure) {
        progress.bytesRead = bytesRead
        let elapsed = clock.now - began
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
        progress.rate = seconds > 0 ? Double(progress.lines) / seconds : 0
        tell(progress)
        if Task.isCancelled {
            throw StageFailure(
                .temporary, "The build was stopped; \(output) is as it was before.",
                advice: "Start it again.")
        }
    }

    private static func strange(_ file: UnpackedFile) -> StageFailure {
        StageFailure(
            .unusableInput, "\(file.path) is neither an Open Library dump nor Wikidata entities.",
            advice:
                "Take ol_dump_editions, _works, _authors (plain or gzip) and Wikidata's JSON, one entity a line."
        )
    }

    private static func reporting<Result>(
        _ body: () throws(SQLiteError) -> Result
    ) throws(StageFailure) -> Result {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw error.failure
        }
    }
}
