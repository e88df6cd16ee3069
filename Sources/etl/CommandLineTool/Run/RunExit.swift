import Books
import Contract
import Jobs
import Store
import System

/// The exit status of a run, and the failure to report, if any. It depends only on the run, not on whether
/// the report could be written.
struct RunExit: Sendable, Hashable {
    /// Amount of pending records at the end of a run that asked services.
    enum Pending: Sendable, Hashable {
        /// Not all of them.
        case few
        case all
        /// All of them, until the user changes something: a key, an address.
        case allUntilChange

        init(_ outcome: ImportOutcome) {
            guard outcome.isAllPending else {
                self = .few
                return
            }
            self = outcome.mayEndByItself ? .all : .allUntilChange
        }
    }

    let status: ExitStatus
    /// The failure to report; nil if the run completed or was stopped.
    let failure: CommandFailure?

    /// - Parameters:
    ///   - isStrict: Whether rejects make a completed run fail.
    ///   - isDryRun: Whether nothing was stored, so that nothing can be completed later.
    ///   - signal: The signal that stopped it, if any.
    init(_ outcome: ImportOutcome, isStrict: Bool, isDryRun: Bool, signal: Int32?) {
        self.init(
            outcome.end, job: outcome.job.shortName, inputs: outcome.job.inputs.map(\.name),
            rejected: outcome.job.counts.rejected,
            pending: isDryRun ? .few : Pending(outcome), resumeAt: outcome.pause?.resumeAt,
            isStrict: isStrict, signal: signal)
    }

    /// The failure to report if a signal arrived while the run could not start yet, for example because
    /// another program had locked the store; nil for any other failure.
    static func failureBeforeStart(_ failure: ETLError, signal: Int32?) -> CommandFailure? {
        guard failure.kind == .temporary, let signal else { return nil }
        return CommandFailure(
            .stopped(by: signal), "The run was stopped before it started. \(failure.message)",
            advice: "Run the same command again.")
    }

    init(
        _ end: ImportOutcome.End, job: String, inputs: [String], rejected: Int, pending: Pending,
        resumeAt: Int64? = nil, isStrict: Bool, signal: Int32?
    ) {
        func when(_ instant: Int64?) -> String {
            instant.map { "after \(Timestamp.withoutFraction($0))" } ?? "later"
        }
        switch end {
        case .completed where pending != .few:
            let pending = CommandFailure(
                pending == .all ? .temporary : .unavailable,
                "All records of job `\(job)` that need services are pending.",
                advice: pending == .all
                    ? "They are stored. To complete them, run \(UserCommand.resume(job: job)) \(when(resumeAt))."
                    : "They are stored. Correct what the warnings name, then run \(UserCommand.resume(job: job))."
            )
            status = pending.status
            failure = pending
        case .completed:
            status = isStrict && rejected > 0 ? .rejected : .completed
            failure = nil
        case .paused(let pause):
            let services = pause.services.joined(separator: ", ")
            let paused = CommandFailure(
                .temporary,
                "The daily budget of \(services) is spent; job `\(job)` has unanswered records.",
                advice: "Run \(UserCommand.resume(job: job)) \(when(pause.resumeAt)).")
            status = paused.status
            failure = paused
        case .unfinished(let left, let isSpent):
            let unfinished = CommandFailure(
                .temporary,
                isSpent
                    ? "The budget of this run is spent; \(HumanText.count(left, "book")) of job `\(job)` \(left == 1 ? "is" : "are") left."
                    : "Services have not answered; \(HumanText.count(left, "book")) of job `\(job)` \(left == 1 ? "is" : "are") left.",
                advice: "The same command continues with the books that are left.")
            status = unfinished.status
            failure = unfinished
        case .violated(let violations, let undo):
            let violated = CommandFailure(
                .violated,
                "Job `\(job)` does not meet \(violations.count == 1 ? "an expectation" : "\(violations.count) expectations"): \(violations.joined(separator: "; ")).",
                advice: undo.map { undo in
                    "It was undone. To restore it, run \(UserCommand.undo(job: undo))."
                }
                    ?? "Look at it with `etl diff`. To accept it, run the same command with --accept; to undo it, run \(UserCommand.undo(job: job))."
            )
            status = violated.status
            failure = violated
        case .stopped:
            status = .stopped(by: signal)
            failure = nil
        case .canceled:
            let canceled = CommandFailure(
                .temporary, "Job `\(job)` was canceled by another etl process.",
                advice: "To continue it, run \(UserCommand.resume(job: job)) or the same command again.")
            status = canceled.status
            failure = canceled
        case .failed(let broken):
            let failed = CommandFailure(broken, inputs: inputs)
            status = failed.status
            failure = failed
        }
    }
}
