import Books
import Pipeline

/// Composes results, and tells how many of a batch's records have their answers and how many wait for a service.
///
/// It is told as soon as a batch is through, whichever batches are before it: progress does not wait for the slowest.
struct NoteOpenRecords: Stage {
    let compose: ComposeResults
    let note: @Sendable (_ settled: Int, _ open: Int) -> Void

    func process(_ batch: consuming Batch<Books>) async throws(StageFailure) -> Batch<Results> {
        let composed = try await compose.process(batch)
        let open = composed.payload.drafts.count { !$0.unsettled.isEmpty }
        note(composed.payload.drafts.count - open, open)
        return composed
    }
}

extension Flow {
    /// The same flow, which tells of each batch how many of its records are settled and how many are open.
    func notingOpenRecords(_ note: @escaping @Sendable (_ settled: Int, _ open: Int) -> Void) -> Flow {
        var flow = self
        for index in flow.steps.indices {
            guard let compose = flow.steps[index].stage as? ComposeResults else { continue }
            flow.steps[index].stage = NoteOpenRecords(compose: compose, note: note)
        }
        return flow
    }
}
