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

/// The order in which a row's candidates are heard.
///
/// It is the providers' order of preference, in which they come. Candidates of one provider come in whatever
/// order it answered: among them the data decides, so that the same answers always merge to the same book.
enum CandidateOrder {
    /// Candidates of a row that are heard at the most; an origin has one byte for them.
    static let most = 256

    /// Writes the numbers of a row's candidates, from 0, into `order`.
    static func write(
        _ candidates: ArraySlice<Candidate>, values: [CandidateValue], arena: Arena, into order: inout [Int]
    ) {
        order.removeAll(keepingCapacity: true)
        for index in 0..<min(candidates.count, most) { order.append(index) }
        guard order.count > 1 else { return }
        let start = candidates.startIndex
        var run = 0
        while run < order.count {
            var end = run + 1
            while end < order.count,
                candidates[start + end].provider == candidates[start + run].provider
            { end += 1 }
            if end - run > 1 {
                order[run..<end].sort {
                    precedes(candidates[start + $0], candidates[start + $1], values, arena)
                }
            }
            run = end
        }
    }

    /// Matched by ISBN before by title, a real work before a synthetic one, then by record and values.
    private static func precedes(
        _ a: Candidate, _ b: Candidate, _ values: [CandidateValue], _ arena: Arena
    ) -> Bool {
        if a.match != b.match { return a.match.rawValue < b.match.rawValue }
        if a.isSynthetic != b.isSynthetic { return !a.isSynthetic }
        if !arena.equal(a.record, b.record) { return precedes(a.record, b.record, arena) }
        for (left, right) in zip(values[a.values], values[b.values]) {
            if left.field != right.field { return left.field.rawValue < right.field.rawValue }
            if left.author != right.author { return left.author < right.author }
            if !arena.equal(left.value, right.value) { return precedes(left.value, right.value, arena) }
        }
        return a.values.count < b.values.count
    }

    private static func precedes(_ a: Text, _ b: Text, _ arena: Arena) -> Bool {
        arena.withBytes(a) { left in arena.withBytes(b) { left.lexicographicallyPrecedes($0) } }
    }
}
