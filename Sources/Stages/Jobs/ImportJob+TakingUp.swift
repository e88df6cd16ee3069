import Pipeline

/// The later pass of a run (decision 0010).
extension ImportJob {
    /// Takes up the records that services have left open, and those that a reader has decided about. A service that is
    /// not asked in this run answers with what is kept: what waits for more than that stays open.
    ///
    /// - Returns: How the run ended then; nil where nothing more came of it.
    func takeUp(_ gear: Gear) async throws(StageFailure) -> RunReport? {
        let pending = try await gear.store.pendingCount()
        guard pending > 0, !stop.isRaised else { return nil }
        observe(.takingUp(pending))
        gear.desks.patience.patience = .patient
        let pass = TakeUp(store: gear.store, pending: pending, clock: clock, stop: stop)
        let isDecided = try await gear.store.pendingReasons().contains {
            $0.service == Reviews.pendingService
        }
        switch await pass.ask(try passes(gear)) {
        case .ended(let report): return report
        // What a reader has decided is known, whatever the chosen book's own service has still to say.
        case .unchanged where !isDecided: return nil
        case .unchanged, .settled: break
        }
        if try await gear.store.hasLostAnswers() {
            gear.desks.patience.patience = .gapsOnly
            switch await pass.pass(over: try passes(gear), pending: false) {
            case .ended(let report): return report
            case .went(let open):
                // Taken back, these would lose what the library has of them.
                guard open == 0 else {
                    observe(.heldBack(open))
                    return nil
                }
            }
        }
        gear.desks.patience.patience = .keptOnly
        _ = try await gear.store.rewind()
        var report = await runner(reshape(try gear.plan.flow()), gear).run(stop: stop)
        if report.outcome == .completed, let replayed = try await replayMended(gear) {
            report.outcome = replayed.outcome
        }
        return report
    }

    /// The job's passes: over its files, and over its mended records.
    private func passes(_ gear: Gear) throws(StageFailure) -> [Flow] {
        [reshape(try gear.plan.flow()), try mendedFlow(gear, onlyRejected: false)]
    }
}
