import Bytes
public import Pipeline

/// Makes one book of each row and its candidates, by the policy table (``MergePolicy``, contract.md section
/// 5).
///
/// A candidate matched by ISBN is this edition. One matched by title and author is this work, perhaps another
/// edition: it gives fields of the work and authors only. The reader's own row fills what nobody gave and
/// overrides nobody; its ISBN is always the first of the edition's. Every value says where it comes from and
/// why.
public struct MergeCandidates: Stage {
    private let policy: MergePolicy

    /// Without an argument the policy is the table of contract.md section 5.
    public init(policy: MergePolicy = MergePolicy()) {
        self.policy = policy
    }

    /// Makes the books in the order of the rows. Throws nothing.
    public func process(
        _ batch: consuming Batch<MatchedRows>
    ) async throws(StageFailure) -> Batch<BookBatch> {
        // The arena is moved out and back: written to while the batch still held it, it would be copied
        // whole.
        var arena = Arena()
        swap(&arena, &batch.payload.library.arena)
        var merge = BatchMerge(policy: policy, arena: consume arena, of: batch.payload)
        for row in batch.payload.library.rows.indices { merge.add(row, of: batch.payload) }
        swap(&merge.arena, &batch.payload.library.arena)
        let books = BookBatch(
            matched: batch.payload, books: merge.books, values: merge.values, authors: merge.authors)
        return batch.carrying(books)
    }
}
