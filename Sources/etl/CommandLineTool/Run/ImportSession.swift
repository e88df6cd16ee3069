import Database
import Formats
import Jobs
import Store
import System

/// An import on the terminal: standard input, a dry run's copy of the store, signals, log and progress. Shared by
/// `import`, `run`, `resume` and `enrich`.
struct ImportSession {
    let arguments: ParsedArguments
    let console: Console
    /// The file that the pipeline was read from, if any.
    var definition: String?
    /// Writes the changes of a dry run in its copy of the store, in place of the closing report; nil for the report.
    var showChanges: ((Job, String) throws(CommandFailure) -> Void)?

    /// Runs an import, for a dry run on a copy of the store, and reports the result.
    ///
    /// - Parameters:
    ///   - inputs: The names of the files for messages; nil for the names in the request.
    ///   - openOutputs: Open output files, already checked against the request; nil to open those of the
    ///     command line.
    func run(
        _ request: ImportRequest, inputs: [String]? = nil, reporting openOutputs: RunOutputs? = nil
    ) async throws(CommandFailure) -> ExitStatus {
        Signals.process.outliveTerminal()
        let store = request.storePath
        var request = request
        DryRunLock.removeAbandoned(of: store)
        StandardInput.removeAbandoned(beside: store)
        let library = request.library
        try StoreInput.warn(about: request.reading.files, into: library, on: console)
        let spools = try StandardInput.spool(&request.reading.files, beside: store)
        // A run that never started, and a dry run, have no job that needs the spools.
        var job: Job?
        defer { StandardInput.removeSpools(spools, beside: store, of: job) }
        if openOutputs == nil { for remark in try ServiceSetup().remarks { console.warn(UserText(remark)) } }
        if openOutputs == nil { try OutputFiles(arguments).check(against: request, definition: definition) }
        if !request.isDryRun, let done = try completed(request, reporting: openOutputs) {
            let events =
                arguments[RunOptions.events] == nil ? nil : try outputs(openOutputs).events
            return try report.write(completed: done, asked: request.options, in: store, events: events)
        }
        guard request.isDryRun else {
            return try await perform(request, inputs: inputs, on: nil, reporting: openOutputs, noting: &job)
        }
        let copy = try DryRun(of: store)
        defer { copy.remove() }
        request.storePath = copy.path
        var forgotten: Job?
        return try await perform(
            request, inputs: inputs, on: copy, reporting: openOutputs, noting: &forgotten)
    }

    /// The completed job that the request names. That it cannot be looked up, for example because a file is missing,
    /// is also reported to `--events`.
    private func completed(
        _ request: ImportRequest, reporting openOutputs: RunOutputs?
    ) throws(CommandFailure) -> Job? {
        do throws(ETLError) {
            return try ImportJob.completedJob(request)
        } catch {
            try outputs(openOutputs).events?.refused(request, error)
            throw CommandFailure(error, inputs: request.reading.files)
        }
    }

    private var report: ImportReport {
        ImportReport(arguments: arguments, console: console, showChanges: showChanges)
    }

    private func outputs(_ open: RunOutputs?) throws(CommandFailure) -> RunOutputs {
        if let open { return open }
        return try OutputFiles(arguments).open(console)
    }

    /// - Parameter job: Set to the job once it has started, in its final state.
    private func perform(
        _ request: ImportRequest, inputs: [String]?, on copy: DryRun?, reporting openOutputs: RunOutputs?,
        noting job: inout Job?
    ) async throws(CommandFailure) -> ExitStatus {
        let stop = StopSignal()
        Signals.process.raise(stop) { [console] in
            console.note("Stopping after the batches in progress. Press Ctrl-C again to stop at once.")
        }
        let outputs = try outputs(openOutputs)
        var log: RunLog?
        if let path = arguments[RunOptions.log] {
            log = RunLog(try WritableFile.appending(to: path), arguments[RunOptions.logFormat])
            log.map(console.write(to:))
        }
        let pings = try Pings(arguments, console)
        await pings?.start()
        let progress = SessionProgress(console: console, events: outputs.events)
        let reporting = Task { await progress.keepReporting() }
        let outcome: ImportOutcome
        do {
            outcome = try await ImportJob(
                request, stop: stop,
                observing: { [log] event in
                    log?.note(event)
                    progress.note(event)
                }
            ).run()
            await Self.end(reporting)
        } catch {
            await Self.end(reporting)
            job = progress.job
            await pings?.end(ExitStatus(error.kind), of: job?.name, isSuccess: false)
            if job == nil { outputs.events?.refused(request, error) }
            let signal = stop.isRaised ? Signals.process.received : nil
            throw RunExit.failureBeforeStart(error, signal: signal)
                ?? CommandFailure(error, inputs: inputs ?? request.reading.files)
        }
        job = outcome.job
        // The exit status is decided before reporting: a failure to report must not hide it.
        let ending = RunExit(
            outcome, isStrict: arguments[RunOptions.strict], isDryRun: request.isDryRun,
            signal: Signals.process.received)
        let failures = report.write(
            outcome, of: request, to: outputs, waiting: LockWaitPolicy(stop: stop))
        copy?.keepAnswers(outcome.services, console)
        for failure in failures { console.report(failure) }
        // A spent budget is no failure: the next night continues.
        let isSpent = if case .unfinished(_, isSpent: true) = outcome.end { true } else { false }
        await pings?.end(
            ending.status, of: outcome.job.name,
            isSuccess: isSpent || ending.failure == nil && outcome.end != .stopped)
        if let failure = ending.failure { throw failure }
        return failures.reduce(ending.status) { $0.after($1) }
    }

    private static func end(_ reporting: Task<Void, Never>) async {
        reporting.cancel()
        await reporting.value
    }
}
