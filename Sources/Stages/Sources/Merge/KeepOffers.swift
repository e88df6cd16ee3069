package import Books
package import Pipeline
package import System

/// Keeps what providers offer for stored books, and drops the values of the users' rows: these are stored
/// already, and a refresh must not write them again. Where the row's value was preferred, no provider's replaces it.
package struct KeepOffers: Stage {
    private let fields: Set<Field>?
    private let keepsShelves: Bool

    /// - Parameters:
    ///   - fields: The fields that may change; nil for all.
    ///   - keepsShelves: Whether genres from the shelves are kept.
    package init(fields: Set<Field>? = nil, keepsShelves: Bool = false) {
        self.fields = fields
        self.keepsShelves = keepsShelves
    }

    /// Books keep their order; their quality and matches stay. Never throws.
    package func process(_ batch: consuming Batch<BookBatch>) async throws(ETLError) -> Batch<BookBatch> {
        var values: [BookValue] = []
        values.reserveCapacity(batch.payload.values.count)
        for number in batch.payload.books.indices {
            let book = batch.payload.books[number]
            let first = values.count
            var (seen, rows) = (FieldSet(), FieldSet())
            for index in book.values {
                let value = batch.payload.values[index]
                // The first value of a field is the one that is stored, except of lists.
                if !seen.contains(value.field), value.origin == .row, !value.field.isList {
                    rows.insert(value.field)
                }
                seen.insert(value.field)
                let isOffered = value.origin != .row || keepsShelves && value.field == .genre
                if isOffered, takes(value.field), !rows.contains(value.field) { values.append(value) }
            }
            batch.payload.books[number].values = first..<values.count
            // All authors of a book have one source.
            let areOffered = book.authors.first.map { batch.payload.authors[$0].origin != .row } ?? false
            if !areOffered || !takes(.authorName) {
                batch.payload.books[number].authors = book.authors.lowerBound..<book.authors.lowerBound
            }
        }
        batch.payload.values = values
        return batch
    }

    private func takes(_ field: Field) -> Bool { fields?.contains(field) ?? true }
}
