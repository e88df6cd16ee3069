import Foundation
import Testing

@testable import Server
@testable import TestSupport

/// Every request that the documents of the published clients print, sent as printed over a socket and decoded with their own
/// types: nothing may be empty. Photos, similar books and searches by meaning are not offered.
@Suite(.ownThread) struct PrintedRequestsTests {
    /// The books that the documents look for.
    private static let books = """
        Title,Author,ISBN,Publisher,Year Published,Number of Pages
        Harry Potter and the Sorcerer's Stone,J.K. Rowling,9780439708180,Scholastic,1998,309
        The Great Gatsby,F. Scott Fitzgerald,9780743273565,Scribner,2004,180

        """

    /// A server with the sample library and the books of the documents.
    private static func server() async throws -> RunningServer {
        let running = try await RunningServer(importing: true) {
            $0.sites = SiteRules(hosts: [PrintedRequest.host])
        }
        let (job, token) = try running.accepted(books)
        try running.wait(for: job, token)
        return running
    }

    private func guide<Payload: Codable>(
        _ answer: RawClient.Answer, _ payload: Payload.Type
    ) throws -> MigrationGuide.ResponseEnvelope<Payload> {
        try JSONDecoder().decode(MigrationGuide.ResponseEnvelope<Payload>.self, from: Data(answer.body))
    }

    private func new<Payload: Decodable>(
        _ answer: RawClient.Answer, _ payload: Payload.Type
    ) throws -> Payload {
        try #require(try answer.inVersion3(payload).data, "\(answer.text.prefix(300))")
    }

    // MARK: Version 2.1, its migration guide and the canonical workflow

    private static let searches: [(target: String, title: String, author: String)] = [
        ("/v1/search/isbn?isbn=9780439708180", "Harry Potter", "J.K. Rowling"),
        ("/v1/search/title?q=great+gatsby", "Great Gatsby", "F. Scott Fitzgerald"),
        ("/v1/search/title?q=The+Great+Gatsby", "Great Gatsby", "F. Scott Fitzgerald"),
        ("/v1/search/advanced?title=gatsby&author=fitzgerald", "Great Gatsby", "F. Scott Fitzgerald"),
        ("/v1/search/advanced?title=1984&author=Orwell", "", "George Orwell"),
    ]

    @Test func `searches of version 2`() async throws {
        let running = try await Self.server()
        for (target, title, author) in Self.searches {
            let answer = try PrintedRequest.get(target).answer(of: running)
            #expect(answer.status == 200, "\(target)")
            let envelope = try answer.inVersion2(V21.BookSearchResponse.self)
            #expect(envelope.error == nil && envelope.metadata.provider != "none", "\(target)")
            #expect(envelope.metadata.processingTime != nil && envelope.metadata.cached != nil)
            let found = try #require(envelope.data)
            let work = try #require(found.works.first, "\(target)")
            #expect(title.isEmpty || work.title.contains(title), "\(work.title)")
            #expect(
                found.editions.first?.isbns.isEmpty == false && found.editions.first?.isbn?.isEmpty == false)
            #expect(found.authors.contains { $0.name == author }, "\(found.authors.map(\.name))")
            let guided = try guide(answer, MigrationGuide.BookSearchResponse.self)
            #expect(guided.error == nil && guided.data?.works.first?.title == work.title)
            #expect(guided.data?.editions.first?.isbns.isEmpty == false)
            #expect(guided.data?.authors.isEmpty == false)
            for name in ["x-cache", "cache-control", "x-api-version"] {
                #expect(answer.fields[name] != nil, "\(name)")
            }
        }
        // A book that nobody knows.
        let nothing = try PrintedRequest.get("/v1/search/isbn?isbn=9780306406157").answer(of: running)
        #expect(nothing.status == 200)
        #expect(try nothing.inVersion2(V21.BookSearchResponse.self).metadata.provider == "none")
        await running.server.stop()
    }

    private struct ISBNDetails: Decodable { let isbn: String }

    @Test func `refusals of version 2`() async throws {
        let running = try await Self.server()
        for isbn in ["123", "123456", "978-0-12345-678-9"] {
            let answer = try PrintedRequest.get("/v1/search/isbn?isbn=\(isbn)").answer(of: running)
            let error = try answer.inVersion2(V21.BookSearchResponse.self, ISBNDetails.self).error
            #expect(answer.status == 400 && error?.code == "INVALID_ISBN" && error?.details?.isbn == isbn)
            #expect(
                try guide(answer, MigrationGuide.BookSearchResponse.self).error?.details?["isbn"]
                    == .text(isbn))
        }
        for target in ["isbn", "title", "title?q=a", "advanced"] {
            let answer = try PrintedRequest.get("/v1/search/\(target)").answer(of: running)
            #expect(answer.status == 400)
            #expect(try guide(answer, MigrationGuide.BookSearchResponse.self).error?.code == "INVALID_QUERY")
        }
        for view in ["scan", "csv"] {
            let answer = try PrintedRequest.get("/v1/\(view)/results/uuid-12345").answer(of: running)
            let error = try guide(answer, MigrationGuide.BookSearchResponse.self).error
            #expect(answer.status == 404 && error?.code == "NOT_FOUND")
            #expect(error?.details?["resultsKey"] == .text("\(view)-results:uuid-12345"))
            #expect(error?.details?["ttl"] == .text("24 hours"))
        }
        await running.server.stop()
    }

    private static let moved: [(method: String, target: String, successor: String)] = [
        ("GET", "/search/title?q=gatsby", "/v1/search/title"),
        ("GET", "/search/isbn?isbn=9780439708180", "/v1/search/isbn"),
        ("GET", "/search/author?q=Fitzgerald", "/v1/search/author"),
        ("GET", "/search/advanced?title=gatsby", "/v1/search/advanced"),
        ("POST", "/search/advanced", "/v1/search/advanced"),
        ("POST", "/api/enrichment/start", "/v1/enrichment/batch"),
    ]

    @Test func `paths of version 1 say where to go, and the same question is answered there`() async throws {
        let running = try await Self.server()
        for (method, target, successor) in Self.moved {
            let answer = try PrintedRequest(method: method, target: target).answer(of: running)
            #expect(answer.status == 410 && answer.fields["deprecation"] == "true")
            #expect(answer.fields["sunset"]?.contains("Mar 2026") == true)
            #expect(answer.fields["warning"]?.hasPrefix("299 - \"") == true)
            #expect(answer.fields["link"] == "<\(successor)>; rel=\"alternate\"")
            let error = try guide(answer, MigrationGuide.BookSearchResponse.self).error
            #expect(error?.code == "NOT_FOUND" && error?.message.isEmpty == false)
            guard let query = target.split(separator: "?").dropFirst().first else { continue }
            let there = try PrintedRequest.get("\(successor)?\(query)").answer(of: running)
            let works = try there.inVersion2(V21.BookSearchResponse.self).data?.works
            #expect(works?.isEmpty == false, "\(there.text.prefix(300))")
        }
        await running.server.stop()
    }

    /// The completion as the guide for WebSockets declares it, with the types of version 3.2.
    private typealias Completion = V32.CompletePayload<V32.JobCompletionSummary>

    @Test func `an import by the older path, its messages and its results, without a token but the socket's`()
        async throws
    {
        let running = try await Self.server()
        let upload = PrintedRequest.upload(Self.books, to: "/api/import/csv-gemini")
        let answer = try upload.answer(of: running)
        #expect(answer.status == 202, "\(answer.text)")
        let accepted = try new(answer, BatchResponse.self)
        let job = accepted.jobId
        let target = "/ws/progress?jobId=\(job)&token=\(accepted.token)"
        let socket = try WebSocketClient(try running.client(), target)
        // URLSession sends its data as a binary message.
        try socket.client.send(
            WebSocketClient.frame(Array(try JSONEncoder().encode(["type": "ready"])), opcode: 2))
        var types: [V21.MessageType] = []
        var resultsUrl: String?
        for frame in try socket.rest() where frame.closeCode == nil && frame.type != "ping" {
            let data = Data(frame.payload)
            let type = try JSONDecoder().decode(V21.Message<V21.TypeOnly>.self, from: data).payload.type
            types.append(type)
            switch type {
            case .readyAck:
                let ack = try JSONDecoder().decode(V21.Message<V21.ReadyAck>.self, from: data)
                #expect(ack.jobId == job && ack.payload.timestamp > 0)
            case .jobStarted:
                let started = try JSONDecoder().decode(V21.Message<V21.Started>.self, from: data).payload
                #expect(started.totalItems == 2 && started.estimatedDuration > 0)
            case .jobProgress:
                let progress = try JSONDecoder().decode(V21.Message<V21.Progress>.self, from: data).payload
                #expect(!progress.status.isEmpty && !progress.currentItem.isEmpty)
            default:
                let end = try JSONDecoder().decode(V21.Message<Completion>.self, from: data).payload
                #expect(end.summary.totalProcessed == 2 && end.summary.successCount == 2)
                #expect(end.summary.resourceId == "job-results:\(job)")
                #expect(ISO8601DateFormatter().date(from: end.expiresAt) ?? .distantPast > Date())
                resultsUrl = end.resultsUrl
            }
        }
        #expect(types.first == .readyAck && types.last == .jobComplete && types.contains(.jobStarted))
        let again = try WebSocketClient(try running.client(), target + "&reconnect=true").rest()
        let state = try JSONDecoder().decode(
            V21.Message<V21.Reconnected>.self, from: Data(try #require(again.first).payload))
        #expect(state.payload.progress == 1 && state.payload.status == "completed")
        #expect(
            again.compactMap(\.type) == ["reconnected", "job_complete"] && again.last?.closeCode == 1_000)

        for target in ["/v1/csv/results/\(job)", try #require(resultsUrl)] {
            let results = try PrintedRequest.get(target).answer(of: running).inVersion2(V21.CSVResults.self)
            #expect(results.data?.successRate == "2/2" && results.data?.timestamp ?? 0 > 0)
            #expect(results.data?.books.map(\.isbn) == ["9780439708180", "9780743273565"], "\(target)")
            #expect(results.data?.books.map(\.author) == ["J.K. Rowling", "F. Scott Fitzgerald"])
            #expect(results.metadata.cached == true)
        }
        let results = try new(
            PrintedRequest.get("/v1/jobs/\(job)/results").answer(of: running), V32.JobResults.self)
        #expect(results.books?.count == 2 && results.errors?.isEmpty == true)
        await running.server.stop()
    }

    private struct BatchResponse: Decodable { let jobId, token: String }

    // MARK: Version 3.2

    @Test func `searches and look-ups of version 3`() async throws {
        let running = try await Self.server()
        let book = try new(
            PrintedRequest.plan("GET", "/v1/search/isbn?isbn=9780439708180").answer(of: running),
            V32.BookDTO.self)
        #expect(book.isbn == "9780439708180" && book.title.contains("Harry Potter"))
        #expect(book.authors == ["J.K. Rowling"] && book.publisher?.isEmpty == false && book.pageCount == 309)
        for (target, count) in [
            ("/v1/search/title?q=Harry%20Potter&limit=10", 10), ("/v1/search/title?q=the&limit=20", 20),
            ("/v1/search/author?q=Rowling&limit=20", 20),
            ("/v1/search/advanced?author=Rowling&title=Harry", 20),
            ("/v1/search/advanced?isbn=9780439708180", 1), ("/api/v2/search?q=Potter&mode=text&limit=20", 20),
        ] {
            let answer = try PrintedRequest.plan("GET", target).answer(of: running)
            let books = try new(answer, V32.SearchResponseDTO.self).books
            #expect((1...count).contains(books.count) && books.allSatisfy { !$0.title.isEmpty }, "\(target)")
        }
        let request = V32.EnrichBookRequest(barcode: "9780439708180", idempotencyKey: "scan_9780439708180")
        for _ in 0..<2 {
            let answer = try PrintedRequest.plan("POST", "/api/v2/books/enrich", body: request).answer(
                of: running)
            #expect(answer.status == 200)
            let enriched = try JSONDecoder().decode(V32.EnrichedBookDTO.self, from: Data(answer.body))
            #expect(enriched.work?.title.contains("Harry Potter") == true)
            #expect(enriched.edition?.numberOfPages == 309 && enriched.edition?.publishers?.isEmpty == false)
            #expect(enriched.authors?.map(\.name) == ["J.K. Rowling"])
        }
        let unknown = V32.EnrichBookRequest(barcode: "9780306406157", idempotencyKey: "scan_9780306406157")
        #expect(
            try PrintedRequest.plan("POST", "/api/v2/books/enrich", body: unknown).answer(of: running).status
                == 404)
        await running.server.stop()
    }

    @Test func `an import of version 3 is followed and read without a token`() async throws {
        let running = try await Self.server()
        let upload = PrintedRequest.upload(Self.books, to: "/api/v2/imports", [PrintedRequest.planFields[1]])
        let accepted = try new(upload.answer(of: running), V32.ImportJobResponse.self)
        let job = accepted.jobId
        let stream = try PrintedRequest.plan("GET", "/api/v2/imports/\(job)/stream").answer(of: running)
        let events = RunningServer.events(stream.text)
        #expect(events.last?.event == "completed" && events.map(\.id) == events.map(\.id).sorted())
        let status = try new(
            PrintedRequest.plan("GET", "/api/v2/imports/\(job)").answer(of: running), V32.JobStatus.self)
        #expect(status.jobId == job && status.status == "completed" && status.progress == 1)
        #expect(status.totalCount == 2 && status.processedCount == 2 && status.pipeline == "csv_import")
        let results = try new(
            PrintedRequest.plan("GET", "/api/v2/imports/\(job)/results").answer(of: running),
            V32.ImportResults.self)
        #expect(results.books.map(\.isbn) == ["9780439708180", "9780743273565"] && results.errors.isEmpty)
        #expect(results.booksCreated + results.booksUpdated + results.duplicatesSkipped == 2)
        #expect(
            results.books.allSatisfy { !$0.authors.isEmpty && $0.publisher != nil && $0.pageCount != nil })
        let cancel = { (token: String) in
            try PrintedRequest.plan("DELETE", "/v1/jobs/\(job)", [("Authorization", "Bearer \(token)")])
                .answer(of: running)
        }
        #expect(try new(cancel(accepted.authToken), V32.JobCancellationResponse.self).jobId == job)
        #expect(try cancel("wrong").status == 401)
        await running.server.stop()
    }

    @Test func `a list of books of version 3, by both paths`() async throws {
        let running = try await Self.server()
        for path in ["/api/batch-enrich", "/v1/enrichment/batch"] {
            let request = V32.BatchEnrichmentRequest(barcodes: ["9780441007318"])
            let answer = try PrintedRequest.plan("POST", path, body: request).answer(of: running)
            #expect(answer.status == 202)
            let job = try new(answer, V32.BatchEnrichmentResponse.self).jobId
            let stream = try PrintedRequest.plan("GET", "/v1/jobs/\(job)/stream").answer(of: running)
            #expect(RunningServer.events(stream.text).last?.event == "completed")
            let results = try new(
                PrintedRequest.get("/v1/jobs/\(job)/results").answer(of: running), V32.JobResults.self)
            let book = try #require(results.enrichedBooks?.first)
            #expect(book.work?.title == "The Left Hand of Darkness" && book.edition?.id.isEmpty == false)
            #expect(book.work?.firstPublishYear != nil && book.work?.subjects?.isEmpty == false)
            #expect(book.authors?.first?.name == "Ursula K. Le Guin" && book.authors?.first?.key != nil)
        }
        await running.server.stop()
    }
}
