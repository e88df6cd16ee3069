import Books
import FakeServices
import Foundation
import Services
import System
import TestSupport
import Testing

@testable import Server

/// Searches for which store and catalogs have something, but services know more, over a real connection.
@Suite(.ownThread) struct CompletedSearchTests {
    private typealias Base = ServiceSearchTests

    private static var book: FakeLibrary.Book {
        get throws { try #require(FakeLibrary().book(Base.atServices)) }
    }

    private static func target(_ kind: String, _ text: String) -> String {
        "/v1/search/\(kind)?q=\(text.replacing(" ", with: "%20"))"
    }

    /// A server whose store has one book, of whose author the services have five others.
    private static func server(
        _ transport: any HTTPTransport, _ names: [String],
        _ change: @escaping (inout ServerSettings) -> Void = { _ in }
    ) async throws -> RunningServer {
        let running = try await Base.server(transport, names, change)
        let (job, token) = try running.accepted(
            "Title,Author,ISBN\n\(book.title),\(book.authorName),\(Base.atServices.isbn13)\n")
        try running.wait(for: job, token)
        return running
    }

    private static func titles(_ answer: RawClient.Answer) throws -> [String] {
        try Base.works(answer).compactMap { $0["title"] as? String }
    }

    private static func author(_ answer: RawClient.Answer) throws -> [String: Any] {
        let data = try #require(try answer.json()["data"] as? [String: Any], "\(answer.text)")
        return try #require((data["authors"] as? [[String: Any]])?.first)
    }

    @Test(arguments: ["openlibrary", "google-books"])
    func `services add books to those of the store, each once, and the library stays as it is`(name: String)
        async throws
    {
        let (services, book) = (HeldTransport(), try Self.book)
        let running = try await Self.server(services, [name])
        let byAuthor = Self.target("author", book.authorName)
        let found = try running.request("GET", byAuthor)
        #expect(try Self.titles(found).count == 6 && Self.titles(found).first == book.title, "\(found.text)")
        #expect(try Base.metadata(found)["provider"] as? String == name)
        #expect(found.fields["x-cache"] == "MISS" && services.count == 1)
        #expect(try running.request("GET", byAuthor).fields["x-cache"] == "HIT")
        let byTitle = try running.request("GET", Self.target("title", book.title))
        #expect(try Self.titles(byTitle) == [book.title], "the services have the same book: \(byTitle.text)")
        #expect(try Base.metadata(byTitle)["provider"] as? String == name, "it has what the row lacks")
        #expect(services.count == 2)
        #expect(try Self.titles(try running.request("GET", "\(byAuthor)&limit=1")) == [book.title])
        #expect(services.count == 2, "the store has enough")
        #expect(
            try Self.titles(try running.request("GET", Base.byISBN(Base.atServices.isbn13))) == [book.title])
        let asked = services.count
        #expect(asked > 2, "only the user's file knows the ISBN")
        await running.server.stop()
        let local = try await Base.server(services, [name], sample: running.sample) {
            $0.searchesServices = false
        }
        #expect(try Self.titles(try local.request("GET", byAuthor)) == [book.title])
        #expect(services.count == asked, "nobody is asked")
        await local.server.stop()
    }

    @Test func `a silent service holds up the store's books for a moment only, and is in a later answer`()
        async throws
    {
        let services = HeldTransport(isOpen: false)
        let running = try await Self.server(services, ["openlibrary"]) { $0.shortSearchTimeout = 1_000_000 }
        let (book, target) = (try Self.book, Self.target("author", try Self.book.authorName))
        let first = try running.request("GET", target)
        #expect(try Self.titles(first) == [book.title])
        #expect(first.fields["x-cache"] == "MISS" && first.fields["cache-control"] == "private, no-cache")
        await services.asked.wait()
        services.opened.raise()
        var later = first
        while try Self.titles(later).count == 1 { later = try running.request("GET", target) }
        #expect(try Self.titles(later).count == 6 && Self.titles(later).first == book.title)
        #expect(services.count == 1)
        await running.server.stop()
    }

    @Test(arguments: [FakeFaults.Kind.serverError, .page, .throttled, .brokenJSON])
    func `services that fail do not spoil the store's books`(kind: FakeFaults.Kind) async throws {
        let names = Base.ofBooks
        let faults = names.map { ($0, FakeFaults(share: 1, kinds: [kind])) }
        let running = try await Self.server(HeldTransport(Dictionary(uniqueKeysWithValues: faults)), names)
        let book = try Self.book
        for target in [Self.target("author", book.authorName), Self.target("title", book.title)] {
            let answer = try running.request("GET", target)
            #expect(answer.status == 200 && answer.fields["cache-control"] == "private, no-cache")
            #expect(try Self.titles(answer) == [book.title])
            let kept = try running.request("GET", target)
            #expect(kept.fields["cache-control"] == "private, no-cache", "clients do not keep it")
        }
        await running.server.stop()
    }

    @Test func `fifty clients that ask for what services complete cause one call`() async throws {
        let services = HeldTransport(isOpen: false)
        let running = try await Self.server(services, ["google-books"])
        let target = Self.target("author", try Self.book.authorName)
        let clients = try (0..<50).map { _ in
            let client = try running.client()
            try client.send("GET \(target) HTTP/1.1\nHost: localhost\n\n")
            return client
        }
        await services.asked.wait()
        services.opened.raise()
        for client in clients { #expect(try Self.titles(try client.answer()).count == 6) }
        #expect(services.count == 1)
        await running.server.stop()
    }

    // MARK: Authors

    @Test func `authors of found books have what Wikidata knows about them, if they are the person`()
        async throws
    {
        let (services, book) = (HeldTransport(), try Self.book)
        // A busy machine needs more than the second for which authors are waited.
        let running = try await Base.server(services, ["openlibrary", "wikidata"]) {
            $0.searchTurn = 3_600_000_000_000
        }
        for target in [Self.target("title", book.title), Base.byISBN(Base.atServices.isbn13)] {
            let author = try Self.author(try running.request("GET", target))
            #expect(author["name"] as? String == book.authorName)
            #expect(["Female", "Male"].contains(author["gender"] as? String), "\(author)")
            #expect(author["nationality"] as? String == "United States")
            #expect(author["culturalRegion"] as? String == "North America")
            #expect(author["birthYear"] is Int)
        }
        #expect(services.count(of: "wikidata") <= 3, "a search by key, and an item")
        await running.server.stop()
        // Google Books only has the name, and nobody of that name is known for the book.
        let named = try await Base.server(services, ["google-books", "wikidata"])
        let author = try Self.author(try named.request("GET", Self.target("title", book.title)))
        #expect(author["gender"] as? String == "Unknown" && author["nationality"] == nil, "\(author)")
        await named.server.stop()
    }

    @Test func `a silent Wikidata holds up no book, and is in a later answer`() async throws {
        let services = HeldTransport(isOpen: false, holding: "wikidata")
        let running = try await Base.server(services, ["openlibrary", "wikidata"]) {
            $0.shortSearchTimeout = 1_000_000
        }
        let (book, target) = (try Self.book, Self.target("title", try Self.book.title))
        let first = try running.request("GET", target)
        #expect(try Self.titles(first) == [book.title], "\(first.text)")
        #expect(try Self.author(first)["gender"] as? String == "Unknown")
        #expect(first.fields["cache-control"] == "private, no-cache")
        await services.asked.wait()
        services.opened.raise()
        var later = first
        while try Self.author(later)["nationality"] == nil { later = try running.request("GET", target) }
        #expect(try Self.author(later)["nationality"] as? String == "United States")
        #expect(services.count(of: "openlibrary") == 1)
        await running.server.stop()
    }
}
