import Foundation
import Pipeline
import Stages

/// An import on the terminal: signals, progress, events, the closing table. What `import`, `run` and `resume` share.
struct ImportSession {
    let arguments: ParsedArguments
    let console: Console

    /// How long results stand over HTTP, and what `expiresAt` says (contract.md section 7): 24 hours.
    private static let resultsLifetime: Int64 = 24 * 3_600 * 1_000

    /// Runs the order, on a copy of the store where nothing shall be kept, and tells how it went.
    func run(_ order: ImportOrder) async throws(CommandFailure) -> ExitStatus {
        guard order.isDryRun else { return try await perform(order) }
        let copy = try DryRun(of: order.storePath)
        defer { copy.remove() }
        var dry = order
        dry.storePath = copy.path
        return try await perform(dry)
    }

    private func perform(_ order: ImportOrder) async throws(CommandFailure) -> ExitStatus {
        let stop = StopSignal()
        Signals.process.raise(stop) { [console] in
            console.note("Stopping after the batch in hand; press again to stop at once.")
        }
        let events = try EventStream(arguments[RunOptions.events], console)
        let progress = SessionProgress(console: console, events: events)
        let outcome: ImportOutcome
        do {
            outcome = try await ImportJob(order, stop: stop, observing: { progress.note($0) }).run()
        } catch {
            throw CommandFailure(error, input: order.names.first)
        }
        let expiresAt = SystemClock().epochMilliseconds() + Self.resultsLifetime
        events?.ended(outcome, expiresAt: expiresAt)
        if let failure = events?.failure { throw failure }

        var summary = outcome.summary(
            quality: try quality(of: outcome, in: order.storePath), expiresAt: expiresAt,
            peakMemoryBytes: Self.peakMemory())
        summary.findings = try findings(of: outcome, in: order.storePath)
        if let path = arguments[RunOptions.metrics] { try Metrics.write(summary, to: path) }
        try tell(outcome, summary, order)
        return try status(of: outcome)
    }

    private func quality(of outcome: ImportOutcome, in store: String) throws(CommandFailure) -> QualityTally {
        do throws(StageFailure) {
            return try QualityFigures(try StoreFile.openForReading(store)).tally(of: outcome.job)
        } catch {
            throw CommandFailure(error)
        }
    }

    private func findings(of outcome: ImportOutcome, in store: String) throws(CommandFailure) -> FindingCounts
    {
        do throws(StageFailure) {
            return try FindingFigures(try StoreFile.openForReading(store)).counts(of: outcome.job)
        } catch {
            throw CommandFailure(error)
        }
    }

    private func tell(
        _ outcome: ImportOutcome, _ summary: JobSummary, _ order: ImportOrder
    ) throws(CommandFailure) {
        if arguments[RunOptions.json] {
            var json = JSONWriter()
            summary.write(into: &json)
            try console.write(json.bytes + [UInt8(ascii: "\n")])
            return
        }
        // Standard output is the events' when they go there.
        guard arguments[RunOptions.events] != "-" else { return }
        let store = order.storePath == "library.sqlite" ? nil : order.storePath
        var report = ClosingReport(outcome: outcome, summary: summary, store: store)
        report.isDryRun = order.isDryRun
        try report.write(to: console)
    }

    private func status(of outcome: ImportOutcome) throws(CommandFailure) -> ExitStatus {
        switch outcome.end {
        case .completed:
            return arguments[RunOptions.strict] && outcome.job.counts.rejected > 0 ? .rejected : .completed
        case .stopped:
            return Signals.process.received == SIGTERM ? .terminated : .interrupted
        case .canceled:
            throw CommandFailure(
                .temporary, "Job \(outcome.job.name) was canceled from another process.",
                advice: "`etl resume \(outcome.job.name)` takes it up again.")
        case .failed(let failure):
            throw CommandFailure(failure, input: outcome.job.inputs.first?.name)
        }
    }

    /// The most memory the process held resident, in bytes.
    private static func peakMemory() -> Int64 {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Int64(usage.ru_maxrss) * 1_024
    }
}

/// Turns what an import tells into progress and events.
private final class SessionProgress: Sendable {
    private struct State {
        var job: Job?
        var done = 0
        var rejected = 0
    }

    private let console: Console
    private let events: EventStream?
    private let state = Guarded(State())

    init(console: Console, events: EventStream?) {
        self.console = console
        self.events = events
    }

    func note(_ event: ImportEvent) {
        switch event {
        case .surveyed(let survey):
            for file in survey.files {
                console.tell(
                    Diagnostic(
                        .detail,
                        "\(file.fingerprint.name): \(file.profile), \(HumanText.count(file.recordCount, "record"))"
                    ))
                for remark in file.remarks { console.note(remark) }
            }
        case .began(let job):
            state.withLock {
                $0.job = job
                $0.done = job.counts.totalProcessed
                $0.rejected = job.counts.rejected
            }
            if job.checkpoint != .start {
                console.note(
                    "Job \(job.name) goes on after record \(job.checkpoint.record - 1) "
                        + "(\(HumanText.count(job.counts.totalProcessed)) done).")
            }
            if job.mode == .fill {
                console.note(
                    "This export is older than the last one imported: it only fills gaps. --replace overwrites."
                )
            }
            events?.began(job)
        case .ran(.committed(let end, let records, let rejects)):
            let (job, done, bad) = state.withLock { state in
                state.done += records
                state.rejected += rejects.values.reduce(0, +)
                return (state.job, state.done, state.rejected)
            }
            guard let job else { return }
            console.progress(ProgressState(done: done, total: job.totalCount, rejected: bad))
            events?.committed(job, records: records, end: end)
        case .ran(.retrying(let stage, let failure, let attempt, let pause)):
            console.warn(
                "\(stage): \(failure.message) Attempt \(attempt) follows in \(HumanText.duration(seconds: Double(pause) / 1e9))."
            )
        }
    }
}
