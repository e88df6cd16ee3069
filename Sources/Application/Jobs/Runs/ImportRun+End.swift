import Books
import Formats
import Pipeline
import Services
import Store
import System

/// End of a run.
extension ImportRun {
    /// Stores how the job ended.
    ///
    /// - Parameters:
    ///   - spent: Services without calls left, which keeps pending records unfinished.
    ///   - state: The state to leave the job in; nil for the state that the run's end leads to.
    func end(
        _ job: Job, _ report: RunReport, _ survey: LibrarySurvey, _ resources: RunResources,
        tracker: ErrorBudgetsTracker? = nil, heldBackBy spent: Set<String> = [],
        leaving state: JobState? = nil,
        milliseconds: Int64
    ) async -> ImportOutcome {
        let store = resources.store
        let services = await resources.clients.reports()
        var outcome = ImportOutcome(
            end: .completed, job: job, report: report, survey: survey, milliseconds: milliseconds,
            services: services)
        do {
            switch isGivenUp(report) ? .stopped : report.outcome {
            case .failed(let failure): outcome.end = .failed(failure)
            // The last commits may arrive after reading has ended, so the budget is checked once more.
            case .completed:
                outcome.waiting = try await store.pendingCounts()
                let silent = Set(outcome.waiting.map(\.service)).intersection(resources.services.required)
                let violated = try await violation(resources)
                outcome.end =
                    Self.spent(tracker?.verdict(atEnd: true), job) ?? Self.missed(silent, job) ?? violated
                    ?? Self.paused(outcome.waiting, heldBackBy: spent, services) ?? .completed
            case .stopped:
                outcome.waiting = try await store.pendingCounts()
                if let spent = Self.spent(tracker?.verdict(atEnd: false), job) {
                    outcome.end = spent
                } else {
                    outcome.end = await store.isCancelRequested() ? .canceled : .stopped
                }
            }
            if outcome.end.isComplete, resources.request.joins {
                outcome.duplicatesToReview = try await joinDuplicates(resources)
            }
            let ended = try await store.end(
                state ?? outcome.end.state, failure: state == nil ? outcome.end.failure?.message : nil,
                busyMilliseconds: milliseconds)
            if let ended {
                outcome.job = ended
                try await undoViolation(&outcome, resources)
                if outcome.end.failure?.kind == .budget {
                    try await store.note(try progress(ended, in: resources.request.storePath))
                }
            }
        } catch {
            // The store cannot be written, so the end of the job cannot be stored either. It will be found
            // unfinished.
            if outcome.end.failure == nil, outcome.end != .canceled {
                outcome.end = isGivenUp(error) ? .stopped : .failed(error)
            }
            if let stored = try? await store.storedJob() { outcome.job = stored }
            // The end is stored if only the undo was stopped.
            if outcome.end != .stopped || outcome.job.endedAt == nil { outcome.job.status = .failed }
        }
        return outcome
    }

    /// Whether something failed only because the run was to stop and did not wait any longer, for example for
    /// a locked store. The next run does the rest.
    func isGivenUp(_ failure: ETLError) -> Bool {
        stop.isRaised && [.temporary, .transient].contains(failure.kind)
    }

    func isGivenUp(_ report: RunReport) -> Bool {
        if case .failed(let failure) = report.outcome { isGivenUp(failure) } else { false }
    }

    /// The end of a run in which a required service did not answer.
    private static func missed(_ silent: Set<String>, _ job: Job) -> ImportOutcome.End? {
        silent.min().map { service in
            .failed(
                ETLError(
                    .unavailable, "\(service) is required, but left records unanswered.",
                    advice: "To ask it again, run \(UserCommand.resume(job: job.name))."))
        }
    }

    /// The end of a run that only has to wait until services have calls again.
    private static func paused(
        _ pending: [PendingRecords.Counts], heldBackBy others: Set<String>, _ services: [ServiceReport]
    ) -> ImportOutcome.End? {
        let spent = others.union(
            pending.filter { $0.reasons[LookupOutcome.quota.name] != nil }.map(\.service))
        guard !spent.isEmpty else { return nil }
        let waiting = services.filter { spent.contains($0.name) }
        return .paused(
            JobPause(
                services: waiting.map(\.name), resumeAt: waiting.compactMap(\.metrics.resumeAt).min()))
    }

    private static func spent(_ sentence: String?, _ job: Job) -> ImportOutcome.End? {
        sentence.map { sentence in
            .failed(
                ETLError(
                    .budget, sentence,
                    advice: """
                        To see why, run \(UserCommand.errors(job: job.name)). To continue with a fresh budget, run \
                        \(UserCommand.resume(job: job.name)).
                        """))
        }
    }
}
