import Bytes
public import Pipeline

/// Adds canonical genres to books: from the subjects the merge took from providers, else from the reader's
/// shelves (contract.md section 4).
///
/// Raw subjects stay. Each genre carries the origin of the subject that gave it first. Shelves count only
/// where no provider gave any genre, and only those that map: `to-read` is no genre.
public struct NormalizeGenres: Stage {
    /// Genres kept of one book. Real books have under 60; the bound is for hostile answers.
    static let maxGenres = 256

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

/// Genres found in a batch's books, book after book, before they are written into its values.
struct FoundGenres {
    private struct Genre {
        var identity: GenreNormalizer.Outcome.Identity
        /// The provider's own spelling; empty where the genre is canonical.
        var text: Text
        var origin: FieldOrigin
        var rule: MergeRule
    }

    private var genres: [Genre] = []
    /// Where each finished book's genres end.
    private var ends: [Int] = []

    init(count: Int) {
        genres.reserveCapacity(count * 8)
        ends.reserveCapacity(count)
    }

    private var start: Int { ends.last ?? 0 }
    /// Whether the book at hand has none yet.
    var isEmpty: Bool { genres.count == start }

    mutating func end() { ends.append(genres.count) }

    /// Adds what a subject gave, unless the book has it already, whatever its case.
    @inline(__always)
    mutating func add(_ outcome: GenreNormalizer.Outcome, of subject: BookValue) {
        let text = Text(offset: subject.value.offset + outcome.start, length: outcome.length)
        add(
            Genre(
                identity: outcome.identity, text: text, origin: subject.origin, rule: .normalized))
    }

    /// Adds the genres that a comma-separated list of shelves maps to.
    mutating func addShelves(_ shelves: Text, _ bytes: UnsafeRawBufferPointer, _ memory: inout SubjectCache) {
        var start = shelves.range.lowerBound
        for index in shelves.range.lowerBound...shelves.range.upperBound
        where index == shelves.range.upperBound || bytes[index] == UInt8(ascii: ",") {
            if let genre = memory.genre(ofShelf: UnsafeRawBufferPointer(rebasing: bytes[start..<index])) {
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

    /// Writes the genres among the books' values, which stay ordered by field, in one pass over them. Genres
    /// that a former pass made are replaced.
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
