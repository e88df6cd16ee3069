package import Database
import Formats
package import Pipeline
package import Store
package import System

/// An import: what `etl import`, `run`, `resume` and `enrich` do, without a terminal.
package struct ImportJob: Sendable {
    private let request: ImportRequest
    private let core: ImportRun

    /// - Parameters:
    ///   - replayClock: Decides when answers that have arrived are brought into the library; nil for the other
    ///     clock. A test whose clock jumps would bring in each of them alone.
    ///   - watchClock: Decides when the run looks whether another process cancels it. It does not affect
    ///     results.
    ///   - stop: Raised by a signal, by an exceeded error budget, or if another process cancels the job.
    ///   - observe: Called with events, from the tasks of the run.
    ///   - observingCommits: Called before and after each commit, for tests of crashes.
    ///   - reshaping: Changes the flow before it runs, for tests that add delays.
    package init(
        _ request: ImportRequest, clock: any RunClock = SystemClock(),
        replayClock: (any RunClock)? = nil, watchClock: any RunClock = SystemClock(),
        stop: StopSignal = StopSignal(),
        observingCommits: (@Sendable (ResultsStore.CommitPoint) -> Void)? = nil,
        reshaping: @escaping @Sendable (Flow) -> Flow = { $0 },
        observing observe: @escaping @Sendable (ImportEvent) -> Void = { _ in }
    ) {
        self.request = request
        let progress = Guarded(ImportProgress())
        core = ImportRun(
            clock: clock, replayClock: replayClock ?? clock, watchClock: watchClock, stop: stop,
            progress: progress,
            observe: { event in
                progress.withLock { $0.note(event) }
                observe(event)
            },
            commits: observingCommits, reshape: reshaping)
    }

    /// The import as one of files.
    var files: FileImport { FileImport(core: core, request: request) }

    /// Runs the import in the request's mode.
    ///
    /// - Throws: Failures that prevent the job from beginning. Later failures are in the outcome.
    package func run() async throws(ETLError) -> ImportOutcome {
        switch request.mode {
        case .files, .restart, .pending: try await files.run()
        case .corrections(let list):
            try await CorrectedRowsImport(core: core, request: request, list: list).run()
        case .refresh(let refresh):
            try await BooksRefresh(core: core, request: request, refresh: refresh).run()
        }
    }

    /// The job that the request continues: an unfinished one, one with pending records, or one whose rejects
    /// are corrected; nil if the request starts a new one.
    ///
    /// - Throws: `.missing` for a file or a job that does not exist, and what reading either throws.
    package static func jobToContinue(
        _ request: ImportRequest, waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(ETLError) -> Job? {
        if request.corrected != nil {
            let connection = try StoreFile.openForReading(request.storePath, waiting: policy)
            return try JobTable(connection).existing(request.jobName)
        }
        guard !request.restarts,
            let connection = try StoreFile.openIfStarted(request.storePath, waiting: policy)
        else { return nil }
        let table = JobTable(connection)
        guard let job = try table.jobToContinue(try request.job()) else { return nil }
        return job.isUnfinished || request.finishesPending ? job : nil
    }

    /// The completed job that the request names and that has read the same files: there is nothing to do. nil if
    /// the request starts or continues a job.
    package static func completedJob(
        _ request: ImportRequest, waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(ETLError) -> Job? {
        guard case .files = request.mode, let name = request.jobName,
            let connection = try StoreFile.openIfStarted(request.storePath, waiting: policy),
            let job = try JobTable(connection).job(named: name), !job.isUnfinished, job.undoneBy == nil,
            job.library == request.library, job.pipeline == request.definition.name,
            JobTable.isSame(job.inputs, try request.job().inputs)
        else { return nil }
        return job
    }
}
