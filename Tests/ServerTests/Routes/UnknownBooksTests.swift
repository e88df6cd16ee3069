import Books
import FakeServices
import Foundation
import Jobs
import Services
import System
import TestSupport
import Testing

@testable import Server

/// Books that no source knows, over a real connection: nothing without a title counts as found.
@Suite(.ownThread) struct UnknownBooksTests {
    private static let inCatalog = "9780441007318"
    private static let (atServices, nowhere) = {
        let isbns = FakeClient.isbns(known: 1, unknown: 2)
        return (isbns.known[0].isbn13, isbns.unknown.map(\.isbn13))
    }()

    private static func works(_ running: RunningServer, _ isbn: String) throws -> [[String: Any]] {
        try #require(try running.data("/v1/search/isbn?isbn=\(isbn)")["works"] as? [[String: Any]])
    }

    @Test(arguments: [true, false])
    func `an unknown barcode of a batch is a failure with NOT_FOUND and leaves no work`(hasServices: Bool)
        async throws
    {
        let running = try await RunningServer(clock: SystemClock()) { settings in
            guard hasServices else { return }
            settings.jobs.lookUps.services = ServiceSettings.fake(over: HeldTransport()).always
        }
        let answer = try running.request(
            "POST", "/v1/enrichment/batch",
            body:
                "{\"barcodes\":[\"\(Self.nowhere[0])\",\"\(Self.inCatalog)\",\"\(Self.nowhere[1])\",\"97804\"]}"
        )
        let (job, token) = try answer.acceptedJob()
        let last = try #require(try running.wait(for: job, token).last)
        let payload = try #require(last.data["payload"] as? [String: Any])
        let summary = try #require(payload["summary"] as? [String: Any])
        #expect(summary["totalProcessed"] as? Int == 4 && summary["failureCount"] as? Int == 3)
        let results = try running.data("/v1/jobs/\(job)/results", token: token)
        let books = try #require(results["enrichedBooks"] as? [[String: Any]])
        #expect(
            books.map { ($0["work"] as? [String: Any])?["title"] as? String } == ["The Left Hand of Darkness"]
        )
        let errors = try #require(results["errors"] as? [[String: Any]])
        #expect(errors.map { $0["isbn"] as? String } == Self.nowhere + ["97804"])
        #expect(
            errors.map { $0["code"] as? String } == ["NOT_FOUND", "NOT_FOUND", "INVALID_ISBN"], "\(errors)")
        #expect(errors.map { $0["row"] as? Int } == [1, 3, 4], "the numbers in the list")
        for isbn in Self.nowhere { #expect(try Self.works(running, isbn).isEmpty) }
        let enriched = try running.request(
            "POST", "/api/v2/books/enrich", body: "{\"barcode\":\"\(Self.nowhere[0])\"}")
        #expect(enriched.status == 404, "\(enriched.text)")
        await running.server.stop()
    }

    @Test(arguments: [true, false])
    func `a title of a batch that nobody knows is a failure with NOT_FOUND and leaves no work`(
        hasServices: Bool
    ) async throws {
        let running = try await RunningServer(clock: SystemClock()) { settings in
            guard hasServices else { return }
            settings.jobs.lookUps.services = ServiceSettings.fake(over: HeldTransport()).always
        }
        let answer = try running.request(
            "POST", "/v1/enrichment/batch",
            body: #"{"books":[{"title":"Xylophones of Nowhere","author":"Zebedee Quux"},"#
                + #"{"title":"Dune","author":"Frank Herbert"},"#
                + "{\"isbn\":\"\(Self.nowhere[0])\",\"title\":\"Another Nobody Knows\"}]}")
        let (job, token) = try answer.acceptedJob()
        let last = try #require(try running.wait(for: job, token).last)
        let payload = try #require(last.data["payload"] as? [String: Any])
        let summary = try #require(payload["summary"] as? [String: Any])
        #expect(summary["totalProcessed"] as? Int == 3 && summary["failureCount"] as? Int == 2)
        let results = try running.data("/v1/jobs/\(job)/results", token: token)
        let books = try #require(results["enrichedBooks"] as? [[String: Any]])
        #expect(books.map { ($0["work"] as? [String: Any])?["title"] as? String } == ["Dune"])
        let errors = try #require(results["errors"] as? [[String: Any]])
        #expect(errors.map { $0["code"] as? String } == ["NOT_FOUND", "NOT_FOUND"])
        #expect(
            errors.map { $0["error"] as? String } == [
                "Book not found for title Xylophones of Nowhere",
                "Book not found for ISBN \(Self.nowhere[0])",
            ])
        #expect(errors.map { $0["value"] as? String } == ["Xylophones of Nowhere", Self.nowhere[0]])
        #expect(errors.map { $0["isbn"] as? String } == ["", Self.nowhere[0]])
        // Of the books with an ISBN none was matched.
        let quality = try #require(results["quality"] as? [String: Any])
        #expect(quality["isbnMatchRate"] as? Double == 0, "\(quality)")
        for words in ["xylophones", "another%20nobody"] {
            let found = try running.data("/v1/search/title?q=\(words)")
            #expect((found["works"] as? [Any])?.isEmpty == true)
        }
        await running.server.stop()
    }

    @Test func `an ISBN of an import that nobody knows is an entry, and no answer to a search`() async throws
    {
        let running = try await RunningServer(clock: SystemClock())
        let (job, token) = try running.accepted("ISBN\n\(Self.nowhere[0])\n")
        try running.wait(for: job, token)
        let results = try running.data("/api/v2/imports/\(job)/results", token: token)
        #expect((results["books"] as? [Any])?.isEmpty == true)
        let error = try #require((results["errors"] as? [[String: Any]])?.first)
        #expect(error["code"] as? String == "NOT_FOUND" && error["isbn"] as? String == Self.nowhere[0])
        #expect(try Self.works(running, Self.nowhere[0]).isEmpty)
        let enriched = try running.request(
            "POST", "/api/v2/books/enrich", body: "{\"barcode\":\"\(Self.nowhere[0])\"}")
        #expect(enriched.status == 404, "\(enriched.text)")
        await running.server.stop()
    }

    @Test func `a book that waits for a service is no answer to a search, and is asked for`() async throws {
        let services = HeldTransport(isOpen: false)
        let running = try await RunningServer(clock: SystemClock()) { settings in
            var imports = ServiceSettings.fake(over: services, ["google-books"])
            imports.firstWaitPolicy = .timeout(1)
            settings.jobs.imports.services = imports.always
            var searches = imports
            searches.transport = HeldTransport()
            settings.jobs.lookUps.services = searches.always
            settings.searchTimeout = 3_600_000_000_000
        }
        let (job, token) = try running.accepted("ISBN\n\(Self.atServices)\n")
        await services.asked.wait()
        let title = FakeLibrary().book(try #require(ISBN(Self.atServices)))?.title
        #expect(try Self.works(running, Self.atServices).map { $0["title"] as? String } == [title])
        services.opened.raise()
        try running.wait(for: job, token)
        await running.server.stop()
    }
}
