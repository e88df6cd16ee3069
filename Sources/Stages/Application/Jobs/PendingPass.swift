import Books
import Pipeline
import Services

/// The later pass over a job's input that takes up its pending records (design decision 4).
///
/// First their questions are asked again, patiently; answers, and why some do not come, go into the store, the library is
/// left alone, and the pass may end at any moment. Where any record has come to its answers, the job is taken back and run
/// once more with all that is known, in the order of the input: what comes of it does not tell which answer was late.
/// Where answers were dropped since, those of the other records are asked for before that.
struct PendingPass: Sendable {
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
    /// How many records the job's input has.
    let total: Int
    let clock: any RunClock
    let stop: StopSignal

    /// Records looked up at once: enough to fill the batches of any service. They wait for strangers most of the time.
    private static let recordsAtOnce = 2_048
    /// Records of a batch at the least: of fewer, what a batch costs by itself would count.
    private static let minRecords = 16
    private static let minWorkers = 4
    /// Batches of a whole input at the least, so that progress is told every 5 % (contract.md section 7).
    private static let batches = 20

    /// Asks for the pending records' answers.
    ///
    /// - Parameter flows: The job's passes: over its files, and over its mended records.
    func ask(_ flows: [Flow]) async -> Outcome {
        switch await pass(over: flows, pending: true) {
        case .ended(let report): .ended(report)
        case .went(let left): left.open < pending ? .settled : .unchanged
        }
    }

    /// How a pass ended, and what it has left open.
    enum Pass: Sendable {
        case went(CollectPendingReasons.Tally)
        case ended(RunReport)
    }

    /// Looks up the job's records, either those that are pending or the others.
    func pass(over flows: [Flow], pending isPending: Bool) async -> Pass {
        let sink = CollectPendingReasons(store: isPending ? store : nil)
        for flow in flows {
            let report = await look(up: flow, FilterPending(store: store, isPending: isPending), into: sink)
            guard report.outcome == .completed else { return .ended(report) }
        }
        return .went(sink.tally.withLock { $0 })
    }

    /// The flow in batches small enough to tell of progress, and with as many of them at once as fill a service's own.
    private func spread(_ flow: Flow) -> Flow {
        var flow = flow
        let count = min(flow.source.batchLimits.records, max(Self.minRecords, total / Self.batches))
        flow.source.batchLimits.records = count
        let workers = max(Self.minWorkers, min(Self.batches, Self.recordsAtOnce / count))
        for index in flow.steps.indices where flow.steps[index].stage.waitsForServices {
            flow.steps[index].workers = workers
        }
        flow.window = max(flow.window, 2 * workers + Self.minWorkers)
        return flow
    }

    private func look(up flow: Flow, _ sieve: FilterPending, into sink: CollectPendingReasons) async
        -> RunReport
    {
        var flow = spread(flow)
        flow.steps.insert(Flow.Step(name: "PendingRecords", stage: sieve), at: 0)
        flow.sink = sink
        return await Runner(flow, clock: clock).run(stop: stop)
    }
}

/// The end of a pass that asks again and leaves the library alone: counts the records that are open still, and notes why
/// they are. What a run finds out in it is known to be so today, whatever kept the services from answering before.
struct CollectPendingReasons: Sink {
    /// What a pass has left open.
    struct Tally: Sendable, Hashable {
        var open = 0
        /// Services that have no calls left today.
        var spent: Set<String> = []
    }

    /// nil where the records are not pending.
    let store: ResultsStore?
    let tally = Guarded(Tally())

    func write(_ batch: consuming Batch<ResultBatch>) async throws(StageFailure) {
        let records = batch.payload.drafts.compactMap { PendingRecord($0) }
        try await store?.noteReasons(of: records)
        tally.withLock { tally in
            tally.open += records.count
            for answer in records.lazy.flatMap(\.unanswered) where answer.outcome == .quota {
                tally.spent.insert(answer.service)
            }
        }
    }

    /// Nothing is left to do.
    func finish() async throws(StageFailure) {}
}

/// Lets those records of a job through that are pending, or those that are not. A batch at a time is looked up in the
/// store: there may be as many as the input has records.
struct FilterPending: Stage {
    let store: ResultsStore
    /// Which of the two are let through.
    let isPending: Bool

    func process(_ batch: consuming Batch<LibraryRows>) async throws(StageFailure) -> Batch<LibraryRows> {
        var batch = batch
        batch.rejects = []
        // A batch may hold records of two files.
        var ranges: [Int: ClosedRange<Int>] = [:]
        for row in batch.payload.rows {
            let (file, record) = (row.position.file, row.position.record)
            let range = ranges[file] ?? record...record
            ranges[file] = min(range.lowerBound, record)...max(range.upperBound, record)
        }
        var pending: [Int: Set<Int>] = [:]
        for (file, range) in ranges { pending[file] = try await store.pendingRows(ofFile: file, in: range) }
        batch.payload.rows.removeAll { row in
            pending[row.position.file]?.contains(row.position.record) != isPending
        }
        return batch
    }
}
