import Books
import Pipeline
import Services

/// The later pass of a run (decision 0010).
extension ImportJob {
    /// What came of taking up records.
    struct PendingPassResult {
        /// How the run ended then; nil where nothing more came of it.
        var report: RunReport?
        /// Services whose spent budget keeps records from being taken up that have their own answers.
        var heldBackBy: Set<String> = []
    }

    /// Takes up the records that services have left open, and those that a reader has decided about. A service that is
    /// not asked in this run answers with what is kept: what waits for more than that stays open.
    func takeUp(_ resources: RunResources) async throws(StageFailure) -> PendingPassResult {
        let pending = try await resources.store.pendingCount()
        guard pending > 0, !stop.isRaised else { return PendingPassResult() }
        observe(.takingUp(pending))
        resources.clients.waitPolicy.waitPolicy = .patient
        let pass = PendingPass(
            store: resources.store, pending: pending, total: resources.records, clock: clock, stop: stop)
        let isDecided = try await resources.store.pendingReasons().contains {
            $0.service == Reviews.pendingService
        }
        let noteSettled: ComposeResults.Observer = { [observe] settled, _ in
            if settled > 0 { observe(.settled(settled)) }
        }
        switch await pass.ask(try passes(resources, observing: noteSettled)) {
        case .ended(let report): return PendingPassResult(report: report)
        // What a reader has decided is known, whatever the chosen book's own service has still to say.
        case .unchanged where !isDecided: return PendingPassResult()
        case .unchanged, .settled: break
        }
        if try await resources.store.hasLostAnswers() {
            resources.clients.waitPolicy.waitPolicy = .gapsOnly
            switch await pass.pass(over: try passes(resources), pending: false) {
            case .ended(let report): return PendingPassResult(report: report)
            case .went(let left):
                // Taken back, these would lose what the library has of them.
                guard left.open == 0 else {
                    observe(.heldBack(left.open))
                    return PendingPassResult(heldBackBy: left.spent)
                }
            }
        }
        resources.clients.waitPolicy.waitPolicy = .cacheOnly
        return PendingPassResult(report: try await runAgain(resources))
    }

    /// Takes the job back and runs it once more with all that is known. It is one transaction: whoever looks sees the
    /// library before or after, and a run that ends in the midst of it has changed nothing.
    private func runAgain(_ resources: RunResources) async throws(StageFailure) -> RunReport {
        let flow = reshape(try resources.plan.flow())
        // What is written from here on, look-ups do not see until the end.
        try await resources.clients.keepAll()
        try await resources.store.rewind()
        do throws(StageFailure) {
            var report = await runner(flow, resources).run(stop: stop)
            if report.outcome == .completed, let replayed = try await replayCorrected(resources) {
                report.outcome = replayed.outcome
            }
            if report.outcome == .completed {
                try await resources.store.keepRewound()
            } else {
                try await resources.store.dropRewound()
            }
            return report
        } catch {
            try? await resources.store.dropRewound()
            throw error
        }
    }

    /// The job's passes: over its files, and over its mended records.
    private func passes(
        _ resources: RunResources, observing observe: ComposeResults.Observer? = nil
    ) throws(StageFailure) -> [Flow] {
        [
            reshape(try resources.flow(observing: observe)),
            try correctedFlow(resources, onlyRejected: false, observing: observe),
        ]
    }
}
