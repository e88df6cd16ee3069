import Books
import Formats
import Jobs
import Pipeline
import Store
import System

/// Turns the events of an import into progress, messages and `--events`.
final class SessionProgress: Sendable {
    private let console: Console
    private let events: EventStream?
    private let state = Guarded(ImportProgress())
    /// Remarks about the files, shown if the job updates existing entries.
    private let remarks = Guarded<[UserWarning]>([])
    private let clock: any RunClock
    /// When the job began, in nanoseconds of the clock.
    private let start = Guarded<UInt64>(0)

    /// Services that take less time than this are not worth a message, in seconds.
    private static let shortWait = 5.0

    init(console: Console, events: EventStream?, clock: any RunClock = SystemClock()) {
        self.clock = clock
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
                // The closing report says it of a single file.
                console.tell(file, isEmptyTold: survey.files.count == 1)
            }
            remarks.withLock { $0 = survey.remarks }
        case .estimated(let estimate):
            let seconds = estimate.seconds
            if seconds.upperBound >= Self.shortWait {
                let (least, most) = (seconds.lowerBound, seconds.upperBound)
                console.note(
                    "At the services' rate limits, this takes \(HumanText.duration(seconds: least)) to "
                        + "\(HumanText.duration(seconds: most)). The library fills meanwhile.")
            }
        case .began(let job):
            start.withLock { $0 = clock.nanoseconds() }
            reportStart(of: job, servicesTaking: progress.estimate?.seconds)
        case .pendingPassBegan(let count):
            console.note(
                "Finishing \(HumanText.count(count, "pending record")): asking the services for what is missing, and applying decisions."
            )
        case .stayedPending(let count):
            console.note(
                "The pending records stay pending: answers for \(HumanText.count(count, "other record")) were deleted "
                    + "from the cache, and the services do not give them again now. Resume the job when they do."
            )
        case .addingAnswers: console.note("Adding the answers received so far to the library.")
        case .inputsNotKept(let failure):
            console.warn(
                "The input is not copied into the store: \(failure.message)",
                advice: "Keep the input files until no record is pending.")
        case .limitsNotShared(let failure):
            console.warn(
                "Rate limits are not shared with other runs: \(failure.message)",
                advice: failure.advice ?? "Until then, run only one import at a time.")
        case .servicesLeftOut(let services):
            console.note(
                "The job does not ask \(HumanText.list(services, "or")): it started without \(services.count == 1 ? "this service" : "these services"). "
                    + "To ask \(services.count == 1 ? "it" : "them"), import the file again.")
        case .locked(let path): console.note("Waiting for another process that has `\(path)` locked.")
        case .pendingInBatch: break
        case .finished: report(progress)
        case .waiting: show(progress)
        case .ran(.writing): break
        case .ran(.committed(let end, _, _)): report(progress, end: end)
        case .ran(.retrying(let stage, let failure, let attempt, let pause)):
            console.warn(
                "\(stage): \(failure.message) Retrying in \(HumanText.duration(seconds: Double(pause) / 1e9)) (attempt \(attempt))."
            )
        }
    }

    private func reportStart(of job: Job, servicesTaking seconds: ClosedRange<Double>?) {
        if job.checkpoint != .start {
            let (done, all) = (job.counts.totalProcessed, job.totalCount)
            console.note(
                all.map { done < $0 } ?? job.isUnfinished
                    ? "Continuing job `\(job.name)` after "
                        + (all.map { "\(HumanText.count(done)) of \(HumanText.count($0, "record"))." }
                            ?? "\(HumanText.count(done, "record")).")
                    : job.pending > 0
                        ? "Continuing job `\(job.name)` with its pending records. All other records are committed."
                        : "All records of job `\(job.name)` are already committed; finishing the job.")
        }
        if job.mode == .fill {
            console.warn(job.olderExportWarning)
        } else {
            for remark in remarks.withLock({ $0 }) { console.warn(remark) }
        }
        events?.began(job, servicesTaking: seconds)
    }

    private func report(_ progress: ImportProgress, end: Position? = nil) {
        show(progress)
        if let job = progress.job { events?.advanced(job, to: progress.done, end: end) }
    }

    /// Reports the progress while nothing happens, until the task is canceled. A run can wait for services for
    /// minutes.
    func keepReporting() async {
        while true {
            await clock.sleep(nanoseconds: 1_000_000_000)
            guard !Task.isCancelled else { return }
            let progress = state.withLock { $0 }
            guard let job = progress.job else { continue }
            events?.remind(job, at: progress.done, waitingFor: waitingText(progress))
            show(progress)
        }
    }

    private func show(_ progress: ImportProgress) {
        guard let job = progress.job else { return }
        console.progress(
            ProgressState(
                done: progress.done, total: job.totalCount, rejected: progress.rejected,
                waitingFor: waitingText(progress)))
    }

    private func waitingText(_ progress: ImportProgress) -> String? {
        let elapsed = Double(clock.nanoseconds() - start.withLock { $0 }) / 1e9
        return WaitingText.of(
            progress.waiting, secondsLeft: progress.serviceSecondsLeft(elapsed: elapsed))
    }
}

extension Console {
    /// Writes a survey's findings, for imports into a store that is not kept.
    func tell(_ event: ImportEvent) {
        guard case .surveyed(let survey) = event else { return }
        for file in survey.files { tell(file) }
        for remark in survey.remarks { warn(remark) }
    }

    /// Writes the remarks and warnings about a surveyed file.
    ///
    /// - Parameter isEmptyTold: Whether something else says that the file has no records.
    func tell(_ file: LibrarySurvey.File, isEmptyTold: Bool = false) {
        if !isEmptyTold || file.recordCount > 0 { for remark in file.remarks { note(UserText(remark)) } }
        for warning in file.warnings { warn(warning) }
    }

    func warn(_ warning: UserWarning) { warn(warning.message, advice: warning.advice) }
}
