import Books
import Pipeline

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
