import Books
import Pipeline
import Services

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
            for answer in records.lazy.flatMap(\.unsettled) where answer.outcome == .quota {
                tally.spent.insert(answer.service)
            }
        }
    }

    /// Nothing is left to do.
    func finish() async throws(StageFailure) {}
}
