import Books
import Database
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

    // MARK: Expectations

    /// The end of a run whose job does not meet the pipeline's expectations; nil if it does, or if the user accepts it.
    func violation(_ resources: RunResources) async throws(ETLError) -> ImportOutcome.End? {
        if let excess = try await excess(resources) { return .violated([excess], undoneBy: nil) }
        guard !resources.request.acceptsViolations else { return nil }
        let violations = try await RunExpectations(resources.plan).violations(resources.store)
        return violations.isEmpty ? nil : .violated(violations, undoneBy: nil)
    }

    /// Why the job must not stay, although it is complete: its library has more books than it may. Nil if it may stay, as a
    /// job may that adds none.
    private func excess(_ resources: RunResources) async throws(ETLError) -> String? {
        guard let limit = resources.request.bookLimit,
            let job = try await resources.store.storedJob(), job.counts.booksCreated > 0
        else { return nil }
        let count = try await resources.store.bookCount(of: job.library)
        guard count > limit else { return nil }
        return """
            The library would have \(count) books, and may have \(limit). The import was undone, and nothing has changed. \
            Import fewer books, or remove some first.
            """
    }

    /// Undoes a job that does not meet the pipeline's expectations, if the pipeline says so, or whose library is full.
    func undoViolation(_ outcome: inout ImportOutcome, _ resources: RunResources) async throws(ETLError) {
        guard case .violated(let violations, nil) = outcome.end else { return }
        if RunExpectations(resources.plan).action != .undo, try await excess(resources) == nil { return }
        let undo = JobName.make()
        _ = try await resources.store.undo(UndoRequest(jobs: [outcome.job.name], name: undo))
        outcome.end = .violated(violations, undoneBy: undo)
        outcome.job.undoneBy = undo
    }

    // MARK: Duplicates

    /// Joins certain duplicates: `--join`.
    ///
    /// It is the last change of a job. Its transaction also stores how many entries were joined. A killed job is
    /// unfinished: its next run joins the entries only if that number is missing. If the job is rolled back to be run
    /// again with more answers, the entries are separate again, and are joined at the end of that run.
    ///
    /// - Returns: The number of groups that are left to look at.
    func joinDuplicates(_ resources: RunResources) async throws(ETLError) -> Int {
        let (store, library) = (resources.store, resources.request.library)
        let found = try await store.read { (connection) throws(ETLError) in
            try DuplicateList(connection, of: library, includesSimilar: true)
        }
        // A killed run has joined everything, and only its end was not stored. Corrected rows come after the end.
        let isJoined = try await store.storedJob()?.runState.joined != nil
        guard !isJoined || resources.request.corrected != nil else { return found.groups.count }
        try await store.join(found.joins)
        guard !found.joins.isEmpty else { return found.groups.count }
        // A pair of similar books can be one less now, if one of them was joined.
        return try await store.read { (connection) throws(ETLError) in
            try DuplicateList(connection, of: library, includesSimilar: true).groups.count
        }
    }
}
