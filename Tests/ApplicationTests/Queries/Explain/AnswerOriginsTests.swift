import Foundation
import System
import TestSupport
import Testing

@testable import Books
@testable import Contract
@testable import Database
@testable import Queries
@testable import Store
@testable import Syntax

/// When a provider answered and where a book came from, as an explanation shows it.
@Suite struct AnswerOriginsTests {
    /// Caches an answer as a run would.
    private func save(
        _ words: String, of service: String, to key: String, at moment: Int64, in store: FilledStore
    ) throws {
        let connection = try StoreFile.openForWriting(store.path)
        try connection.execute(
            "INSERT INTO answers(service, key, version, fetched_at, body) VALUES (?1,?2,1,?3,?4)", service,
            key, moment, Deflated.pack(Array(words.utf8)))
    }

    private func explain(_ store: FilledStore, _ text: String) throws -> Explanation {
        try Explainer(try store.open()).explain(BookReference(text))
    }

    private static let before: Int64 = 1_699_999_999_000
    private static let after: Int64 = 1_700_000_001_000

    @Test func `an answer by ISBN is explained with the cached response that has its record`() async throws {
        let store = try await SmallLibrary.store()
        let isbn = "isbn:9780441013593"
        let words = #"{"key":"/books/OL7353617M","works":[{"key":"/works/OL893415W"}]}"#
        try save(words, of: "openlibrary", to: isbn, at: Self.before, in: store)
        try save(#"{"id":"another"}"#, of: "google-books", to: isbn, at: Self.before, in: store)
        try save(#"{"id":"Q7934"}"#, of: "wikidata", to: "item:Q7934", at: Self.before, in: store)
        let explanation = try explain(store, "9780441013593")
        let cached = CachedSources.Found(service: "openlibrary", key: isbn, fetchedAt: Self.before)
        #expect(explanation.answers.map(\.response) == [.cached(cached), .notCached])
        #expect(
            explanation.answers[0].origin
                == "From the cached answer of openlibrary for isbn:9780441013593, fetched 2023-11-14T22:13:19Z."
        )
        #expect(
            explanation.answers[1].origin == "From an answer of google-books that is no longer cached.")
        #expect(explanation.authors.first?.cached?.key == "item:Q7934")

        var out = JSONWriter()
        explanation.write(into: &out)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(out.bytes)) as? [String: Any])
        let answers = try #require(object["answers"] as? [[String: Any]])
        #expect(answers[0]["fetchedAt"] as? String == "2023-11-14T22:13:19Z")
        #expect(answers[0]["service"] as? String == "openlibrary" && answers[0]["key"] as? String == isbn)
        #expect(answers.map { $0["kept"] as? Bool } == [true, false])
        let authors = try #require(object["authors"] as? [[String: Any]])
        #expect(authors[0]["fetchedAt"] as? String == "2023-11-14T22:13:19Z")
    }

    @Test func `an answer fetched again later is no longer the origin of the book`() async throws {
        let store = try await SmallLibrary.store()
        let isbn = "isbn:9780441013593"
        try save(#"{"id":"B1hSG45JCX4C"}"#, of: "google-books", to: isbn, at: Self.after, in: store)
        let answer = try explain(store, "9780441013593").answers[1]
        let cached = CachedSources.Found(service: "google-books", key: isbn, fetchedAt: Self.after)
        #expect(answer.response == .replaced(cached))
        #expect(answer.origin?.contains("no longer cached (isbn:9780441013593 was fetched again ") == true)
    }

    @Test func `an answer by title is found by the user's title without its series`() async throws {
        let store = try await SmallLibrary.store()
        let key = "title:a wizard of earthsea\tursula k le guin"
        let words = #"{"docs":[{"key":"/works/OL59798W"}]}"#
        try save(#"{"docs":[]}"#, of: "openlibrary", to: "title:a wiz\tx", at: Self.before, in: store)
        try save(words, of: "openlibrary", to: "title:a wizard of oz\tx", at: Self.before, in: store)
        try save(words, of: "openlibrary", to: key, at: Self.before, in: store)
        let answer = try explain(store, "row:3").answers[0]
        #expect(
            answer.response == .cached(.init(service: "openlibrary", key: key, fetchedAt: Self.before)))
        #expect(answer.origin?.contains("title:a wizard of earthsea, ursula k le guin") == true)
    }

    @Test func `a catalog is recorded with the job and explained with its date and dumps`() async throws {
        let sample = try await SampleImport()
        try await sample.run("s.sqlite")
        let store = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        let job = try #require(try JobTable(store).last())
        let note = try #require(job.runState.catalogs?.first)
        #expect(note.provider == "openlibrary" && note.path.hasSuffix("/catalog.sqlite"))
        #expect(note.dumps?.count == ProjectFiles.catalogSources.count)
        let builtAt = try #require(note.builtAt)
        let isbn = try #require(
            try store.integer("SELECT isbn FROM editions WHERE providers IS NOT NULL AND isbn IS NOT NULL"))
        let explanation = try Explainer(store).explain(BookReference(String(isbn)))
        let answer = try #require(explanation.answers.first)
        #expect(answer.response == nil && answer.catalogs == [note])
        #expect(answer.origin?.hasPrefix("From the catalog \(note.path), built \(builtAt) from ") == true)
        var out = JSONWriter()
        explanation.write(into: &out)
        #expect(String(decoding: out.bytes, as: UTF8.self).contains(#""builtAt":"\#(builtAt)""#))

        try await sample.run("s.sqlite")
        #expect(try JobTable(store).last()?.runState.catalogs == [note], "recorded once")
    }
}
