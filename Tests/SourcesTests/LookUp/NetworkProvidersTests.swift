import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import FakeServices
@testable import Services
@testable import Sources
@testable import System

/// The online providers, with the fake services.
@Suite struct NetworkProvidersTests {
    private static let isbns = FakeClient.isbns(known: 6, unknown: 6)

    private static func title() -> (title: String, author: String) {
        let book = isbns.known.compactMap { FakeLibrary().book($0) }[0]
        return (book.title.uppercased(), book.authorName)
    }

    @Test func `Open Library conforms to the provider contract`() async throws {
        let fake = try FakeClient()
        defer { fake.server.stop() }
        let contract = BookProviderContract(
            fake.openLibrary, known: Self.isbns.known, unknown: Self.isbns.unknown, title: Self.title())
        #expect(await contract.violations() == [])
    }

    @Test func `an Open Library edition includes its work and authors`() async throws {
        let fake = try FakeClient()
        defer { fake.server.stop() }
        let answers = try await fake.openLibrary.answer(
            BookQueries(queries: [.isbn(Self.isbns.known[0])]))
        let book = try #require(FakeLibrary().book(Self.isbns.known[0]))
        let answer = try #require(answers.answers.first)
        #expect(answer.outcome == .found && !answer.isSynthetic)
        func values(_ field: Field) -> [String] {
            answers.values[answer.values].filter { $0.field == field }.map { answers.arena[$0.value] }
        }
        #expect(values(.editionKey) == ["OL\(book.body)M"])
        #expect(values(.workKey) == ["OL\(book.work)W"])
        #expect(values(.title) == [book.title])
        #expect(values(.description) == ["A made-up book, number \(book.work)."])
        #expect(values(.subject).first == "Fiction")
        #expect(values(.authorName) == [book.authorName])
        #expect(values(.authorKey) == ["OL\(book.author)A"])
        #expect(values(.authorWikidata).count == (book.author % 3 == 0 ? 0 : 1))
        #expect(values(.language) == ["en"])
    }

    /// Open Library's provider at a server that fails for paths with a word.
    private func openLibrary(
        failingFor word: String, _ body: (OpenLibrary) async throws -> Void
    ) async throws {
        let services = FakeServices()
        let server = try FakeServer { request in
            request.path.contains(word) ? FakeReply(500) : services.answer(request)
        }
        defer { server.stop() }
        var dependencies = ClientDependencies(
            transport: try CurlClient(version: "1", contact: nil, environment: [:]),
            limiter: InMemoryLimiterStore())
        dependencies.retry = RetryPolicy(attempts: 1)
        let address = ServiceEndpoint("\(server.url)/openlibrary", isUserConfigured: true)
        let client = ServiceClient(
            OpenLibraryService(address, isIdentified: true).under(FakeClient.limits), dependencies)
        try await body(OpenLibrary(client))
        try await client.close()
    }

    @Test(arguments: ["/works/", "/authors/"])
    func `an edition whose work or author is not answered yet has the rest of its data`(
        _ word: String
    ) async throws {
        try await openLibrary(failingFor: word) { provider in
            let answers = try await provider.answer(BookQueries(queries: [.isbn(Self.isbns.known[0])]))
            let book = try #require(FakeLibrary().book(Self.isbns.known[0]))
            let answer = try #require(answers.answers.first)
            #expect(answer.outcome == .found && answer.missing == .serverError)
            #expect(answer.openOutcome == .serverError)
            func values(_ field: Field) -> [String] {
                answers.values[answer.values].filter { $0.field == field }.map { answers.arena[$0.value] }
            }
            #expect(values(.editionKey) == ["OL\(book.body)M"])
            #expect(values(.workKey) == ["OL\(book.work)W"])
            #expect(values(.title) == [book.title])
            #expect(values(.description).isEmpty == (word == "/works/"))
            #expect(values(.authorKey).isEmpty == (word == "/authors/"))
        }
    }

    @Test func `editions are requested in batches, works and authors once each`() async throws {
        let fake = try FakeClient()
        defer { fake.server.stop() }
        let isbns = FakeClient.isbns(known: 100, unknown: 0).known
        let answers = try await fake.openLibrary.answer(BookQueries(queries: isbns.map { .isbn($0) }))
        #expect(answers.answers.allSatisfy { $0.outcome == .found })
        let requests = fake.server.requests
        let paths = requests.map(\.path)
        // On a busy machine, a request may exceed its time limit and be sent again.
        let batches = requests.compactMap { $0.request.query["bibkeys"] }
        #expect(Set(batches).count == 2)
        #expect(
            Set(paths.filter { $0.contains("/works/") }).count
                == paths.filter { $0.contains("/works/") }.count)
        #expect(fake.server.maxAtOnce.values.allSatisfy { $0 <= FakeClient.limits.concurrency })
    }

    @Test func `Google Books and ISBNdb return editions with the requested ISBN`() async throws {
        let fake = try FakeClient()
        defer { fake.server.stop() }
        let queries = BookQueries(
            queries: Self.isbns.known.map { .isbn($0) } + Self.isbns.unknown.map { .isbn($0) })
        for provider in [fake.googleBooks, fake.isbndb] as [any BookProvider] {
            let answers = try await provider.answer(queries)
            for (query, answer) in zip(queries.queries, answers.answers) {
                guard case .isbn(let isbn) = query else { continue }
                #expect(answer.outcome == (Self.isbns.known.contains(isbn) ? .found : .notFound))
                guard answer.outcome == .found else { continue }
                #expect(answer.isSynthetic)
                let baseline = answers.values[answer.values].filter { $0.field == .isbn13 }
                #expect(baseline.map { answers.arena[$0.value] } == [isbn.isbn13])
            }
        }
    }

    @Test func `Open Library's search names an edition of a work; a match by title has the work only`()
        async throws
    {
        let fake = try FakeClient()
        defer { fake.server.stop() }
        let book = try #require(FakeLibrary().book(Self.isbns.known[0]))
        func values(_ answers: BookAnswers) -> [Field: [String]] {
            guard let answer = answers.answers.first else { return [:] }
            return Dictionary(grouping: answers.values[answer.values], by: \.field).mapValues {
                $0.map { answers.arena[$0.value] }
            }
        }
        let found = values(try await fake.openLibrary.search(title: book.title, author: "").answers)
        let isbn = try #require(found[.isbn13]?.first.flatMap { ISBN($0) })
        #expect(FakeLibrary().book(isbn)?.work == book.work && found[.subject] != nil)
        #expect(found[.publisher] == FakeLibrary().book(isbn).map { [$0.publisher] })
        var queries = BookQueries()
        let (title, author) = (queries.arena.append(book.title), queries.arena.append(book.authorName))
        queries.queries = [.described(BookDescription(title: title, author: author))]
        let answers = try await fake.openLibrary.answer(queries)
        #expect(answers.answers.first?.outcome == .found)
        let matched = values(answers)
        #expect(matched[.title] == [book.title] && matched.keys.filter { $0.isOfEdition }.isEmpty)
        let fields = fake.server.requests.compactMap { $0.request.query["fields"] }
        #expect(
            Set(fields.map { $0.contains("editions") }) == [true, false], "searches and matches ask apart")
    }

    @Test func `a wrong book is never attached`() async throws {
        let faults = FakeFaults(share: 1, kinds: [.mismatch])
        let fake = try FakeClient(faults: ["openlibrary": faults, "google-books": faults, "isbndb": faults])
        defer { fake.server.stop() }
        let queries = BookQueries(queries: [.isbn(Self.isbns.known[0])])
        for provider in [fake.openLibrary, fake.googleBooks, fake.isbndb] as [any BookProvider] {
            #expect(try await provider.answer(queries).answers.map(\.outcome) == [.malformed])
        }
        #expect(fake.cache.answers.values.allSatisfy { $0.body == nil && $0.mismatches == 1 })
    }

    @Test func `an author is found by Wikidata item and by Open Library key`() async throws {
        let fake = try FakeClient()
        defer { fake.server.stop() }
        let queries = [
            PersonQuery(item: 900_000_005, authorKey: "OL5A", foldedName: []),
            PersonQuery(authorKey: "OL6A", foldedName: []),
            PersonQuery(item: 7, foldedName: []),
            PersonQuery(foldedName: Array("ada marlow".utf8)),
        ]
        let found = try await fake.wikidata.find(queries)
        #expect(found.people.map { $0.map(\.item) } == [[900_000_005], [900_000_006], [], []])
        #expect(found.people[1].first?.openLibraryKeys == ["OL6A"])
        #expect(found.unanswered.isEmpty)
        // A name alone identifies no person, so it is not searched for.
        #expect(fake.server.requests.count == 2)
    }

    @Test func `a name is not searched for while a key may still arrive`() async throws {
        let fake = try FakeClient()
        defer { fake.server.stop() }
        var named = PersonQuery(foldedName: Array("ada marlow".utf8))
        named.isDated = true
        named.waitsForKey = true
        var keyed = PersonQuery(authorKey: "OL6A", foldedName: [])
        keyed.waitsForKey = true
        let waiting = try await fake.wikidata.find([named, keyed])
        #expect(waiting.people.map { $0.map(\.item) } == [[], [900_000_006]])
        #expect(waiting.unanswered.isEmpty)
        let before = fake.server.requests.count
        named.waitsForKey = false
        _ = try await fake.wikidata.find([named])
        #expect(fake.server.requests.count > before)
    }

    @Test func `many author keys are split into searches of limited length`() async throws {
        let fake = try FakeClient()
        defer { fake.server.stop() }
        let queries = (0..<40).map { PersonQuery(authorKey: "OL\(14_000_000 + $0)A", foldedName: []) }
        #expect(try await fake.wikidata.find(queries).unanswered.isEmpty)
        #expect(fake.server.requests.count { $0.request.query["action"] == "query" } == 3)
    }

    @Test func `an item Wikidata cannot read, or an overlong key, does not affect other answers`()
        async throws
    {
        let fake = try FakeClient()
        defer { fake.server.stop() }
        let client = fake.client(
            WikidataService(fake.address("wikidata"), isIdentified: true).under(FakeClient.limits))
        let items = (0..<50).map { ServiceKey(.item, $0 == 7 ? "Q0" : "Q\(900_000_001 + $0)") }
        let keys = (0..<15).map {
            ServiceKey(.authorItems, $0 == 7 ? "OL\(String(repeating: "1", count: 300))A" : "OL\($0 + 1)A")
        }
        for asked in [items, keys] {
            let outcomes = try await client.ask(asked, deadline: nil).map(\.outcome)
            #expect(outcomes == asked.indices.map { $0 == 7 ? .notFound : .found })
        }
    }
}
