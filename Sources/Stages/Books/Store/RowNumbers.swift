import Pipeline

/// Gives the records of a run the numbers that their rows are stored under: a record's work, edition and entry, as far
/// as they are new, have one id, which rises with the record's place in the input.
///
/// So workers lay out rows that point at each other before anything is stored, whoever of them is first. The store
/// says at a job's beginning which numbers are free; a number that a known record leaves unused stays unused.
package final class RowNumbers: Sendable {
    private let first = Guarded<Int64>(1)

    /// Numbers from 1: for a store that is empty.
    package init() {}

    /// Numbers begin behind the last one used.
    func begin(after last: Int64) { first.withLock { $0 = last + 1 } }

    /// The number of the first record of a batch.
    func first<Content>(of batch: borrowing Batch<Content>) -> Int64 {
        let recordsBefore = Int64(batch.recordsBefore)
        return first.withLock { $0 } + recordsBefore
    }
}
