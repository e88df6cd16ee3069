import Books
import Pipeline
import Services

/// How a run ended.
extension ImportJob {
    /// Notes how the job ended.
    ///
    /// - Parameters:
    ///   - spent: Services whose spent budget keeps back what could be taken up.
    ///   - state: The state it is left in, where that is not the one the run's end leads to.
    func end(
        _ job: Job, _ report: RunReport, _ survey: LibrarySurvey, _ gear: RunResources,
        meter: ErrorBudgetsTracker? = nil, heldBackBy spent: Set<String> = [], leaving state: JobState? = nil,
        milliseconds: Int64
    ) async -> ImportOutcome {
        let store = gear.store
        let services = await gear.desks.reports()
        var outcome = ImportOutcome(
            end: .completed, job: job, report: report, survey: survey, milliseconds: milliseconds,
            services: services)
        do {
            switch isGivenUp(report) ? .stopped : report.outcome {
            case .failed(let failure): outcome.end = .failed(failure)
            // The last commits may come when nothing is left to stop: the budget is judged once more.
            case .completed:
                let pending = try await store.pendingReasons()
                let silent = Set(pending.map(\.service)).intersection(gear.required)
                outcome.end =
                    Self.spent(meter?.verdict(atEnd: true), job) ?? Self.missed(silent, job)
                    ?? Self.paused(pending, heldBackBy: spent, services) ?? .completed
            case .stopped:
                if let spent = Self.spent(meter?.verdict(atEnd: false), job) {
                    outcome.end = spent
                } else {
                    outcome.end = await store.isCancelRequested() ? .canceled : .stopped
                }
            }
            let ended = try await store.end(
                state ?? outcome.end.state, failure: state == nil ? outcome.end.failure?.message : nil,
                busyMilliseconds: milliseconds)
            if let ended {
                outcome.job = ended
                if outcome.end.failure?.kind == .budget {
                    try await store.note(try sofar(ended, in: gear.order.storePath))
                }
            }
        } catch {
            // The store can take no more, so it cannot be told of it either: the job is found unfinished there.
            if outcome.end.failure == nil, outcome.end != .canceled {
                outcome.end = isGivenUp(error) ? .stopped : .failed(error)
            }
            if let standing = try? await store.standing() { outcome.job = standing }
            outcome.job.status = .failed
        }
        return outcome
    }

    /// Whether something failed for now because the run was to stop and waited no longer, as for another program that has
    /// the store locked. The next run does what is left.
    private func isGivenUp(_ failure: StageFailure) -> Bool { stop.isRaised && failure.kind == .temporary }

    private func isGivenUp(_ report: RunReport) -> Bool {
        if case .failed(let failure) = report.outcome { isGivenUp(failure) } else { false }
    }

    /// The end of a run that has to go without a service it must not go without.
    private static func missed(_ silent: Set<String>, _ job: Job) -> ImportOutcome.End? {
        silent.min().map { service in
            .failed(
                StageFailure(
                    .unavailable, "\(service) is required and has not answered for all records.",
                    advice: "\(UserCommand.resume(job: job.name)) asks it again."))
        }
    }

    /// The end of a run that has done all but what waits for a service's next day.
    private static func paused(
        _ pending: [PendingRecords.Reason], heldBackBy others: Set<String>, _ services: [ServiceReport]
    ) -> ImportOutcome.End? {
        let spent = others.union(
            pending.filter { $0.outcome == LookupOutcome.quota.name }.map(\.service))
        guard !spent.isEmpty else { return nil }
        let waiting = services.filter { spent.contains($0.name) }
        return .paused(
            QuotaPause(
                services: waiting.map(\.name), resumeAt: waiting.compactMap(\.figures.resumeAt).min()))
    }

    private static func spent(_ sentence: String?, _ job: Job) -> ImportOutcome.End? {
        sentence.map { sentence in
            .failed(
                StageFailure(
                    .budget, "The error budget is spent: \(sentence)",
                    advice: """
                        See \(UserCommand.errors(job: job.name)). The same command, or \
                        \(UserCommand.resume(job: job.name)), continues with a fresh budget for the remaining records.
                        """))
        }
    }
}
