import Pipeline
import Services
import Store
import System

/// The pending pass of a run (Decision 0010).
extension ImportRun {
    /// The result of the pending pass.
    struct PendingPassResult {
        /// Report of the run; nil if the pass changed nothing.
        var report: RunReport?
        /// Services without calls left. Because of them records stay pending although their own answers are
        /// known.
        var heldBackBy: Set<String> = []
    }

    /// Finishes pending records: those that wait for services, and those whose review was decided. A service
    /// that this run does not ask answers from the cache; records that need more stay pending.
    ///
    /// Services are asked in slices. After each, the job is run again with the answers that have arrived, so
    /// that the library has them while others are still waited for (``ReplaySchedule``). Questions that failed
    /// are asked again as long as each time at least half of them are answered.
    func finishPending(_ resources: RunResources) async throws(ETLError) -> PendingPassResult {
        let store = resources.store
        var pending = try await store.pendingCount()
        guard pending > 0, !stop.isRaised else { return PendingPassResult() }
        observe(.pendingPassBegan(pending))
        // A review decision can be applied, even if the chosen book's service has not answered.
        var isDecided = try await store.pendingCounts().contains { $0.service == Reviews.pendingService }
        var report: RunReport?
        // Number of records that a service may answer.
        var repeatable = pending
        while pending > 0 {
            var isRepeated = false
            let pass = PendingPass(
                store: store, pending: pending, total: resources.records,
                recordsPerSecond: resources.services.recordsPerSecond, clock: clock, stop: stop)
            let slice = try await ask(pass, resources)
            switch slice.pass {
            case .ended(let ended):
                if ended.outcome == .stopped,
                    await !store.isCancelRequested() || resources.records <= Self.mostAddedAtCancel
                {
                    try await addAnswers(resources)
                }
                return PendingPassResult(report: ended)
            case .completed(let left):
                try await resources.clients.saveAll()
                let isUnused = try await store.hasUnusedAnswers()
                guard isUnused || isDecided || left.open < pending else {
                    return PendingPassResult(report: report)
                }
                if !slice.isCutShort {
                    let count = await resources.clients.worthAskingAgain(left.repeatable)
                    isRepeated = count > 0 && count <= repeatable / 2
                    repeatable = count
                }
            }
            if let held = try await fillGaps(pass, resources) { return held }
            resources.clients.waitPolicy.beginLaterPass(.cacheOnly)
            let again = try await runAgain(resources)
            report = again
            guard again.outcome == .completed else { break }
            let left = try await store.pendingCount()
            // Some were answered after their lookup had been cut short.
            let unseen = pending - left - slice.settled
            if unseen > 0 { observe(.finished(unseen)) }
            guard slice.isCutShort || isRepeated else { break }
            isDecided = false
            pending = left
        }
        return PendingPassResult(report: report)
    }

    /// Asks for the pending records' answers until all were asked for, or until it is time to use those that
    /// have arrived.
    private func ask(
        _ pass: PendingPass, _ resources: RunResources
    ) async throws(ETLError) -> (pass: PendingPass.Pass, settled: Int, isCutShort: Bool) {
        let settled = Guarded(0)
        let noteSettled: ComposeResults.Observer = { [observe] finished, _ in
            guard finished > 0 else { return }
            settled.withLock { $0 += finished }
            observe(.finished(finished))
        }
        let flows = try passes(resources, observing: noteSettled)
        let isCutShort = Guarded(false)
        resources.clients.waitPolicy.beginLaterPass(.noTimeout)
        await resources.answers.beginSlice {
            isCutShort.withLock { $0 = true }
            await resources.clients.stopWaiting()
        }
        let ended = await pass.pass(over: flows, pending: true)
        await resources.answers.endSlice()
        return (ended, settled.withLock { $0 }, isCutShort.withLock { $0 })
    }

    /// Asks for answers of finished records that were deleted from the cache. If the job were run again
    /// without them, the library would lose what it has of them.
    ///
    /// - Returns: The result of the pass if it cannot go on; nil if nothing is missing.
    private func fillGaps(
        _ pass: PendingPass, _ resources: RunResources
    ) async throws(ETLError) -> PendingPassResult? {
        guard try await resources.store.hasLostAnswers() else { return nil }
        resources.clients.waitPolicy.beginLaterPass(.gapsOnly)
        switch await pass.pass(over: try passes(resources), pending: false) {
        case .ended(let report): return PendingPassResult(report: report)
        case .completed(let left) where left.open > 0:
            observe(.stayedPending(left.open))
            return PendingPassResult(heldBackBy: left.spent)
        case .completed: return nil
        }
    }

    /// Brings the answers that have arrived into the library of a run that was stopped.
    ///
    /// - Parameter limit: The number of records that were read, if not all.
    func addAnswers(_ resources: RunResources, limit: Int? = nil) async throws(ETLError) {
        // No answer arrives after this.
        try await resources.clients.close()
        let store = resources.store
        guard try await store.hasUnusedAnswers(), try await !store.hasLostAnswers(),
            try await store.pendingCount() > 0
        else { return }
        observe(.addingAnswers)
        resources.clients.waitPolicy.beginLaterPass(.cacheOnly)
        // The run's own signal is raised and would end this at once.
        _ = try await runAgain(try resources.stopping(by: StopSignal(), limit: limit))
    }

    /// Rolls the job back and runs it once more with everything that is known. This is one transaction:
    /// readers see the library before or after it, and a run that is interrupted changes nothing.
    private func runAgain(_ resources: RunResources) async throws(ETLError) -> RunReport {
        let flow = reshape(try resources.plan.flow().withoutCopies)
        try await resources.clients.saveAll()
        return try await resources.answers.replay { () async throws(ETLError) in
            // Lookups do not see what is written from here on until the end.
            try await resources.store.beginRollback()
            do throws(ETLError) {
                var report = await runner(flow, resources).run(stop: resources.dependencies.stop)
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
    }

    /// The job's flows: over its files, and over its corrected records.
    private func passes(
        _ resources: RunResources, observing observe: ComposeResults.Observer? = nil
    ) throws(ETLError) -> [Flow] {
        [
            reshape(try resources.flow(observing: observe).withoutCopies),
            try correctedFlow(resources, onlyRejected: false, observing: observe),
        ]
    }
}
