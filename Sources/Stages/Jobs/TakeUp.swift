import Pipeline

/// The later pass over a job's input that takes up its pending records (design decision 4).
///
/// First their questions are asked again, patiently; answers go into the store, the library is left alone, and the pass
/// may end at any moment. Where any record has come to its answers, the job is taken back and run once more with all
/// that is known, in the order of the input: what comes of it does not tell which answer was late. Where answers were
/// dropped since, those of the other records are asked for before that.
struct TakeUp: Sendable {
    /// How the asking pass ended.
    enum Outcome: Sendable {
        /// Nothing more is known than before.
        case unchanged
        /// Some records can be settled now.
        case settled
        case ended(RunReport)
    }

    let store: ResultsStore
    /// How many records are pending.
    let pending: Int
    let clock: any RunClock
    let stop: StopSignal

    /// Batches looked up at once: each waits for strangers most of the time.
    private static let workers = 4

    /// Asks for the pending records' answers.
    ///
    /// - Parameter flows: The job's passes: over its files, and over its mended records.
    func ask(_ flows: [Flow]) async -> Outcome {
        switch await pass(over: flows, pending: true) {
        case .ended(let report): .ended(report)
        case .went(let open): open < pending ? .settled : .unchanged
        }
    }

    /// How a pass ended, and how many of its records are open.
    enum Pass: Sendable {
        case went(open: Int)
        case ended(RunReport)
    }

    /// Looks up the job's records, either those that are pending or the others.
    func pass(over flows: [Flow], pending isPending: Bool) async -> Pass {
        var open = 0
        for flow in flows {
            let (report, left) = await look(up: flow, SieveByPending(store: store, isPending: isPending))
            guard report.outcome == .completed else { return .ended(report) }
            open += left
        }
        return .went(open: open)
    }

    private func look(up flow: Flow, _ sieve: SieveByPending) async -> (report: RunReport, open: Int) {
        var flow = flow
        for index in flow.steps.indices
        where flow.steps[index].stage is LookUpBooks || flow.steps[index].stage is EnrichAuthors {
            flow.steps[index].workers = Self.workers
        }
        flow.steps.insert(Flow.Step(name: "PendingRecords", stage: sieve), at: 0)
        let open = Guarded(0)
        flow.sink = Drain<Results> { batch in
            let count = batch.payload.drafts.count { !$0.unsettled.isEmpty }
            open.withLock { $0 += count }
        }
        let report = await Runner(flow, clock: clock).run(stop: stop)
        return (report, open.withLock { $0 })
    }
}
