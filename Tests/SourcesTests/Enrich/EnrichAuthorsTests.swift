import Pipeline
import System
import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Sources

@Suite
struct EnrichAuthorsTests {
    @Test
    func `an identified author gets culture and item, an unidentified one only the reason`() async throws {
        var books = SampleAuthors()
        books.add([("Chinua Example", "OL1A"), ("John Smith", ""), ("Various", "")])
        let result = try await Self.process(books.books, PeopleList([Self.chinua, Self.smith]))
        let authors = result.authors
        #expect(authors.map(\.identification) == [.itemNamesAuthor, .refusedNameAlone, .notAPerson])
        let culture = authors[0].culture
        #expect(culture.gender == .male && culture.region == .africa)
        #expect(result.arena[culture.nationality] == "Nigeria" && result.arena[culture.item] == "Q155845")
        #expect(culture.birthYear == 1930 && culture.deathYear == 2013)
        #expect(authors[1].culture == Culture() && authors[2].culture == Culture())
        #expect(result.arena[authors[0].name] == "Chinua Example")
    }

    @Test
    func `each author of a batch is looked up once, placeholders never`() async throws {
        var books = SampleAuthors()
        for _ in 0..<50 { books.add([("Chinua Example", "OL1A"), ("Various", ""), ("John Smith", "")]) }
        books.add([("John Smith", "OL2A")])
        let directory = PeopleList([Self.chinua, Self.smith])
        let result = try await Self.process(books.books, directory)
        #expect(directory.queries.count == 3)
        #expect(result.authors.count { $0.identification == .itemNamesAuthor } == 50)
        #expect(result.authors.count { $0.identification == .refusedNameAlone } == 51)
    }

    @Test
    func `identifiers in the provider's record count`() async throws {
        var books = SampleAuthors()
        books.add([("J. Smith", "OL7A")], viaf: "123")
        let result = try await Self.process(books.books, PeopleList([Self.smith]))
        #expect(result.authors[0].identification == .identifier)
    }

    @Test
    func `a batch without authors sends no query`() async throws {
        let directory = PeopleList([Self.chinua])
        let result = try await Self.process(SampleAuthors().books, directory)
        #expect(result.authors.isEmpty && directory.queries.isEmpty)
    }

    @Test
    func `a directory without people is not queried, with the same result as an empty one`()
        async throws
    {
        var random = SeededGenerator(seed: 5)
        let names = [
            "Ada Marlow", "Various", "ANONYMOUS!", "", "?", "Lonely Planet Publications", "Acme, Inc.", "李白",
            "Inc",
        ]
        var books = SampleAuthors()
        for _ in 0..<200 {
            let authors = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                (
                    name: names[Int.random(in: 0..<names.count, using: &random)],
                    key: ["", "OL1A", "OL2A"][Int.random(in: 0..<3, using: &random)]
                )
            }
            books.add(authors, item: ["", "Q7", "7", "Q", "Qx"][Int.random(in: 0..<5, using: &random)])
        }
        let asked = try await Self.process(books.books, PeopleList([]))
        let unasked = try await Self.process(books.books, EmptyDirectory())
        #expect(asked.authors == unasked.authors)
        #expect(Set(asked.authors.map(\.identification)) == [.notAPerson, .unknownPerson])
    }

    @Test
    func `a row's person who is a provider's author in another script is removed, a translator stays`()
        async throws
    {
        var sample = SampleAuthors()
        sample.add([
            ("Haruki Murakami", "OL9A"), ("عادل مصطفى", ""), ("村上 春樹", ""), ("Murakami Haruki", ""),
        ])
        sample.add([("村上 春樹", "")])
        var books = sample.books
        for index in 1...4 { books.authors[index].origin = .row }
        let result = try await Self.process(books, OtherNames())
        let names = result.books.map { book in
            book.authors.map { result.arena[result.authors[$0].name] }
        }
        #expect(names == [["Haruki Murakami", "عادل مصطفى", "Murakami Haruki"], ["村上 春樹"]])
    }

    @Test
    func `a failing directory fails the batch`() async {
        var books = SampleAuthors()
        books.add([("A", "")])
        let failure = await Self.failure(books.books, BrokenDirectory())
        #expect(failure?.kind == .inputOutput)
    }

    private static let chinua: PersonFacts = {
        var person = PersonFacts(item: 155_845, kind: .human)
        person.label = "Chinua Example"
        person.gender = .male
        person.citizenships = [1033]
        person.birthYear = 1930
        person.deathYear = 2013
        person.openLibraryKeys = ["OL1A"]
        return person
    }()

    private static let smith: PersonFacts = {
        var person = PersonFacts(item: 8, kind: .human)
        person.label = "John Smith"
        person.aliases = ["J. Smith"]
        person.gender = .male
        person.viaf = ["123"]
        return person
    }()

    private static func process(_ books: BookBatch, _ directory: any PersonDirectory)
        async throws(ETLError)
        -> BookBatch
    {
        let batch = Batch(sequence: 0, end: .start, recordsRead: books.count, payload: books)
        return try await EnrichAuthors(directory: directory).process(batch).payload
    }

    private static func failure(_ books: BookBatch, _ directory: any PersonDirectory) async -> ETLError? {
        do throws(ETLError) {
            _ = try await process(books, directory)
            return nil
        } catch {
            return error
        }
    }
}

private struct BrokenDirectory: PersonDirectory {
    func find(_ queries: [PersonQuery]) async throws(ETLError) -> PeopleFound {
        throw ETLError(.inputOutput, "The catalog cannot be read.")
    }
}

/// Has the other names of an author, and no people.
private struct OtherNames: PersonDirectory {
    var isWithoutPeople: Bool { true }

    func find(_ queries: [PersonQuery]) async throws(ETLError) -> PeopleFound { PeopleFound(people: []) }

    func otherNames(ofAuthors keys: [String]) async throws(ETLError) -> [[String]] {
        keys.map { $0 == "OL9A" ? ["Haruki Murakami", "村上春樹"] : [] }
    }
}

/// Has no entries and fails if it is queried.
private struct EmptyDirectory: PersonDirectory {
    var isWithoutPeople: Bool { true }

    func find(_ queries: [PersonQuery]) async throws(ETLError) -> PeopleFound {
        throw ETLError(.inputOutput, "There is no one to look up.")
    }
}

/// Builds a batch of books with authors, each from a candidate of its row.
private struct SampleAuthors {
    private(set) var books: BookBatch

    init() {
        let library = LibraryRows(columns: ColumnMap(formatName: "test", names: [], fields: [:]))
        books = BookBatch(matched: MatchedRows(ValidatedRows(library: library, isbns: [])))
    }

    mutating func add(_ authors: [(name: String, key: String)], viaf: String = "", item: String = "") {
        let first = books.authors.count
        let values = books.matched.values.count
        for (number, author) in authors.enumerated() {
            let name = books.arena.append(author.name)
            let key = books.arena.append(author.key)
            let wikidata = books.arena.append(item)
            books.authors.append(
                BookAuthor(
                    name: name, role: .author, key: key, wikidata: wikidata, origin: .candidate(0)))
            books.matched.values.append(CandidateValue(.authorName, author: UInt8(number), name))
            if !key.isEmpty {
                books.matched.values.append(CandidateValue(.authorKey, author: UInt8(number), key))
            }
            if !viaf.isEmpty {
                let text = books.arena.append(viaf)
                books.matched.values.append(CandidateValue(.authorVIAF, author: UInt8(number), text))
            }
        }
        let candidate = books.matched.candidates.count
        books.matched.candidates.append(
            Candidate(
                provider: .openLibrary, record: .none, match: .isbn, isSynthetic: false,
                values: values..<books.matched.values.count))
        books.matched.candidatesOfRow.append(candidate..<candidate + 1)
        books.matched.library.rows.append(LibraryRow(position: .start, raw: .none, cells: 0..<0))
        books.books.append(
            Book(
                values: 0..<0, authors: first..<books.authors.count, isSynthetic: false,
                primaryProvider: .openLibrary,
                contributors: [], reviewStatus: .verified, quality: 0))
    }
}
