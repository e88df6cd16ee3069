import Books
import Contract
import FakeServices
import Foundation
import Jobs
import Pipeline
import Queries
import System
import Testing

@testable import Server
@testable import TestSupport

/// The server's output is decoded with the types of the published clients, version 2.1 and 3.2: every answer and
/// message with an example in their documents.
@Suite(.ownThread) struct PublishedClientsTests {
    private static let rows = "Title,Author,ISBN\nReef,Ana Lee,9780306406157\n,,123\nDune,Frank Herbert,\n"

    private struct ISBNDetails: Decodable { let isbn: String }

    private struct ResultsDetails: Decodable { let jobId, resultsKey, ttl: String }

    private struct SearchedDetails: Decodable {
        let isbn: String
        let providersSearched: [V21.DataProvider]
    }

    /// The metadata as version 3.2 spells it.
    private struct Sourced: Decodable {
        struct Metadata: Decodable {
            let source: String
            let cached: Bool
        }
        let metadata: Metadata
    }

    private struct LimitDetails: Decodable {
        let retryAfter, limit: Int
        let window: String
    }

    private struct Accepted: Decodable { let jobId, token, authToken: String }

    /// The targets of an import of which books and authors were looked up.
    private static let targets = [
        "isbnMatchRate": 0.95, "coverAvailability": 0.8, "authorEnrichment": 0.7, "meanQuality": 60,
    ]

    /// The data-quality figures of an answer.
    private func quality(of answer: RawClient.Answer) throws -> [String: Any]? {
        (try answer.json()["data"] as? [String: Any])?["quality"] as? [String: Any]
    }

    @Test func `searches, with and without a result`() async throws {
        let running = try await RunningServer(importing: true)
        let found = try running.request("GET", "/v1/search/isbn?isbn=9780441007318").inVersion2(
            V21.BookSearchResponse.self)
        #expect(found.error == nil && found.metadata.provider == "openlibrary")
        let work = try #require(found.data?.works.first)
        #expect(work.title == "The Left Hand of Darkness" && work.primaryProvider == .openlibrary)
        #expect(work.reviewStatus == .verified && work.isbndbQuality > 0)
        #expect(found.data?.editions.first?.isbns.contains("9780441007318") == true)
        #expect(found.data?.authors.map(\.name) == ["Ursula K. Le Guin"])
        for target in ["title?q=left+hand", "author?q=Le+Guin", "advanced?title=hand&author=Le+Guin"] {
            let answer = try running.request("GET", "/v1/search/\(target)")
            #expect(
                try answer.inVersion2(V21.BookSearchResponse.self).data?.works.isEmpty == false, "\(target)")
            #expect(
                try answer.inVersion3(V32.SearchResponseDTO.self).data?.books.isEmpty == false, "\(target)")
        }
        let again = try running.request("GET", "/v1/search/isbn?isbn=9780441007318")
        let sourced = try JSONDecoder().decode(Sourced.self, from: Data(again.body)).metadata
        #expect(sourced.source == "openlibrary" && sourced.cached)
        let nothing = try running.request("GET", "/v1/search/isbn?isbn=9780306406157").inVersion2(
            V21.BookSearchResponse.self)
        #expect(nothing.data?.works.isEmpty == true && nothing.data?.editions.isEmpty == true)
        #expect(nothing.data?.authors.isEmpty == true && nothing.metadata.provider == "none")

        let flat = try running.request("GET", "/v1/search/isbn?isbn=9780441007318", [("X-API-Version", "3")])
            .inVersion3(V32.BookDTO.self)
        #expect(flat.success && flat.data?.authors == ["Ursula K. Le Guin"])
        let semantic = try running.request("GET", "/api/v2/search?q=darkness").inVersion3(
            V32.SearchResponseDTO.self)
        #expect(semantic.data?.books.first?.title == "The Left Hand of Darkness")
        await running.server.stop()
    }

    @Test func `failures`() async throws {
        let running = try await RunningServer { $0.hasClientLimits = true }
        let invalid = try running.request("GET", "/v1/search/isbn?isbn=123")
        let failure = try invalid.inVersion2(V21.BookSearchResponse.self, ISBNDetails.self)
        #expect(failure.data == nil && failure.error?.code == "INVALID_ISBN")
        #expect(failure.error?.details?.isbn == "123")
        #expect(
            try invalid.inVersion3(V32.BookDTO.self).error
                == .serverError(message: failure.error?.message ?? ""))

        let unknown = try running.request(
            "GET", "/v1/search/isbn?isbn=9780306406157", [("X-API-Version", "3")])
        guard case .notFound = try unknown.inVersion3(V32.BookDTO.self).error else {
            Issue.record("\(unknown.text)")
            return
        }
        // Paths that have moved answer with the same envelope.
        let moved = try running.request("GET", "/search/isbn?isbn=9780441007318")
        #expect(moved.status == 410)
        #expect(try moved.inVersion2(V21.BookSearchResponse.self).error?.code == "NOT_FOUND")
        for (view, key) in [("csv", "csv-results:other"), ("scan", "scan-results:other")] {
            let expired = try running.request("GET", "/v1/\(view)/results/other")
            let missing = try expired.inVersion2(V21.CSVResults.self, ResultsDetails.self)
            #expect(missing.error?.code == "NOT_FOUND" && missing.error?.details?.jobId == "other")
            #expect(missing.error?.details?.resultsKey == key && missing.error?.details?.ttl == "24 hours")
        }
        let scan = try running.request("POST", "/api/batch-scan")
        #expect(try scan.inVersion2(V21.NoDetails.self).error?.code == "PROVIDER_ERROR")
        var limited = invalid
        for _ in 0..<100 where limited.status != 429 {
            limited = try running.request("GET", "/v1/search/isbn?isbn=123")
        }
        let limit = try limited.inVersion2(V21.BookSearchResponse.self, LimitDetails.self)
        #expect(limit.error?.code == "RATE_LIMIT_EXCEEDED" && limit.error?.details?.limit == 100)
        guard case .rateLimitExceeded(let milliseconds) = try limited.inVersion3(V32.BookDTO.self).error
        else {
            Issue.record("\(limited.text)")
            return
        }
        #expect(milliseconds == (limit.error?.details?.retryAfter ?? 0) * 1_000)
        await running.server.stop()
    }

    @Test func `an import with its status and all views of its results`() async throws {
        let running = try await RunningServer()
        let upload = try running.upload(Self.rows)
        let accepted = try #require(try upload.inVersion3(Accepted.self).data)
        #expect(accepted.token == accepted.authToken)
        let (job, token) = (accepted.jobId, accepted.token)
        try running.wait(for: job, token)
        let get = { (path: String) in try running.request("GET", path, [("Authorization", "Bearer \(token)")])
        }
        for path in ["/api/v2/imports/\(job)", "/v1/jobs/\(job)"] {
            let status = try #require(try get(path).inVersion3(V32.JobStatus.self).data)
            #expect(status.jobId == job && status.status == "completed" && status.pipeline == "csv_import")
            #expect(status.totalCount == 3 && status.processedCount == 3 && status.progress == 1)
            let quality = try #require(try quality(of: get(path)))
            #expect(quality["targets"] as? [String: Double] == Self.targets)
        }
        let results = try #require(
            try get("/api/v2/imports/\(job)/results").inVersion3(V32.ImportResults.self).data)
        #expect(results.books.map(\.title) == ["Reef", "Dune"] && results.errors.first?.row == 3)
        // A client of either version succeeds at either address.
        for path in ["/v1/csv/results/\(job)", "/api/v2/imports/\(job)/results"] {
            let csv = try get(path).inVersion2(V21.CSVResults.self)
            #expect(csv.data?.successRate == "2/3" && csv.data?.timestamp ?? 0 > 0)
            #expect(csv.data?.books.map(\.title) == ["Reef", "Dune"])
            #expect(csv.data?.books.map(\.author) == ["Ana Lee", "Frank Herbert"])
            let imported = try get(path).inVersion3(V32.ImportResults.self).data
            #expect(imported?.books.map(\.authors) == [["Ana Lee"], ["Frank Herbert"]])
            #expect(imported?.booksCreated == 2)
            #expect(try quality(of: get(path)) != nil)
        }
        let stored = try get("/v1/csv/results/\(job)").inVersion2(V21.CSVResults.self).metadata
        #expect(stored.provider == "kv_cache" && stored.cached == true)
        #expect(try quality(of: get("/v1/jobs/\(job)/results")) != nil)
        #expect(try get("/v1/jobs/\(job)/results").inVersion3(V32.JobResults.self).data?.books?.count == 2)
        #expect(
            try get("/v1/scan/results/\(job)").inVersion2(V21.ScanResults.self).error?.code
                == "INVALID_REQUEST")
        let canceled = try running.request(
            "DELETE", "/v1/jobs/\(job)", [("Authorization", "Bearer \(token)")])
        #expect(try canceled.inVersion3(V32.JobCancellationResponse.self).data?.jobId == job)
        await running.server.stop()
    }

    @Test func `books that are looked up`() async throws {
        let running = try await RunningServer()
        let upload = try running.request(
            "POST", "/api/batch-enrich", body: #"{"barcodes":["9780441007318"]}"#)
        let accepted = try #require(try upload.inVersion3(Accepted.self).data)
        try running.wait(for: accepted.jobId, accepted.authToken)
        let results = try running.request(
            "GET", "/v1/jobs/\(accepted.jobId)/results?token=\(accepted.token)")
        let book = try #require(try results.inVersion3(V32.JobResults.self).data?.enrichedBooks?.first)
        #expect(book.work?.title == "The Left Hand of Darkness")
        #expect(book.edition?.id == "isbn:9780441007318" && book.edition?.publishers?.isEmpty == false)
        #expect(book.authors?.first?.name == "Ursula K. Le Guin")
        await running.server.stop()
    }

    @Test func `one book that is looked up, under the key that the published client makes`() async throws {
        let running = try await RunningServer()
        let answer = try running.request(
            "POST", "/api/v2/books/enrich",
            body: #"{"barcode":"9780441007318","idempotencyKey":"scan_9780441007318"}"#)
        let book = try #require(try answer.inVersion3(V32.EnrichedBookDTO.self).data)
        #expect(book.work?.title == "The Left Hand of Darkness" && book.edition != nil)
        #expect(book.authors?.first?.name == "Ursula K. Le Guin")
        let unknown = try running.request(
            "POST", "/api/v2/books/enrich", body: #"{"barcode":"9780306406157"}"#)
        guard case .notFound = try unknown.inVersion3(V32.EnrichedBookDTO.self).error else {
            Issue.record("\(unknown.text)")
            return
        }
        let details = try unknown.inVersion2(V21.NoDetails.self, SearchedDetails.self).error?.details
        #expect(details?.isbn == "9780306406157" && details?.providersSearched != nil)
        await running.server.stop()
    }

    @Test func `a provider that wants to be left alone`() async throws {
        let throttled = FakeFaults(share: 1, kinds: [.throttled])
        let faults = Dictionary(uniqueKeysWithValues: FakeServices.names.map { ($0, throttled) })
        // Services collect questions for a moment, for which time must pass.
        let running = try await RunningServer(clock: SystemClock()) { settings in
            settings.jobs.lookUps.services =
                ServiceSettings.fake(
                    over: FakeTransport(FakeServices(faults: faults), clock: ManualClock())
                ).always
            settings.lookUpTimeout = 3_600_000_000_000
        }
        let answer = try running.request(
            "POST", "/api/v2/books/enrich",
            body: "{\"barcode\":\"\(FakeClient.isbns(known: 1, unknown: 0).known[0].isbn13)\"}")
        guard
            case .circuitOpen(let provider, let milliseconds) = try answer.inVersion3(
                V32.EnrichedBookDTO.self
            )
            .error
        else {
            Issue.record("\(answer.text)")
            return
        }
        #expect(FakeServices.names.contains(provider) && milliseconds > 0)
        await running.server.stop()
    }

    @Test func `the messages of a job, from its start to its end`() async throws {
        let running = try await RunningServer(importing: true)
        let lock = HeldLock()
        try #require(lock.take(running.store))
        let (job, token) = try running.accepted(RunningServer.export)
        let target = "/ws/progress?jobId=\(job)&token=\(token)"
        let socket = try WebSocketClient(try running.client(), target)
        let again = try WebSocketClient(try running.client(), target + "&reconnect=true")
        let state = try decoded(again.next(), as: V21.Reconnected.self)
        #expect(state.jobId == job && state.payload.progress == 0 && state.pipeline == .csvImport)
        try socket.send(#"{"type":"ready"}"#)
        #expect(try decoded(socket.next(), as: V21.ReadyAck.self).payload.timestamp > 0)
        lock.release()
        let frames = try socket.rest().filter { $0.closeCode == nil }
        var types: [V21.MessageType] = []
        for frame in frames {
            let message = try decoded(frame, as: V21.TypeOnly.self)
            #expect(message.type == message.payload.type && message.version == "1.0.0")
            types.append(message.type)
            switch message.type {
            case .jobStarted:
                #expect(try decoded(frame, as: V21.Started.self).payload.totalItems > 0)
            case .jobProgress:
                #expect(try decoded(frame, as: V21.Progress.self).payload.progress <= 1)
            default:
                let end = try decoded(frame, as: V32.CompletePayload<V32.JobCompletionSummary>.self).payload
                #expect(end.pipeline == "csv_import" && end.summary.resourceId == "job-results:\(job)")
                #expect(end.summary.totalProcessed == end.summary.successCount + end.summary.failureCount)
                let payload = try frame.json()["payload"] as? [String: Any]
                let quality = try #require(payload?["quality"] as? [String: Any])
                #expect((quality["isbnMatchRate"] as? Double ?? 0) > 0.5 && frame.payload.count < 1_024)
                #expect(quality["targets"] as? [String: Double] == Self.targets)
                #expect(ISO8601DateFormatter().date(from: end.expiresAt) != nil)
            }
        }
        #expect(types.first == .jobStarted && types.last == .jobComplete)
        await running.server.stop()
    }

    @Test func `the message of a job that fails`() async throws {
        let running = try await RunningServer()
        let (job, token) = try running.accepted("%PDF-1.7 is no table")
        let target = "/ws/progress?jobId=\(job)&token=\(token)"
        let socket = try WebSocketClient(try running.client(), target)
        try socket.send(#"{"type":"ready"}"#)
        let frames = try socket.rest()
        #expect(frames.last?.closeCode == 1_011)
        let last = try #require(frames.last { $0.type != nil })
        let failure = try decoded(last, as: V21.Failed.self)
        #expect(failure.type == .error && failure.payload.code == "E_CSV_PROCESSING_FAILED")
        await running.server.stop()
    }

    private func decoded<Payload: Decodable>(
        _ frame: WebSocketClient.Frame, as payload: Payload.Type
    ) throws -> V21.Message<Payload> {
        try JSONDecoder().decode(V21.Message<Payload>.self, from: Data(frame.payload))
    }
}
