package import Books
import Bytes
package import Pipeline
package import System

/// Merges each row with its candidates into one book, by the rules of ``MergePolicy``.
///
/// A candidate matched by ISBN is this edition. One matched by title and author is this work, but maybe
/// another edition, so only its work and author fields are used. The user's row only fills gaps, but its ISBN
/// is always the edition's first. Every value has an origin and a rule.
package struct MergeCandidates: Stage {
    private let policy: MergePolicy

    /// A merge by the given policy.
    package init(policy: MergePolicy = MergePolicy()) {
        self.policy = policy
    }

    /// Merges the rows in order. Never throws.
    package func process(
        _ batch: consuming Batch<MatchedRows>
    ) async throws(ETLError) -> Batch<BookBatch> {
        // The arena is moved out of the batch and back. Writing to it while the batch holds it would copy it.
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

/// The order in which a row's candidates are considered.
///
/// Candidates arrive in the order of the providers. Candidates of one provider arrive in any order, so their
/// data decides: the same answers always merge to the same book.
enum CandidateOrder {
    /// Maximum number of candidates per row; ``FieldOrigin`` stores their index in one byte.
    static let most = 256

    /// Writes the indices of a row's candidates to `order`.
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

    /// An ISBN match before a title match, a record of a work before a synthetic one, then by record and
    /// values.
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
