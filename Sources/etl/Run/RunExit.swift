import Application
import Books
import Pipeline

/// What a run that has ended means for whoever started it: its exit status, and the failure to report, if there is
/// one. It is decided by the run alone, before anything is told of it.
struct RunExit: Sendable, Hashable {
    let status: ExitStatus
    /// What is reported, where it did not end well by itself.
    let failure: CommandFailure?

    /// - Parameters:
    ///   - isStrict: Whether rejects make a completed run fail.
    ///   - signal: The signal that asked it to stop, if one did.
    init(_ outcome: ImportOutcome, isStrict: Bool, signal: Int32?) {
        self.init(
            outcome.end, job: outcome.job.name, inputs: outcome.job.inputs.map(\.name),
            rejected: outcome.job.counts.rejected, isStrict: isStrict, signal: signal)
    }

    /// What is reported where a signal came while what a run begins with was not to be had, as a store that another
    /// program has locked; nil for any other failure.
    static func failureBeforeStart(_ failure: StageFailure, signal: Int32?) -> CommandFailure? {
        guard failure.kind == .temporary, let signal else { return nil }
        return CommandFailure(
            .stopped(by: signal), "The run was stopped before it began. \(failure.message)",
            advice: "The same command begins it again.")
    }

    init(
        _ end: ImportOutcome.End, job: String, inputs: [String], rejected: Int, isStrict: Bool, signal: Int32?
    ) {
        switch end {
        case .completed:
            status = isStrict && rejected > 0 ? .rejected : .completed
            failure = nil
        case .paused(let pause):
            let services = pause.services.joined(separator: ", ")
            let when = pause.resumeAt.map { " from \(Timestamp.withoutFraction($0)) on" } ?? ""
            let paused = CommandFailure(
                .temporary, "Job \(job) waits for \(services): the day's budget of calls is spent.",
                advice: "\(UserCommand.resume(job: job)) continues\(when).")
            status = paused.status
            failure = paused
        case .stopped:
            status = .stopped(by: signal)
            failure = nil
        case .canceled:
            let canceled = CommandFailure(
                .temporary, "Job \(job) was canceled from another process.",
                advice: "\(UserCommand.resume(job: job)), or the same command again, continues it.")
            status = canceled.status
            failure = canceled
        case .failed(let broken):
            let failed = CommandFailure(broken, inputs: inputs)
            status = failed.status
            failure = failed
        }
    }
}
