package import Books
import Bytes
package import Pipeline
package import System

/// Replaces the subjects of stored books by those that the store has, so that genres are derived again without
/// queries. Books of other runs pass unchanged.
package struct RecallSubjects: Stage {
    /// Returns the stored subjects of editions, by their rows.
    package typealias Subjects = @Sendable ([Int64]) async throws(ETLError) -> [[String]]

    private let subjects: Subjects?

    /// - Parameter subjects: Nil to pass books unchanged.
    package init(_ subjects: Subjects?) { self.subjects = subjects }

    /// Books keep their order. Throws what reading the store throws.
    package func process(_ batch: consuming Batch<BookBatch>) async throws(ETLError) -> Batch<BookBatch> {
        guard let subjects else { return batch }
        // The source puts the row of the edition there.
        let stored = try await subjects(batch.payload.matched.library.rows.map(\.position.byte))
        var values: [BookValue] = []
        for number in batch.payload.books.indices {
            let own = batch.payload.books[number].values
            let first = values.count
            let before = batch.payload.values[own].prefix { $0.field.rawValue < Field.subject.rawValue }
            values += before
            for subject in stored[number] {
                // Not from the row: the store knows where it is from.
                values.append(
                    BookValue(.subject, batch.payload.arena.append(subject), from: .candidate(0), by: .union))
            }
            values += batch.payload.values[own].dropFirst(before.count).drop { $0.field == .subject }
            batch.payload.books[number].values = first..<values.count
        }
        batch.payload.values = values
        return batch
    }
}
