import Books
import Pipeline
import Store
import System

/// The later pass over a job's input that finishes its pending records (Decision 0010).
///
/// First, their queries are asked again, with long waiting times. Answers, and the reasons for missing
/// ones, are stored; the library is not changed, and the pass can be stopped at any moment. If any answer is
/// new, the job is rolled back and run once more in the order of the input, with everything that is known. So
/// the result does not depend on which answer was late. If cached answers of other records were deleted since,
/// these are asked for before that.
struct PendingPass: Sendable {
    let store: ResultsStore
    /// Number of pending records.
    let pending: Int
    /// Number of records in the job's input.
    let total: Int
    /// Number of records that the services answer per second (``ServiceSettings/recordsPerSecond``).
    let recordsPerSecond: Double
    let clock: any RunClock
    let stop: StopSignal

    /// Number of records looked up at the same time: enough to fill the batches of any service. Most of the
    /// time they wait.
    private static let recordsAtOnce = 2_048
    /// Maximum batch size. A batch asks for its books, then for their works, then for the authors of these: the
    /// smaller it is, the sooner its records are finished. In still smaller batches the cost per batch would
    /// dominate, and a service of people could not be asked for many at once.
    static let mostRecords = 32
    /// Number of batches of an input whose services are slow. Records are finished batch by batch, so that this
    /// is how fine the progress is.
    private static let batches = 50

    /// Outcome of a pass, and the records that it left pending.
    enum Pass: Sendable {
        case completed(CollectPendingReasons.Counts)
        case ended(RunReport)
    }

    /// Looks up the job's records: the pending ones or the others.
    func pass(over flows: [Flow], pending isPending: Bool) async -> Pass {
        let sink = CollectPendingReasons(store: isPending ? store : nil)
        for flow in flows {
            let report = await look(up: flow, FilterPending(store: store, isPending: isPending), into: sink)
            guard report.outcome == .completed else { return .ended(report) }
        }
        return .completed(sink.counts.withLock { $0 })
    }

    /// The flow with batches small enough for frequent progress, and with enough of them at once to fill a
    /// service's batches.
    ///
    /// A batch takes its services about a second, or is a fiftieth of the input if that is more. Still smaller
    /// batches would multiply the requests: the authors of fewer books are asked for at once.
    ///
    /// - Parameters:
    ///   - total: Number of records in the input.
    ///   - mostRecords: Maximum batch size.
    ///   - recordsPerSecond: Number of records that the services answer per second.
    static func spread(
        _ flow: Flow, over total: Int, by mostRecords: Int = mostRecords, answering recordsPerSecond: Double
    ) -> Flow {
        var flow = flow
        let perSecond = Int(min(recordsPerSecond, Double(mostRecords)))
        let count = min(
            flow.source.batchLimits.records, mostRecords, max(1, total / batches, perSecond))
        flow.source.batchLimits.records = count
        let workers = min(max(1, recordsAtOnce / count), max(1, (total + count - 1) / count))
        for index in flow.stages.indices where flow.stages[index].stage.waitsForServices {
            flow.stages[index].workers = workers
        }
        flow.window = max(flow.window, 2 * workers + 1)
        return flow
    }

    private func look(up flow: Flow, _ filter: FilterPending, into sink: CollectPendingReasons) async
        -> RunReport
    {
        var flow = Self.spread(flow, over: total, answering: recordsPerSecond)
        flow.stages.insert(Flow.StageRun(name: "PendingRecords", stage: filter), at: 0)
        flow.sink = sink
        return await Runner(flow, clock: clock).run(stop: stop)
    }
}

/// The sink of a pass that asks again without changing the library. It counts the records that stay pending
/// and stores why. The stored reason is today's, whatever kept the services from answering before.
struct CollectPendingReasons: Sink {
    /// Records that a pass left pending.
    struct Counts: Sendable, Hashable {
        var open = 0
        /// Services that have no calls left today.
        var spent: Set<String> = []
        /// Number of records for which a service may answer if it is asked again, by service.
        var repeatable: [String: Int] = [:]
    }

    /// Nil if the records are not pending.
    let store: ResultsStore?
    let counts = Guarded(Counts())

    func write(_ batch: consuming Batch<ResultBatch>) async throws(ETLError) {
        let records = batch.payload.rows.compactMap { PendingRecord($0) }
        try await store?.noteReasons(of: records)
        counts.withLock { counts in
            counts.open += records.count
            for record in records {
                for answer in record.unanswered where answer.outcome == .quota {
                    counts.spent.insert(answer.service)
                }
                for service in Set(record.unanswered.filter(\.outcome.isTransient).map(\.service)) {
                    counts.repeatable[service, default: 0] += 1
                }
            }
        }
    }

    func finish() async throws(ETLError) {}
}

/// Passes either the pending records of a job or the others. Each batch is looked up in the store, because
/// there can be as many pending records as the input has records.
struct FilterPending: Stage {
    let store: ResultsStore
    /// Which of the two pass.
    let isPending: Bool

    func process(_ batch: consuming Batch<LibraryRows>) async throws(ETLError) -> Batch<LibraryRows> {
        var batch = batch
        batch.rejects = []
        // A batch can have records of two files.
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
