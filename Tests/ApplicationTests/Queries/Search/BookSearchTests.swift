import Foundation
import System
import TestSupport
import Testing

@testable import Books
@testable import Contract
@testable import Queries
@testable import Sources

@Suite struct BookSearchTests {
    private let sample: SampleImport
    private let catalog: Catalog

    init() async throws {
        sample = try await SampleImport()
        catalog = try Catalog(sample.catalog)
    }

    private func find(_ query: SearchQuery, store: String? = nil) async throws -> [FoundBook] {
        try await BookSearch(store: store.map { sample.folder.file($0) }, catalogs: [catalog]).find(query)
    }

    @Test func `a catalog is searched by title, author and both`() async throws {
        let byTitle = try await find(.title("the hitchhikers guide to the galaxy"))
        let first = try #require(byTitle.first)
        #expect(first.authors.first?.name == "Douglas Adams")
        #expect(first.authors.first?.nationality == "United Kingdom")
        #expect(!first.isInStore)
        #expect(first.work.primaryProvider == .openLibrary)
        #expect(try await find(.author("adams douglas")).contains { $0.work.id == first.work.id })
        #expect(
            try await find(.advanced(title: "hitchhiker", author: "adams")).first?.authors.first?.name
                == "Douglas Adams")
        #expect(try await find(.title("hitchhikers gudie galaxy")).first?.work.id == first.work.id)
    }

    @Test func `an ISBN is found with its edition`() async throws {
        let book = try #require(try await find(.title("the hitchhikers guide to the galaxy")).first)
        let isbn = try #require(book.edition?.isbn)
        let found = try await find(.isbn(try #require(ISBN(isbn))))
        #expect(found.map(\.work.id) == [book.work.id])
        #expect(found.first?.edition?.isbn13s.contains(isbn) == true)
        #expect(try await find(.isbn(try #require(ISBN("9781861972712")))).isEmpty)
    }

    @Test func `a match by title has lower quality than one by ISBN`() async throws {
        let named = try #require(try await find(.title("the hitchhikers guide to the galaxy")).first)
        let isbn = try #require(named.edition?.isbn.flatMap { ISBN($0) })
        let numbered = try #require(try await find(.isbn(isbn)).first)
        #expect(named.work.reviewStatus == .needsReview && numbered.work.reviewStatus == .verified)
        #expect(named.work.isbndbQuality == numbered.work.isbndbQuality - QualityScore.isbn)
    }

    @Test func `a book in both store and catalog is listed once, as the store's`() async throws {
        try await sample.run("library.sqlite")
        let found = try await find(.title("the hitchhikers guide to the galaxy"), store: "library.sqlite")
        #expect(found.first?.isInStore == true)
        #expect(Set(found.map(\.work.id)).count == found.count)
        #expect(found.count <= BookSearch.resultLimit)
        let mode =
            try FileManager.default.attributesOfItem(
                atPath: sample.folder.file("library.sqlite.search"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    /// The store was filled without the catalog, so its books do not name the catalog's works.
    @Test(arguments: ["le guin", "murakami", "orwell"])
    func `a book of a store without catalog keys is listed once, too`(author: String) async throws {
        var plain = sample
        plain.asksCatalog = false
        try await plain.run("plain.sqlite")
        let alone = try await find(.author(author))
        let found = try await find(.author(author), store: "plain.sqlite")
        let kept = found.filter(\.isInStore)
        #expect(!kept.isEmpty)
        var keys: Set<String> = []
        for book in kept {
            if let isbn = book.edition?.isbn.flatMap({ ISBN($0) }) {
                for same in try await find(.isbn(isbn)) { keys.insert(same.work.id) }
            } else {
                for same in alone where same.work.title == book.work.title { keys.insert(same.work.id) }
            }
        }
        #expect(!keys.isEmpty)
        #expect(found.allSatisfy { $0.isInStore || !keys.contains($0.work.id) })
    }

    @Test func `without an ISBN title and author identify the same book`() async throws {
        var other = sample
        other.asksCatalog = false
        other.files = [
            try sample.folder.write(
                "Title,Author\nThe Tombs of Atuan,Ursula K. Le Guin\nThe Tombs of Atuan,Nobody Known\n",
                to: "other.csv")
        ]
        try await other.run("titles.sqlite")
        let found = try await find(.title("the tombs of atuan"), store: "titles.sqlite")
        #expect(found.map(\.isInStore) == [true, true])
    }

    @Test func `the store's index follows later imports`() async throws {
        var other = sample
        other.files = [
            try sample.folder.write(
                "Title,Author\nA Wholly Unheard Of Book,Nobody Known\n", to: "other.csv")
        ]
        try await sample.run("library.sqlite")
        let query = SearchQuery.title("wholly unheard")
        #expect(try await find(query, store: "library.sqlite").isEmpty)
        try await other.run("library.sqlite")
        #expect(try await find(query, store: "library.sqlite").first?.isInStore == true)
        // A damaged index is rebuilt.
        try Data("nothing of the kind".utf8).write(
            to: URL(filePath: sample.folder.file("library.sqlite.search")))
        #expect(try await find(query, store: "library.sqlite").first?.isInStore == true)
    }

    @Test func `a query that is too short is rejected`() {
        #expect(SearchQuery.title("x").refusal?.code == .invalidQuery)
        #expect(SearchQuery.author("!!").refusal?.code == .invalidQuery)
        // A single character that is a word is enough.
        #expect(SearchQuery.title("蛙").refusal == nil)
        #expect(SearchQuery.title("숲").refusal == nil)
        #expect(SearchQuery.advanced(title: "", author: "").refusal?.code == .invalidQuery)
        #expect(SearchQuery.advanced(title: "", author: "ng").refusal == nil)
    }

    @Test func `a search response follows the contract`() async throws {
        let books = try await find(.title("the hitchhikers guide to the galaxy"))
        let response = BookSearchResponse(books)
        #expect(response.works.count == books.count)
        #expect(response.books.first?.title == books.first?.work.title)
        #expect(response.mainProvider == "openlibrary")
        #expect(BookSearchResponse([]).mainProvider == "none")
        #expect(Set(response.authors.map(\.name)).count == response.authors.count)
    }
}
