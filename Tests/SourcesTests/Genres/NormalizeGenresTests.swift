import Pipeline
import System
import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Sources

@Suite
struct NormalizeGenresTests {
    @Test
    func `subjects give genres in order with their first origin, and raw subjects stay`()
        async throws
    {
        var books = SampleBooks()
        books.add(
            title: "Emma", shelves: "science-fiction",
            subjects: [("Fiction, romance", 0), ("ROMANCE", 1), ("Accessible book", 0), ("Solarpunk", 1)])
        let result = try await Self.process(books.books)
        #expect(
            Self.describe(result, 0) == [
                "title Emma row given", "subject Fiction, romance 0 union", "subject ROMANCE 1 union",
                "subject Accessible book 0 union", "subject Solarpunk 1 union", "genre Fiction 0 normalized",
                "genre Romance 0 normalized", "genre Solarpunk 1 normalized", "publisher Roberts row given",
            ])
    }

    @Test
    func `shelves become genres only if no provider has any, and only known ones`() async throws {
        var books = SampleBooks()
        books.add(title: "A", shelves: "to-read, sci-fi,essays , my-odd-shelf,science-fiction", subjects: [])
        books.add(title: "B", shelves: "to-read", subjects: [("In library", 0)])
        books.add(title: "C", shelves: "fantasy", subjects: [("Overdrive", 0)])
        books.add(title: "D", shelves: "", subjects: [])
        let result = try await Self.process(books.books)
        #expect(
            Self.describe(result, 0) == [
                "title A row given", "genre Science Fiction row fromShelves", "genre Essays row fromShelves",
                "publisher Roberts row given",
            ])
        #expect(!Self.describe(result, 1).contains { $0.hasPrefix("genre") })
        #expect(Self.describe(result, 2).contains("genre Fantasy row fromShelves"))
        #expect(Self.describe(result, 3) == ["title D row given", "publisher Roberts row given"])
    }

    @Test
    func `running it again changes nothing`() async throws {
        var books = SampleBooks()
        books.add(title: "A", shelves: "fantasy", subjects: [])
        books.add(title: "B", shelves: "", subjects: [("Fiction / Thrillers", 0)])
        let once = try await Self.process(books.books)
        let twice = try await Self.process(once)
        for number in 0..<2 { #expect(Self.describe(once, number) == Self.describe(twice, number)) }
    }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func `earlier subjects do not change later results`(seed: UInt64) {
        var random = SeededSubjects(seed: seed)
        var coin = SeededGenerator(seed: seed)
        var used = SubjectCache(normalizer: GenreNormalizer())
        // More distinct subjects than the cache holds, and some it never keeps.
        for number in 0..<9_000 { _ = Array("Subject \(number)".utf8).withUnsafeBytes { used.recall($0) } }
        for _ in 0..<2_000 {
            let subject = Array(
                (random.subject() + (Bool.random(using: &coin) ? "" : String(repeating: "x", count: 130)))
                    .utf8)
            var fresh = SubjectCache(normalizer: GenreNormalizer())
            let expected = subject.withUnsafeBytes { Self.recall($0, &fresh) }
            for _ in 0..<2 {
                let actual = subject.withUnsafeBytes { Self.recall($0, &used) }
                #expect(actual == expected)
            }
        }
    }

    @Test
    func `thousands of subjects are reduced to a bounded number`() async throws {
        var books = SampleBooks()
        books.add(title: "A", shelves: "", subjects: (0..<2_000).map { (Self.punk($0), 0) })
        let result = try await Self.process(books.books, NormalizeGenres(limit: 256))
        #expect(result.values.count { $0.field == .genre } == GenreSelection.maximumGenres)
    }

    /// A separate genre for each number.
    private static func punk(_ number: Int) -> String {
        String(number, radix: 2).map { $0 == "0" ? "a" : "b" }.joined() + "punk"
    }

    @Test
    func `topics stay among the subjects and are no genres`() async throws {
        var books = SampleBooks()
        books.add(
            title: "A", shelves: "",
            subjects: [
                ("Deaf-blind people", 0), ("Women", 0), ("Biography", 1), ("Fiction / Cultural Heritage", 1),
            ])
        let values = Self.describe(try await Self.process(books.books), 0)
        #expect(
            values.filter { $0.hasPrefix("genre") } == [
                "genre Biography 1 normalized", "genre Fiction 1 normalized",
            ])
        #expect(values.count { $0.hasPrefix("subject") } == 4)
    }

    @Test
    func `the genres with most sources stay, and keep their order`() async throws {
        var books = SampleBooks()
        let rare = [
            "Cooking", "Travel", "Music", "Law", "Physics", "Poetry", "Drama", "Games", "Essays", "Humor",
        ]
        books.add(
            title: "A", shelves: "",
            subjects: rare.map { ($0, 0) }
                + [("Satire", 0), ("Political satire", 0), ("Horror", 0), ("Horror", 1), ("Mystery", 1)])
        let result = try await Self.process(books.books, NormalizeGenres(limit: 4))
        #expect(
            Self.describe(result, 0).filter { $0.hasPrefix("genre") } == [
                "genre Cooking 0 normalized", "genre Travel 0 normalized", "genre Satire 0 normalized",
                "genre Horror 0 normalized",
            ])
        #expect(NormalizeGenres.defaultLimit == 12)
        let all = try await Self.process(books.books)
        #expect(Self.describe(all, 0).count { $0.hasPrefix("genre") } == 12)
    }

    @Test
    func `a hint is weighed with the subjects that name its genre`() async throws {
        var books = SampleBooks()
        books.add(title: "A", shelves: "magic, wizards", subjects: [("Magic", 0), ("Fantasy fiction", 1)])
        let values = Self.describe(try await Self.process(books.books), 0)
        #expect(values.filter { $0.hasPrefix("genre") } == ["genre Fantasy 1 normalized"])
    }

    private static func recall(
        _ subject: UnsafeRawBufferPointer, _ memory: inout SubjectCache
    ) -> [GenreNormalizer.Outcome] {
        let range = memory.recall(subject)
        return Array(memory.outcomes[range])
    }

    private static func process(
        _ books: BookBatch, _ stage: NormalizeGenres = NormalizeGenres()
    ) async throws(ETLError) -> BookBatch {
        let batch = Batch(sequence: 0, end: .start, recordsRead: books.count, payload: books)
        return try await stage.process(batch).payload
    }

    private static func describe(_ books: BookBatch, _ number: Int) -> [String] {
        books.values[books.books[number].values].map { value in
            let origin =
                switch value.origin {
                case .row: "row"
                case .candidate(let number): "\(number)"
                }
            return "\(value.field.name) \(books.arena[value.value]) \(origin) \(value.rule)"
        }
    }
}

/// Builds a batch of merged books.
struct SampleBooks {
    private(set) var books: BookBatch

    init() {
        let columns = ColumnMap(formatName: "test", names: ["Bookshelves"], fields: [.shelves: 0])
        books = BookBatch(
            matched: MatchedRows(ValidatedRows(library: LibraryRows(columns: columns), isbns: [])))
    }

    mutating func add(title: String, shelves: String, subjects: [(String, UInt8)]) {
        let first = books.values.count
        books.values.append(BookValue(.title, books.arena.append(title), from: .row, by: .given))
        for (subject, candidate) in subjects {
            let text = books.arena.append(subject)
            books.values.append(BookValue(.subject, text, from: .candidate(candidate), by: .union))
        }
        books.values.append(BookValue(.publisher, books.arena.append("Roberts"), from: .row, by: .given))
        let cell = books.matched.library.cells.count
        books.matched.library.cells.append(books.arena.append(shelves))
        books.matched.library.rows.append(LibraryRow(position: .start, raw: .none, cells: cell..<cell + 1))
        books.books.append(
            Book(
                values: first..<books.values.count, authors: 0..<0, isSynthetic: false, primaryProvider: nil,
                contributors: [], reviewStatus: .verified, quality: 0))
    }
}
