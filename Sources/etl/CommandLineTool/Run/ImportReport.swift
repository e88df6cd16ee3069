import Books
import Contract
import Database
import Glibc
import Jobs
import Queries
import Store
import System

/// Output of an import at its end: events, metrics, the summary, warnings and advice.
struct ImportReport {
    let arguments: ParsedArguments
    let console: Console
    /// Writes the changes of a dry run in its copy of the store, in place of the closing report; nil for the report.
    var showChanges: ((Job, String) throws(CommandFailure) -> Void)?

    /// Lifetime of results, for `expiresAt`, in milliseconds.
    private static let resultsLifetime = Int64(JobResults.hoursKept) * 3_600 * 1_000

    /// Reports that the job which the user names has already read the file.
    ///
    /// - Parameters:
    ///   - asked: The options of the request.
    ///   - events: Stream for the event that the job has completed; nil if it was not asked for.
    func write(
        completed job: Job, asked: JobOptions, in store: String, events: EventStream?
    ) throws(CommandFailure) -> ExitStatus {
        let files = JobLookup.inputs(of: job)
        console.note(
            job.pending > 0
                ? "Job `\(job.shortName)` has already imported \(files). To complete its pending records, run \(UserCommand.resume(job: job.shortName))."
                : "Job `\(job.shortName)` has already imported \(files): nothing to do.")
        let known = job.options?.options ?? [:]
        let unused = asked.options.filter { known[$0.key] != $0.value }.map { JobLookup.spelled($0.key) }
            .sorted()
        if !unused.isEmpty {
            console.warn(
                "The job is complete, so \(unused.joined(separator: ", ")) \(unused.count == 1 ? "was" : "were") not used.",
                advice:
                    "To use \(unused.count == 1 ? "it" : "them"), import the file under another --job name.")
        }
        if let events {
            events.began(job)
            let found = try counts(of: job, in: store)
            events.completed(job, expiresAt: Self.expiry(of: job), quality: found.quality)
            if let failure = events.failure { throw failure }
        }
        if arguments[RunOptions.json] { try writeStatus(of: job, in: store) }
        return .completed
    }

    /// Reports the result of an import in every requested form.
    ///
    /// - Parameter policy: Wait policy if another program has locked the store.
    /// - Returns: The failures to report.
    func write(
        _ outcome: ImportOutcome, of request: ImportRequest, to outputs: RunOutputs,
        waiting policy: LockWaitPolicy
    ) -> [CommandFailure] {
        let failures = writeResult(outcome, request, outputs, policy)
        for warning in outcome.corrections?.warnings ?? [] { console.warn(warning) }
        guard !request.isDryRun else { return failures }
        if outcome.job.pending > 0 {
            for sentence in PendingText.of(outcome.waiting, services: outcome.services) {
                console.warn(UserText(sentence))
            }
        }
        // The closing report says so, too.
        if outcome.end == .stopped, !outcome.job.isRefresh, !(isReportPrinted && failures.isEmpty) {
            let name = outcome.job.shortName
            console.note(
                outcome.corrections == nil
                    ? "Job `\(name)` stopped. To continue it, run \(UserCommand.resume(job: name))."
                    : "The import of corrected rows into job `\(name)` stopped. To continue it, run the same command again."
            )
        }
        return failures
    }

    private func writeResult(
        _ outcome: ImportOutcome, _ request: ImportRequest, _ outputs: RunOutputs, _ policy: LockWaitPolicy
    ) -> [CommandFailure] {
        var failures: [CommandFailure] = []
        func attempt(_ part: () throws(CommandFailure) -> Void) {
            do throws(CommandFailure) { try part() } catch { failures.append(error) }
        }
        let expiresAt = SystemClock().epochMilliseconds() + Self.resultsLifetime
        // The counts take a pass over the store, so they are only computed if they are needed.
        let needsSummary = isSummaryPrinted || outputs.metrics != nil
        var found: Counts?
        if needsSummary || outputs.events != nil && outcome.end == .completed {
            attempt { () throws(CommandFailure) in
                found = try counts(of: outcome.job, in: request.storePath, waiting: policy)
            }
        }
        outputs.events?.ended(outcome, expiresAt: expiresAt, quality: found?.quality)
        if let failure = outputs.events?.failure { failures.append(failure) }
        guard needsSummary, let counts = found else { return failures }
        attempt { () throws(CommandFailure) in
            var summary = outcome.summary(
                quality: counts.quality, expiresAt: expiresAt, peakMemoryBytes: Self.peakMemory())
            summary.findings = counts.findings
            summary.fromOtherPrograms = counts.others
            summary.endedAt = SystemClock().epochMilliseconds()
            if let metrics = outputs.metrics {
                attempt { [summary] () throws(CommandFailure) in try metrics.add(summary) }
            }
            try writeSummary(outcome, summary, request)
        }
        return failures
    }

    /// Writes the summary of a job for which there was nothing to do.
    func writeStatus(of job: Job, in store: String) throws(CommandFailure) {
        let counts = try counts(of: job, in: store)
        var summary = JobSummary(
            jobId: job.name, pipeline: job.contractPipeline, state: job.state, counts: job.counts,
            duration: 0, expiresAt: Self.expiry(of: job), quality: counts.quality, stages: [],
            peakMemoryBytes: Self.peakMemory())
        summary.findings = counts.findings
        summary.fromOtherPrograms = counts.others
        summary.pending = job.pending - job.decided
        summary.decided = job.decided
        summary.resumeAt = job.pause?.resumeAt
        summary.joined = job.runState.joined
        try write(summary)
    }

    /// Whether a summary is written to standard output. Events on standard output exclude it.
    private var isSummaryPrinted: Bool { arguments[RunOptions.json] || isReportPrinted || showChanges != nil }

    /// Whether the summary is the closing report, which also names the next steps.
    private var isReportPrinted: Bool {
        !arguments[RunOptions.json] && arguments[RunOptions.events] != "-"
            && !arguments[GlobalOptions.quiet]
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

    private func write(_ summary: JobSummary) throws(CommandFailure) {
        try console.writeJSON { summary.write(into: &$0) }
    }

    private static func expiry(of job: Job) -> Int64 { (job.endedAt ?? job.updatedAt) + resultsLifetime }

    /// What the store counts of a job.
    private struct Counts {
        var quality: QualityCounts
        var findings: FindingCounts
        /// New entries of books that the library had from other programs.
        var others: [FindingCounts.Count]
    }

    /// The store's counts for a job's records.
    private func counts(
        of job: Job, in store: String, waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(CommandFailure) -> Counts {
        do throws(ETLError) {
            let connection = try StoreFile.openForReading(store, waiting: policy)
            return Counts(
                quality: try QualityMetrics(connection).counts(of: job),
                findings: try FindingCounter(connection).counts(of: job),
                others: try OtherPrograms.read(of: job, in: connection).map {
                    .init(name: $0.format, count: $0.count)
                })
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Peak resident memory of the process in bytes.
    private static func peakMemory() -> Int64 {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Int64(usage.ru_maxrss) * 1_024
    }
}
