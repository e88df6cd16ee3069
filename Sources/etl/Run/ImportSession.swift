import Application
import Books
import Database
import FoundationEssentials
import Glibc
import Pipeline
import Syntax

/// An import on the terminal: signals, progress, events, the closing report. Shared by `import`, `run` and
/// `resume`.
struct ImportSession {
    let arguments: ParsedArguments
    let console: Console
    /// The file that the pipeline was read from, if any.
    var definition: String?
    /// Writes what a dry run has changed in its copy of the store, in place of the closing report; nil for the
    /// report.
    var showChanges: ((Job, String) throws(CommandFailure) -> Void)?

    /// How long results are valid, for `expiresAt`, in milliseconds.
    private static let resultsLifetime = Int64(JobResults.hoursKept) * 3_600 * 1_000

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
            return try report(completed: done, asked: request.options, in: store, reporting: openOutputs)
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
        do throws(StageFailure) {
            return try ImportJob.completedJob(request)
        } catch {
            try outputs(openOutputs).events?.refused(request, error)
            throw CommandFailure(error, inputs: request.reading.files)
        }
    }

    private func outputs(_ open: RunOutputs?) throws(CommandFailure) -> RunOutputs {
        if let open { return open }
        return try OutputFiles(arguments).open(console)
    }

    /// Reports that the job which the user names has already read the file.
    ///
    /// - Parameter asked: The options of the request.
    private func report(
        completed job: Job, asked: JobOptions?, in store: String, reporting openOutputs: RunOutputs?
    ) throws(CommandFailure) -> ExitStatus {
        let files = JobLookup.inputs(of: job)
        console.note(
            job.pending > 0
                ? "Job `\(job.name)` has already imported \(files). To complete its pending records, run \(UserCommand.resume(job: job.name))."
                : "Job `\(job.name)` has already imported \(files): nothing to do.")
        let known = job.options?.options ?? [:]
        let unused = (asked?.options ?? [:]).filter { known[$0.key] != $0.value }.map {
            "--\($0.key.rawValue)"
        }.sorted()
        if !unused.isEmpty {
            console.warn(
                "The job is complete, so \(unused.joined(separator: ", ")) \(unused.count == 1 ? "was" : "were") not used.",
                advice:
                    "To use \(unused.count == 1 ? "it" : "them"), import the file under another --job name.")
        }
        if arguments[RunOptions.events] != nil {
            let events = try outputs(openOutputs).events
            events?.began(job)
            events?.completed(job, expiresAt: (job.endedAt ?? job.updatedAt) + Self.resultsLifetime)
            if let failure = events?.failure { throw failure }
        }
        if arguments[RunOptions.json] { try reportStatus(of: job, in: store) }
        return .completed
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
        let failures = report(outcome, request, outputs, waiting: LockWaitPolicy(stop: stop))
        for warning in outcome.corrections?.warnings ?? [] { console.warn(warning) }
        warnAboutPending(outcome, request)
        if outcome.end == .stopped, !outcome.job.isRefresh, !(isReportPrinted && failures.isEmpty) {
            adviseToResume(outcome, request)
        }
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

    /// Reports the result in every requested form.
    ///
    /// - Parameter policy: How to wait for another program that has the store locked.
    /// - Returns: The failures to report.
    private func report(
        _ outcome: ImportOutcome, _ request: ImportRequest, _ outputs: RunOutputs,
        waiting policy: LockWaitPolicy
    ) -> [CommandFailure] {
        var failures: [CommandFailure] = []
        func attempt(_ part: () throws(CommandFailure) -> Void) {
            do throws(CommandFailure) { try part() } catch { failures.append(error) }
        }
        let expiresAt = SystemClock().epochMilliseconds() + Self.resultsLifetime
        outputs.events?.ended(outcome, expiresAt: expiresAt)
        if let failure = outputs.events?.failure { failures.append(failure) }
        // The figures take a pass over the store, so they are only computed if they are needed.
        guard isSummaryPrinted || outputs.metrics != nil else { return failures }
        attempt { () throws(CommandFailure) in
            var summary = outcome.summary(
                quality: try quality(of: outcome.job, in: request.storePath, waiting: policy),
                expiresAt: expiresAt, peakMemoryBytes: Self.peakMemory())
            summary.findings = try findings(of: outcome.job, in: request.storePath, waiting: policy)
            summary.endedAt = SystemClock().epochMilliseconds()
            if let metrics = outputs.metrics {
                attempt { [summary] () throws(CommandFailure) in try metrics.add(summary) }
            }
            try writeSummary(outcome, summary, request)
        }
        return failures
    }

    /// Whether a summary is written to standard output. Events on standard output exclude it.
    private var isSummaryPrinted: Bool { arguments[RunOptions.json] || isReportPrinted || showChanges != nil }

    /// Whether the summary is the closing report, which also names the next steps.
    private var isReportPrinted: Bool {
        !arguments[RunOptions.json] && arguments[RunOptions.events] != "-"
            && !arguments[GlobalOptions.quiet]
    }

    /// Says how to continue a stopped job.
    private func adviseToResume(_ outcome: ImportOutcome, _ request: ImportRequest) {
        guard !request.isDryRun else { return }
        let name = outcome.job.name
        console.note(
            outcome.corrections == nil
                ? "Job `\(name)` stopped. To continue it, run \(UserCommand.resume(job: name))."
                : "The import of corrected rows into job `\(name)` stopped. To continue it, run the same command again."
        )
    }

    /// Warns about services that left records open, with the reasons.
    private func warnAboutPending(_ outcome: ImportOutcome, _ request: ImportRequest) {
        guard outcome.job.pending > 0, !request.isDryRun else { return }
        for sentence in PendingText.of(outcome.waiting, services: outcome.services) {
            console.warn(UserText(sentence))
        }
    }

    private func findings(
        of job: Job, in store: String, waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(CommandFailure) -> FindingCounts {
        do throws(StageFailure) {
            return try FindingCounter(try StoreFile.openForReading(store, waiting: policy)).counts(of: job)
        } catch {
            throw CommandFailure(error)
        }
    }

    private func quality(
        of job: Job, in store: String, waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(CommandFailure) -> QualityTally {
        do throws(StageFailure) {
            return try QualityMetrics(try StoreFile.openForReading(store, waiting: policy)).tally(of: job)
        } catch {
            throw CommandFailure(error)
        }
    }

    private func writeSummary(
        _ outcome: ImportOutcome, _ summary: JobSummary, _ request: ImportRequest
    ) throws(CommandFailure) {
        guard isSummaryPrinted else { return }
        if let showChanges { return try showChanges(outcome.job, request.storePath) }
        if arguments[RunOptions.json] { return try write(summary) }
        var report = ClosingReport(outcome: outcome, summary: summary, store: request.storePath)
        report.isDryRun = request.isDryRun
        report.isVerbose = arguments[GlobalOptions.verbose]
        report.correctedDates = request.corrected?.dateOrder
        try report.write(to: console)
    }

    /// Writes the summary of a job for which there was nothing to do.
    func reportStatus(of job: Job, in store: String) throws(CommandFailure) {
        var summary = JobSummary(
            jobId: job.name, pipeline: job.contractPipeline, state: job.state, counts: job.counts,
            duration: 0,
            expiresAt: (job.endedAt ?? job.updatedAt) + Self.resultsLifetime,
            quality: try quality(of: job, in: store), stages: [], peakMemoryBytes: Self.peakMemory())
        summary.findings = try findings(of: job, in: store)
        summary.pending = job.pending - job.decided
        summary.decided = job.decided
        summary.resumeAt = job.pause?.resumeAt
        summary.joined = job.options?.joined
        try write(summary)
    }

    private func write(_ summary: JobSummary) throws(CommandFailure) {
        try console.writeJSON { summary.write(into: &$0) }
    }

    /// Peak resident memory of the process in bytes.
    private static func peakMemory() -> Int64 {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Int64(usage.ru_maxrss) * 1_024
    }
}
