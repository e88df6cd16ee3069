import Bytes
public import Pipeline

/// Adds canonical genres to books: from the subjects the merge took from providers, else from the reader's
/// shelves (contract.md section 4).
///
/// Raw subjects stay. Each genre carries the origin of the subject that gave it first. Shelves count only
/// where no provider gave any genre, and only those that map: `to-read` is no genre.
public struct NormalizeGenres: Stage {
    /// Genres kept of one book. Real books have under 60; the bound is for hostile answers.
    static let mostGenres = 256

    /// One memory for each worker that is at work; results do not depend on which one serves.
    private let memories = Guarded<[SubjectCache]>([])

    /// Normalizes by the table in the binary.
    public init() {}

    /// Adds the genres after each book's other values. Throws nothing.
    public func process(_ batch: consuming Batch<BookBatch>) async throws(StageFailure) -> Batch<BookBatch> {
        var memory = memories.withLock { $0.popLast() } ?? SubjectCache(normalizer: GenreNormalizer())
        Self.normalize(&batch.payload, &memory)
        memories.withLock { [memory] memories in memories.append(memory) }
        return batch
    }

    /// Normalizes the books of a batch in place.
    static func normalize(_ books: inout BookBatch, _ memory: inout SubjectCache) {
        var found = FoundGenres(count: books.count)
        books.matched.library.arena.withAllBytes { bytes in
            for number in books.books.indices {
                // Values are ordered by field: behind the subjects stand most of them, and none to look at.
                let first = books.values[books.books[number].values].prefix {
                    $0.field.rawValue <= Field.subject.rawValue
                }
                for value in first where value.field == .subject {
                    let subject = UnsafeRawBufferPointer(rebasing: bytes[value.value.range])
                    for outcome in memory.recall(subject) {
                        found.add(memory.outcomes[outcome], of: value)
                    }
                }
                if found.isEmpty { found.addShelves(shelves(of: number, books), bytes, &memory) }
                found.end()
            }
        }
        found.write(into: &books)
    }

    private static func shelves(of number: Int, _ books: borrowing BookBatch) -> Text {
        number < books.matched.library.count ? books.matched.library.cell(.shelves, ofRow: number) : .none
    }
}
