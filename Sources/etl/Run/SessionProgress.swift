import Application
import Books
import Pipeline

/// Turns the events of an import into progress, messages and `--events`.
final class SessionProgress: Sendable {
    private let console: Console
    private let events: EventStream?
    private let state = Guarded(ImportProgress())
    /// Remarks about the files, shown if the job updates existing entries.
    private let remarks = Guarded<[String]>([])

    init(console: Console, events: EventStream?) {
        self.console = console
        self.events = events
    }

    /// The job, once it has started.
    var job: Job? { state.withLock { $0.job } }

    func note(_ event: ImportEvent) {
        let progress = state.withLock { state in
            state.note(event)
            return state
        }
        switch event {
        case .surveyed(let survey):
            for file in survey.files {
                let count = HumanText.count(file.recordCount, "record")
                console.tell(
                    Diagnostic(.detail, "\(file.fingerprint.name): \(file.formatName), \(count)"))
                console.tell(file)
            }
            remarks.withLock { $0 = survey.remarks }
        case .began(let job): reportStart(of: job)
        case .pendingPassBegan(let count):
            console.note(
                "Completing \(HumanText.count(count, "pending record")): asking services again, and applying decisions."
            )
        case .stayedPending(let count):
            console.note(
                "The pending records stay pending: the cached answers of \(HumanText.count(count, "other record")) "
                    + "were deleted (`etl cache purge`) and cannot be fetched again now.")
        case .servicesLeftOut(let services):
            console.note(
                "The job continues with the services it started with, without \(services.joined(separator: ", ")). "
                    + "A new import of the file asks all services that are configured now.")
        case .locked(let path): console.note("Waiting for another program that has \(path) locked.")
        case .pendingInBatch: break
        case .finished: report(progress)
        case .waiting: show(progress)
        case .ran(.committed(let end, _, _)): report(progress, end: end)
        case .ran(.retrying(let stage, let failure, let attempt, let pause)):
            console.warn(
                "\(stage): \(failure.message) Attempt \(attempt) starts in \(HumanText.duration(seconds: Double(pause) / 1e9))."
            )
        }
    }

    private func reportStart(of job: Job) {
        if job.checkpoint != .start {
            let (done, all) = (job.counts.totalProcessed, job.totalCount)
            console.note(
                all.map { done < $0 } ?? job.isUnfinished
                    ? "Continuing job \(job.name) after "
                        + (all.map { "\(HumanText.count(done)) of \(HumanText.count($0, "record"))." }
                            ?? "\(HumanText.count(done, "record")).")
                    : job.pending > 0
                        ? "Continuing job \(job.name) with its pending records. All other records are done."
                        : "Continuing job \(job.name): all its records are done.")
        }
        if job.mode == .fill {
            console.warn(job.olderExportWarning)
        } else {
            for remark in remarks.withLock({ $0 }) { console.warn(UserText(remark)) }
        }
        events?.began(job)
    }

    private func report(_ progress: ImportProgress, end: Position? = nil) {
        show(progress)
        if let job = progress.job { events?.advanced(job, to: progress.done, end: end) }
    }

    private func show(_ progress: ImportProgress) {
        guard let job = progress.job else { return }
        console.progress(
            ProgressState(
                done: progress.done, total: job.totalCount, rejected: progress.rejected,
                waitingFor: WaitingText.of(progress.waiting)))
    }
}

extension Console {
    /// Writes the remarks and warnings about a surveyed file.
    func tell(_ file: LibrarySurvey.File) {
        for remark in file.remarks { note(UserText(remark)) }
        for warning in file.warnings { warn(warning) }
    }
}
