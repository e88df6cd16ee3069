import Bytes
public import Pipeline

/// Adds canonical genres to books: from the providers' subjects, or if there are none, from the user's
/// shelves.
///
/// Subjects are kept. Each genre has the origin of the first subject that led to it. Shelves are used only if
/// no provider gave a genre, and only if they map to one: `to-read` does not.
public struct NormalizeGenres: Stage {
    /// Maximum number of genres per book. Real books have fewer than 60; the limit protects against malicious
    /// answers.
    static let maxGenres = 256

    /// Idle caches. A worker takes one for each batch; results do not depend on which one.
    private let caches = Guarded<[SubjectCache]>([])

    /// Normalizes with the built-in table.
    public init() {}

    /// Adds the genres to the values of each book. Never throws.
    public func process(_ batch: consuming Batch<BookBatch>) async throws(StageFailure) -> Batch<BookBatch> {
        var cache = caches.withLock { $0.popLast() } ?? SubjectCache(normalizer: GenreNormalizer())
        Self.normalize(&batch.payload, &cache)
        caches.withLock { [cache] caches in caches.append(cache) }
        return batch
    }

    /// Normalizes the books of a batch in place.
    static func normalize(_ books: inout BookBatch, _ cache: inout SubjectCache) {
        var found = FoundGenres(count: books.count)
        books.matched.library.arena.withAllBytes { bytes in
            for number in books.books.indices {
                // Values are ordered by field, and most of them follow the subjects, so the search ends
                // early.
                let first = books.values[books.books[number].values].prefix {
                    $0.field.rawValue <= Field.subject.rawValue
                }
                for value in first where value.field == .subject {
                    let subject = UnsafeRawBufferPointer(rebasing: bytes[value.value.range])
                    for outcome in cache.recall(subject) {
                        found.add(cache.outcomes[outcome], of: value)
                    }
                }
                if found.isEmpty { found.addShelves(shelves(of: number, books), bytes, &cache) }
                found.end()
            }
        }
        found.write(into: &books)
    }

    private static func shelves(of number: Int, _ books: borrowing BookBatch) -> Text {
        number < books.matched.library.count ? books.matched.library.cell(.shelves, ofRow: number) : .none
    }
}

/// Genres found in a batch's books, book after book, before they are written to the books' values.
struct FoundGenres {
    private struct Genre {
        var identity: GenreNormalizer.Outcome.Identity
        /// The provider's own spelling; empty if the genre is canonical.
        var text: Text
        var origin: FieldOrigin
        var rule: MergeRule
    }

    private var genres: [Genre] = []
    /// End index of each finished book's genres.
    private var ends: [Int] = []

    init(count: Int) {
        genres.reserveCapacity(count * 8)
        ends.reserveCapacity(count)
    }

    private var start: Int { ends.last ?? 0 }
    /// Whether the current book has no genre yet.
    var isEmpty: Bool { genres.count == start }

    mutating func end() { ends.append(genres.count) }

    /// Adds the genre from a subject, unless the book already has it in any case.
    @inline(__always)
    mutating func add(_ outcome: GenreNormalizer.Outcome, of subject: BookValue) {
        let text = Text(offset: subject.value.offset + outcome.start, length: outcome.length)
        add(
            Genre(
                identity: outcome.identity, text: text, origin: subject.origin, rule: .normalized))
    }

    /// Adds the genres of a comma-separated list of shelves.
    mutating func addShelves(_ shelves: Text, _ bytes: UnsafeRawBufferPointer, _ cache: inout SubjectCache) {
        var start = shelves.range.lowerBound
        for index in shelves.range.lowerBound...shelves.range.upperBound
        where index == shelves.range.upperBound || bytes[index] == UInt8(ascii: ",") {
            if let genre = cache.genre(ofShelf: UnsafeRawBufferPointer(rebasing: bytes[start..<index])) {
                add(
                    Genre(
                        identity: .init(genre: genre, hash: 0), text: .none, origin: .row, rule: .fromShelves)
                )
            }
            start = index + 1
        }
    }

    @inline(__always)
    private mutating func add(_ genre: Genre) {
        guard genres.count - start < NormalizeGenres.maxGenres else { return }
        for index in start..<genres.count where genres[index].identity == genre.identity { return }
        genres.append(genre)
    }

    /// Inserts the genres into the books' values, in one pass that keeps them ordered by field. Replaces
    /// genres of an earlier pass.
    func write(into books: inout BookBatch) {
        let names = GenreTable.standard.names
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
                let text = genre.identity.genre.map { texts[Int($0)] } ?? genre.text
                values.append(BookValue(.genre, text, from: genre.origin, by: genre.rule))
            }
            values.append(contentsOf: old[split...].drop { $0.field == .genre })
            first = ends[number]
            books.books[number].values = lower..<values.count
        }
        books.values = values
    }
}
