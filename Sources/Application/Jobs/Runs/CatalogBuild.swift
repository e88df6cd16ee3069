import Glibc
package import Pipeline
package import Sources
import Store
package import System

/// A build of a catalog: `etl catalog build` without a terminal.
package struct CatalogBuild: Sendable {
    /// Name of the pipeline's sink: a definition that ends in it builds a catalog.
    package static let sink = "WriteCatalog"

    private let request: CatalogBuildRequest
    private let clock: any RunClock
    private let stop: StopSignal
    private let note: @Sendable (CatalogBuildWarning) -> Void
    private let observe: @Sendable (CatalogBuildProgress) -> Void
    private let reshape: @Sendable (Flow) -> Flow

    /// - Parameters:
    ///   - stop: Stops the build. The records read so far are kept, and the same build continues from there.
    ///   - reshaping: Changes the flow before it runs, for tests that interrupt it.
    ///   - note: Called with warnings, before anything is read.
    ///   - observe: Called with the progress, from the tasks of the run.
    package init(
        _ request: CatalogBuildRequest, clock: any RunClock = SystemClock(), stop: StopSignal = StopSignal(),
        reshaping: @escaping @Sendable (Flow) -> Flow = { $0 },
        noting note: @escaping @Sendable (CatalogBuildWarning) -> Void = { _ in },
        observing observe: @escaping @Sendable (CatalogBuildProgress) -> Void = { _ in }
    ) {
        self.request = request
        self.clock = clock
        self.stop = stop
        self.note = note
        self.observe = observe
        reshape = reshaping
    }

    /// Builds the catalog, or continues a build of the same files that was stopped.
    ///
    /// - Throws: ``ETLError/Kind/unusableInput`` for a file that is empty, truncated or not a dump, or
    ///   that was written to while it was read. An existing catalog stays unchanged.
    package func run() async throws(ETLError) -> CatalogOutcome {
        // A wrong definition is reported before any file is opened.
        let named = try BookStages.plan(request.definition).sink.settings[BookStages.catalogPath]
        let path = request.output ?? named
        var files = DumpFiles(paths: request.files)
        let inputs = try files.survey()
        for path in files.withoutBooks { note(.skips(path: path)) }
        let staged = try StagedCatalog(
            output: Self.place(path), inputs: inputs, updates: request.updates, builtAt: request.builtAt,
            keysInMemory: request.keysInMemory, noting: note)
        files.arrange(staged.order)

        let state = Guarded(
            CatalogBuildProgress(
                phase: .reading, bytesRead: 0, totalBytes: inputs.reduce(0) { $0 + $1.size },
                lines: staged.linesKept))
        files.latestYear = (Int32(request.builtAt.prefix(4)) ?? 2_100) + 2
        files.didRead = { bytes in state.withLock { $0.bytesRead = bytes } }
        let observe = observe
        let dependencies = CatalogDependencies(dumps: files, staged: staged, stop: stop) { phase in
            observe(
                state.withLock { progress in
                    progress.phase = phase
                    return progress
                })
        }
        let plan = try BookStages.plan(request.definition, dependencies)
        let runner = Runner(
            reshape(try plan.flow()), clock: clock, retry: RetryPolicy(attempts: plan.attempts))
        let report = await runner.run(from: staged.start, stop: stop) { event in
            guard case .committed(_, let lines, _) = event else { return }
            observe(
                state.withLock { progress in
                    progress.lines += lines
                    return progress
                })
        }
        return CatalogOutcome(path: path, report: try await end(report, staged))
    }

    /// The place to build the catalog in: the target of a symbolic link, so that the link is not replaced.
    private static func place(_ path: String) -> String {
        var status = stat()
        guard FileSystem.lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
        return StorePath.real(path)
    }

    private func end(_ report: RunReport, _ staged: StagedCatalog) async throws(ETLError)
        -> CatalogBuildReport?
    {
        switch report.outcome {
        case .completed: return await staged.report()
        case .stopped: return nil
        case .failed where stop.isRaised: return nil
        case .failed(let failure):
            // The same files would fail again, and files that replace them need a new build.
            if failure.kind == .unusableInput { await staged.discard() }
            throw failure
        }
    }
}

/// Outcome of a catalog build.
package struct CatalogOutcome: Sendable {
    /// The catalog's path.
    package var path: String
    /// Input and output counts; nil if the build was stopped before the catalog was complete.
    package var report: CatalogBuildReport?
}

/// The parameters of a catalog build.
package struct CatalogBuildRequest: Sendable {
    /// Dump files in reading order.
    package var files: [String]
    /// The catalog to write; nil for the one in the definition.
    package var output: String?
    /// The current time in ISO 8601: the catalog's date. Its year also limits which years in free text are
    /// plausible.
    package var builtAt: String
    /// Whether the existing catalog is the basis of the new one.
    package var updates = false
    /// Number of keys that a sorter holds in memory; the others are on disk.
    package var keysInMemory = StagedCatalog.keysInMemory
    package var definition: PipelineDefinition

    package init(files: [String], output: String?, builtAt: String, definition: PipelineDefinition) {
        self.files = files
        self.output = output
        self.builtAt = builtAt
        self.definition = definition
    }
}
