import Application
import Books
import Pipeline

/// Turns what an import tells into progress and events.
final class SessionProgress: Sendable {
    private let console: Console
    private let events: EventStream?
    private let state = Guarded(ImportProgress())
    /// What is told of the files where they overwrite each other.
    private let remarks = Guarded<[String]>([])

    init(console: Console, events: EventStream?) {
        self.console = console
        self.events = events
    }

    /// The job, once it has begun.
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
                    Diagnostic(.detail, "\(file.fingerprint.name): \(file.profile), \(count)"))
                console.tell(file)
            }
            remarks.withLock { $0 = survey.remarks }
        case .began(let job): reportStart(of: job)
        case .takingUp(let count):
            console.note(
                "Taking up \(HumanText.count(count, "record")) left open by services or decided in a review.")
        case .heldBack(let count):
            console.note(
                "What could be taken up waits: answers to \(HumanText.count(count, "other record")) were dropped "
                    + "from the store since (`etl cache purge`), and services do not give them again now.")
        case .leftOut(let services):
            console.note(
                "The job goes on with the services it was begun with, without \(services.joined(separator: ", ")). "
                    + "A new import of the file asks all that are set up now.")
        case .locked(let path): console.note("The run waits for another program that has \(path) locked.")
        case .leftOpen: break
        case .settled: tell(progress)
        case .waiting: show(progress)
        case .ran(.committed(let end, _, _)): tell(progress, end: end)
        case .ran(.retrying(let stage, let failure, let attempt, let pause)):
            console.warn(
                "\(stage): \(failure.message) Attempt \(attempt) follows in \(HumanText.duration(seconds: Double(pause) / 1e9))."
            )
        }
    }

    private func reportStart(of job: Job) {
        if job.checkpoint != .start {
            let (done, all) = (job.counts.totalProcessed, job.totalCount)
            console.note(
                all.map { done < $0 } ?? job.isUnfinished
                    ? "Job \(job.name) goes on; \(HumanText.count(done, "record"))"
                        + (all.map { " of \(HumanText.count($0))" } ?? "") + " are done."
                    : "Job \(job.name) has read all of its records and goes on with those that wait.")
        }
        if job.mode == .fill {
            console.warn(job.older)
        } else {
            for remark in remarks.withLock({ $0 }) { console.warn(UserText(remark)) }
        }
        events?.began(job)
    }

    private func tell(_ progress: ImportProgress, end: Position? = nil) {
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
    /// Tells what is worth knowing of a file that was surveyed.
    func tell(_ file: LibrarySurvey.File) {
        for remark in file.remarks { note(UserText(remark)) }
        for warning in file.warnings { warn(warning) }
    }
}
