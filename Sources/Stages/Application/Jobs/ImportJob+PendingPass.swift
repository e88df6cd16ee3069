import Books
import Pipeline
import Services

/// The pending pass of a run (Decision 0010).
extension ImportJob {
    /// The result of the pending pass.
    struct PendingPassResult {
        /// How the run ended; nil if the pass changed nothing.
        var report: RunReport?
        /// Services without calls left. Because of them records stay pending although their own answers are
        /// known.
        var heldBackBy: Set<String> = []
    }

    /// Finishes pending records: those that wait for services, and those whose review was decided. A service
    /// that this run does not ask answers from the cache; records that need more stay pending.
    func finishPending(_ resources: RunResources) async throws(StageFailure) -> PendingPassResult {
        let pending = try await resources.store.pendingCount()
        guard pending > 0, !stop.isRaised else { return PendingPassResult() }
        observe(.pendingPassBegan(pending))
        resources.clients.waitPolicy.waitPolicy = .patient
        let pass = PendingPass(
            store: resources.store, pending: pending, total: resources.records, clock: clock, stop: stop)
        let isDecided = try await resources.store.pendingReasons().contains {
            $0.service == Reviews.pendingService
        }
        let noteSettled: ComposeResults.Observer = { [observe] finished, _ in
            if finished > 0 { observe(.finished(finished)) }
        }
        switch await pass.ask(try passes(resources, observing: noteSettled)) {
        case .ended(let report): return PendingPassResult(report: report)
        // A review decision can be applied, even if the chosen book's service has not answered.
        case .unchanged where !isDecided: return PendingPassResult()
        case .unchanged, .finished: break
        }
        if try await resources.store.hasLostAnswers() {
            resources.clients.waitPolicy.waitPolicy = .gapsOnly
            switch await pass.pass(over: try passes(resources), pending: false) {
            case .ended(let report): return PendingPassResult(report: report)
            case .completed(let left):
                // If the job were rolled back, these records would lose what the library has of them.
                guard left.open == 0 else {
                    observe(.stayedPending(left.open))
                    return PendingPassResult(heldBackBy: left.spent)
                }
            }
        }
        resources.clients.waitPolicy.waitPolicy = .cacheOnly
        return PendingPassResult(report: try await runAgain(resources))
    }

    /// Rolls the job back and runs it once more with everything that is known. This is one transaction:
    /// readers see the library before or after it, and a run that is interrupted changes nothing.
    private func runAgain(_ resources: RunResources) async throws(StageFailure) -> RunReport {
        let flow = reshape(try resources.plan.flow())
        // Lookups do not see what is written from here on until the end.
        try await resources.clients.saveAll()
        try await resources.store.beginRollback()
        do throws(StageFailure) {
            var report = await runner(flow, resources).run(stop: stop)
            if report.outcome == .completed, let replayed = try await replayCorrected(resources) {
                report.outcome = replayed.outcome
            }
            if report.outcome == .completed {
                try await resources.store.commitRollback()
            } else {
                try await resources.store.discardRollback()
            }
            return report
        } catch {
            try? await resources.store.discardRollback()
            throw error
        }
    }

    /// The job's flows: over its files, and over its corrected records.
    private func passes(
        _ resources: RunResources, observing observe: ComposeResults.Observer? = nil
    ) throws(StageFailure) -> [Flow] {
        [
            reshape(try resources.flow(observing: observe)),
            try correctedFlow(resources, onlyRejected: false, observing: observe),
        ]
    }
}
