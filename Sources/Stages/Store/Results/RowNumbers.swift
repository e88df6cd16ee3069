import Pipeline
import System

/// Numbers the records of a run. A record's new work, edition and entry have this number as their id, and
/// numbers ascend in input order.
///
/// So workers can lay out rows that refer to each other before anything is stored, in any order. At a job's
/// start the store sets the first free number. A number that a known record does not use stays unused.
package final class RowNumbers: Sendable {
    private let first = Guarded<Int64>(1)

    /// Numbers from 1, for an empty store.
    package init() {}

    /// Starts after the last used number.
    func begin(after last: Int64) { first.withLock { $0 = last + 1 } }

    /// The number of the first record of a batch.
    func first<Content>(of batch: borrowing Batch<Content>) -> Int64 {
        let recordsBefore = Int64(batch.recordsBefore)
        return first.withLock { $0 } + recordsBefore
    }
}
