package import Books
import Bytes
package import Pipeline
package import System

/// Adds genres to books: from the providers' subjects, or if there are none, from the user's shelves.
///
/// Subjects are kept: topics such as `Deaf-blind people` are found there and not among the genres. Each genre
/// has the origin of the first subject that named it. Shelves are used only if no provider gave a genre, and
/// only if they map to one: `to-read` does not.
package struct NormalizeGenres: Stage {
    /// Default of the maximum number of genres per book.
    package static let defaultLimit = 12

    private let table: GenreTable
    private let limit: Int
    /// Idle caches. A worker takes one for each batch; results do not depend on which one.
    private let caches = Guarded<[SubjectCache]>([])

    /// - Parameters:
    ///   - rules: The user's rules, which override the built-in table.
    ///   - limit: Maximum number of genres per book, at least 1.
    package init(rules: GenreRules = GenreRules(), limit: Int = defaultLimit) {
        table = GenreTable.with(rules)
        self.limit = limit
    }

    /// Adds the genres to the values of each book. Never throws.
    package func process(_ batch: consuming Batch<BookBatch>) async throws(ETLError) -> Batch<BookBatch> {
        var cache =
            caches.withLock { $0.popLast() } ?? SubjectCache(normalizer: GenreNormalizer(table: table))
        normalize(&batch.payload, &cache)
        caches.withLock { [cache] caches in caches.append(cache) }
        return batch
    }

    /// Normalizes the books of a batch in place.
    private func normalize(_ books: inout BookBatch, _ cache: inout SubjectCache) {
        var found = FoundGenres(count: books.count)
        var counts = GenreSelection()
        books.matched.library.arena.withAllBytes { bytes in
            for number in books.books.indices {
                counts.removeAll()
                // Values are ordered by field, and most of them follow the subjects, so the search ends
                // early.
                let first = books.values[books.books[number].values].prefix {
                    $0.field.rawValue <= Field.subject.rawValue
                }
                for value in first where value.field == .subject {
                    let subject = UnsafeRawBufferPointer(rebasing: bytes[value.value.range])
                    for index in cache.recall(subject) {
                        let outcome = cache.outcomes[index]
                        let text = Text(offset: value.value.offset + outcome.start, length: outcome.length)
                        counts.add(outcome, text, from: value.origin, by: .normalized, of: table)
                    }
                }
                counts.settle(table, limit: limit)
                if counts.isEmpty {
                    counts.removeAll()
                    addShelves(shelves(of: number, books), bytes, &cache, to: &counts)
                    counts.settle(table, limit: limit)
                }
                found.append(counts.found)
            }
        }
        found.write(into: &books, table.names)
    }

    private func shelves(of number: Int, _ books: borrowing BookBatch) -> Text {
        number < books.matched.library.count ? books.matched.library.cell(.shelves, ofRow: number) : .none
    }

    /// Adds the genres of a comma-separated list of shelves.
    private func addShelves(
        _ shelves: Text, _ bytes: UnsafeRawBufferPointer, _ cache: inout SubjectCache,
        to counts: inout GenreSelection
    ) {
        var start = shelves.range.lowerBound
        for index in shelves.range.lowerBound...shelves.range.upperBound
        where index == shelves.range.upperBound || bytes[index] == UInt8(ascii: ",") {
            for outcome in cache.recall(shelf: UnsafeRawBufferPointer(rebasing: bytes[start..<index])) {
                counts.add(cache.outcomes[outcome], .none, from: .row, by: .fromShelves, of: table)
            }
            start = index + 1
        }
    }
}

/// The genres of a batch's books, book after book, before they are written to the books' values.
struct FoundGenres {
    private var genres: [GenreSelection.Found] = []
    /// End index of each book's genres.
    private var ends: [Int] = []

    init(count: Int) {
        genres.reserveCapacity(count * 8)
        ends.reserveCapacity(count)
    }

    /// Adds the genres of the next book.
    mutating func append(_ found: [GenreSelection.Found]) {
        genres.append(contentsOf: found)
        ends.append(genres.count)
    }

    /// Inserts the genres into the books' values, in one pass that keeps them ordered by field. Replaces
    /// genres of an earlier pass.
    ///
    /// - Parameter names: The names of the canonical genres.
    func write(into books: inout BookBatch, _ names: [[UInt8]]) {
        var texts = [Text](repeating: .none, count: names.count)
        for genre in genres {
            guard let number = genre.identity.genre.map(Int.init), texts[number].isEmpty else { continue }
            texts[number] = books.arena.append(names[number])
        }
        var values: [BookValue] = []
        values.reserveCapacity(books.values.count + genres.count)
        var first = 0
        for number in books.books.indices {
            let lower = values.count
            let old = books.values[books.books[number].values]
            let split = old.firstIndex { $0.field.rawValue >= Field.genre.rawValue } ?? old.endIndex
            values.append(contentsOf: old[..<split])
            for genre in genres[first..<ends[number]] {
                let text = genre.identity.genre.map { texts[Int($0)] } ?? shown(genre.text, in: &books.arena)
                values.append(BookValue(.genre, text, from: genre.origin, by: genre.rule))
            }
            values.append(contentsOf: old[split...].drop { $0.field == .genre })
            first = ends[number]
            books.books[number].values = lower..<values.count
        }
        books.values = values
    }

    private func shown(_ text: Text, in arena: inout Arena) -> Text {
        arena.withBytes(text) { GenreForm.shown($0) }.map { arena.append($0) } ?? text
    }
}
