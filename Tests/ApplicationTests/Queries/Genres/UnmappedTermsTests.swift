import Contract
import Foundation
import Queries
import TestSupport
import Testing

@testable import Books
@testable import Store

@Suite struct UnmappedTermsTests {
    /// Imports rows with shelves and subjects into a new store.
    private static func terms(
        _ books: [(title: String, subjects: [String], shelves: String)], rules: GenreRules = GenreRules()
    ) async throws -> [UnmappedTerm] {
        let filled = try FilledStore()
        for book in books {
            filled.known[book.title] = [
                KnownBook(
                    .openLibrary, "OL1W", [(.title, book.title)] + book.subjects.map { (.subject, $0) },
                    authors: [])
            ]
        }
        let rows = books.map { book in
            "\(book.title),A B,\"\(book.shelves.replacing("\"", with: "\"\""))\""
        }
        let text = "Title,Author,Bookshelves\n" + rows.joined(separator: "\n") + "\n"
        try await filled.importing([text], job: "j")
        var terms: [UnmappedTerm] = []
        try UnmappedTerms(try StoreFile.openForReading(filled.path), rules: rules).visit { term in
            terms.append(term)
            return true
        }
        return terms
    }

    @Test func `terms are counted by books, whatever their case, the most frequent first`() async throws {
        let terms = try await Self.terms([
            ("One", ["Deserts", "Fiction"], "to-read, cats"),
            ("Two", ["deserts", "Magic"], "cats,odd \"name\""),
            ("Three", ["Accessible book", "Fantasy fiction"], ""),
        ])
        #expect(
            terms.map { "\($0.count) \($0.text.lowercased()) \($0.source.rawValue) \($0.hints)" } == [
                "2 cats shelf [\"Nature\"]", "2 deserts subject []", "1 magic subject [\"Fantasy\"]",
                "1 odd \"name\" shelf []",
            ])
    }

    @Test func `a term that a rule covers is not listed`() async throws {
        let rules = try GenreRules(Array("genres: {Travel: [deserts]}\ntopics: [x]".utf8), named: "g.yaml")
        let books: [(String, [String], String)] = [("One", ["Deserts", "Rivers"], "")]
        #expect(try await Self.terms(books, rules: rules).map(\.text) == ["Rivers"])
    }

    @Test func `a library without subjects has no terms`() async throws {
        #expect(try await Self.terms([("One", [], "")]).isEmpty)
    }
}
