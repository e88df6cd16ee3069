import Contract
import Foundation
import Queries
import System
import Testing

@testable import TestSupport

@Suite
struct JobResultsTests {
    /// The bytes of the response, and its error code if it failed.
    private func answer(
        _ store: FilledStore, _ job: String, as view: ResultsView? = nil
    ) throws -> (collector: ByteCollector, code: ErrorCode?) {
        let collector = ByteCollector()
        let code = try JobResults(try store.open(), clock: ManualClock())
            .write(job, as: view) { (piece) throws(ETLError) in collector.take(piece) }
        return (collector, code?.code)
    }

    private func decoded<Model: Decodable>(_ bytes: [UInt8], as model: Model.Type) throws -> Model {
        try JSONDecoder().decode(model, from: Data(bytes))
    }

    @Test func `the import view has a book for each successful record, in input order`() async throws {
        let store = try await SmallLibrary.store()
        let (collector, code) = try answer(store, "first")
        #expect(code == nil)
        let envelope = try decoded(collector.bytes, as: V32.ResponseEnvelope<V32.ImportResults>.self)
        let results = try #require(envelope.data)
        #expect(
            results.books.map(\.title) == ["Dune", "A Wizard of Earthsea", "Broken \"Number\"", "Dune"],
            "a duplicate has its book too")
        #expect(results.booksCreated == 3 && results.booksUpdated == 0 && results.duplicatesSkipped == 1)
        #expect(results.enrichmentSucceeded == 2 && results.enrichmentFailed == 1)
        #expect(results.errors.map(\.row) == [4, 5])
        #expect(
            results.errors.map(\.isbn) == ["9780441013594", "12345"], "clients show it as the wrong number")
        #expect(
            collector.text.contains(#""value":"9780441013594""#)
                && collector.text.contains(#""value":"12345""#))
    }

    @Test func `the import view is written as expected`() async throws {
        let store = try FilledStore()
        store.known = SmallLibrary.known
        try await store.importing(
            [[SmallLibrary.header, SmallLibrary.dune, SmallLibrary.nothing].joined(separator: "\n")], job: "j"
        )
        let (collector, _) = try answer(store, "j")
        #expect(
            collector.text == """
                {"success":true,"data":{"booksCreated":1,"booksUpdated":0,"duplicatesSkipped":0,\
                "enrichmentSucceeded":1,"enrichmentFailed":0,"errors":[{"row":3,"isbn":"12345","error":\
                "The row has neither a title nor an ISBN. An ISBN has 10 or 13 digits; \
                this number has neither.","code":"INVALID_ISBN","value":"12345","details":{"lineNumber":3}}],"books":[{"title":"Dune",\
                "author":"Frank Herbert","isbn":"9780441013593","isbn13":"9780441013593","authors":["Frank Herbert"],"publisher":"Ace",\
                "publishedDate":"2005-08-02","description":"A desert planet.","pageCount":528,\
                "categories":["Science Fiction","Deserts"],"language":"en",\
                "coverUrl":"https://books.example/dune.jpg","averageRating":4.2}],"successRate":"1/2",\
                "timestamp":1700000000000,"quality":{"isbnMatchRate":1,"coverAvailability":1,"authorEnrichment":0,\
                "meanQuality":98,"targets":{"isbnMatchRate":0.95,"coverAvailability":0.8,\
                "authorEnrichment":0.7,"meanQuality":60}}},\
                "metadata":{"timestamp":"2023-11-14T22:13:20.000Z","processingTime":0,"provider":"openlibrary",\
                "cached":true,"source":"openlibrary"}}
                """)
    }

    @Test func `the CSV view is decoded by v2.1 clients`() async throws {
        let store = try FilledStore()
        store.known = SmallLibrary.known
        try await store.importing(
            [[SmallLibrary.header, SmallLibrary.dune, SmallLibrary.earthsea].joined(separator: "\n")],
            job: "j")
        let (collector, _) = try answer(store, "j", as: .csv)
        let envelope = try decoded(collector.bytes, as: V21.Envelope<V21.CSVResults, V21.NoDetails>.self)
        let results = try #require(envelope.data)
        #expect(results.books.map(\.title) == ["Dune", "A Wizard of Earthsea"])
        #expect(results.books.map(\.author) == ["Frank Herbert", "Ursula K. Le Guin"])
        #expect(results.books.map(\.isbn) == ["9780441013593", ""])
        #expect(results.successRate == "2/2")
        #expect(results.timestamp == 1_700_000_000_000)
        #expect(envelope.metadata.cached == true)
    }

    @Test func `the job view of an import lists its books`() async throws {
        let store = try await SmallLibrary.store()
        let (collector, code) = try answer(store, "first", as: .job)
        #expect(code == nil)
        let data = try #require(
            (JSONSerialization.jsonObject(with: Data(collector.bytes)) as? [String: Any])?["data"]
                as? [String: Any])
        #expect((data["books"] as? [Any])?.count == 4)
        #expect((data["errors"] as? [Any])?.count == 2)
        #expect(data["enrichedBooks"] == nil)
    }

    @Test func `a view that does not fit is an invalid request, and an unknown job is not found`()
        async throws
    {
        let store = try await SmallLibrary.store()
        let scan = try answer(store, "first", as: .scan)
        #expect(scan.code == .invalidRequest)
        let failure = try decoded(scan.collector.bytes, as: V21.Envelope<V21.NoDetails, V21.NoDetails>.self)
        #expect(failure.error?.code == "INVALID_REQUEST")
        #expect(failure.data == nil)

        let unknown = try answer(store, "'; DROP TABLE jobs; --")
        #expect(unknown.code == .notFound)
        let missing = try decoded(unknown.collector.bytes, as: V32.ResponseEnvelope<V32.ImportResults>.self)
        #expect(!missing.success)
        #expect(try answer(store, "first").code == nil, "nothing was dropped")
    }

    @Test(arguments: [ResultsView.imports, .csv, .job])
    func `a job without records has empty lists in every view`(view: ResultsView) async throws {
        let store = try FilledStore()
        try await store.importing([SmallLibrary.header + "\n"], job: "empty")
        let (collector, code) = try answer(store, "empty", as: view)
        #expect(code == nil)
        #expect(collector.text.contains(#""books":[]"#))
        #expect(collector.text.contains(#""errors":[]"#))
        // The csv view says that stored results come from a cache, as its client expects.
        #expect(collector.text.contains("provider") == (view == .csv))
        _ = try JSONSerialization.jsonObject(with: Data(collector.bytes))
    }

    @Test func `a job with only rejects lists all of them`() async throws {
        let store = try FilledStore()
        let rows = Array(repeating: SmallLibrary.nothing, count: 20)
        try await store.importing([([SmallLibrary.header] + rows).joined(separator: "\n")], job: "bad")
        let (collector, _) = try answer(store, "bad")
        let envelope = try decoded(collector.bytes, as: V32.ResponseEnvelope<V32.ImportResults>.self)
        #expect(envelope.data?.errors.map(\.row) == Array(2...21))
        #expect(envelope.data?.books.isEmpty == true)
    }

    @Test func `errors name their file if the job had several`() async throws {
        let store = try FilledStore()
        let text = [SmallLibrary.header, SmallLibrary.nothing].joined(separator: "\n")
        try await store.importing([text, text], as: ["a.csv", "b.csv"], job: "two")
        let text2 = try answer(store, "two").collector.text
        #expect(text2.contains(#"a.csv","details""#) && text2.contains(#"b.csv","details""#))
    }

    @Test func `text hostile to JSON, SQL and terminals survives unchanged`() async throws {
        let titles = [
            "'); DROP TABLE works; --", "\u{0007}\u{1B}[31m red", "=HYPERLINK(\"http://x\")",
            "𝕌𝕟𝕚 🦄 \u{202E}",
            "</script><b>\\u0000\\", String(repeating: "long ", count: 2_000) + "end",
        ]
        let store = try FilledStore()
        let rows = titles.enumerated().map { SmallLibrary.row("\($0 + 1)", $1, "O'Brien \\ \"Q\"") }
        try await store.importing([([SmallLibrary.header] + rows).joined(separator: "\n")], job: "hostile")
        let (collector, _) = try answer(store, "hostile")
        let envelope = try decoded(collector.bytes, as: V32.ResponseEnvelope<V32.ImportResults>.self)
        #expect(envelope.data?.books.map(\.title) == titles)
        #expect(!collector.bytes.contains { $0 < 0x20 })
    }

    @Test func `ten thousand records are written in pieces and never held in memory`() async throws {
        let store = try FilledStore()
        store.batchRecords = 1_024
        let rows = (1...10_000).map { id in
            SmallLibrary.row(
                "\(id)", "Title \(id)", "Author \(id % 97)", publisher: String(repeating: "P", count: 120))
        }
        try await store.importing([([SmallLibrary.header] + rows).joined(separator: "\n")], job: "many")
        for view in [ResultsView.imports, .csv, .job] {
            let (collector, _) = try answer(store, "many", as: view)
            #expect(collector.bytes.count > 2_000_000)
            #expect(collector.largestPiece < 70_000, "a piece is passed on once it is full")
            #expect(collector.pieces > 25)
            let text = collector.text
            #expect(text.hasPrefix(#"{"success":true"#) && text.hasSuffix("}}"))
            #expect(text.contains("Title 10000"))
        }
    }

    @Test func `a failing sink ends the response with its failure`() async throws {
        let store = try await SmallLibrary.store()
        func write() throws(ETLError) {
            try JobResults(try store.open()).write("first") { (_) throws(ETLError) in
                throw ETLError(.inputOutput, "The pipe is broken.")
            }
        }
        #expect(throws: ETLError(.inputOutput, "The pipe is broken."), performing: write)
    }
}
