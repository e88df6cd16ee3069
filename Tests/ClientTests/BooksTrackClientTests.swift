import Foundation
import Testing

@testable import BooksTrackClient

/// How the client treats answers, failures and pauses.
@Suite struct BooksTrackClientTests {
    private static let server = URL(string: "http://books.example:8787/")
    private static let job = Job(jobId: "j1", token: "t1", expiresAt: Date(timeIntervalSince1970: 0))
    private static let book =
        #"{"isbn":"9780441013593","title":"Dune","authors":["Frank Herbert"],"categories":[]}"#

    private func client(
        _ steps: [ScriptedTransport.Step], clock: SkippingClock = SkippingClock(), token: String? = nil
    ) throws -> (BooksTrackClient, ScriptedTransport) {
        let transport = ScriptedTransport(steps)
        let client = BooksTrackClient(
            .init(server: try #require(Self.server), token: token), transport: transport, clock: clock)
        return (client, transport)
    }

    private static func success(_ data: String) -> String {
        #"{"success":true,"data":\#(data),"metadata":{"timestamp":"2026-11-26T08:00:00.000Z"}}"#
    }

    private static func failure(_ code: String, retryable: Bool, _ more: String = "") -> String {
        #"{"success":false,"data":null,"metadata":{"timestamp":"2026-11-26T08:00:00.000Z"},"#
            + #""error":{"message":"No.","code":"\#(code)","retryable":\#(retryable)\#(more)}}"#
    }

    private static func status(_ state: String, _ progress: Double) -> String {
        #"{"jobId":"j1","status":"\#(state)","progress":\#(progress),"totalCount":4,"processedCount":2,"#
            + #""pipeline":"csv_import","running":true,"pending":0}"#
    }

    private static func event(_ id: Int, _ name: String, _ progress: Double) -> String {
        "id: \(id)\nevent: \(name)\ndata: {\"payload\":{\"progress\":\(progress),\"status\":\"Working\"}}\n\n"
    }

    @Test func `a book is found by its ISBN, with the server's token`() async throws {
        let (client, transport) = try client([.answer(200, Self.success(Self.book))], token: "secret")
        #expect(try await client.book(isbn: "978-0441013593")?.title == "Dune")
        let request = try #require(transport.requests.first)
        #expect(request.url.absoluteString == "http://books.example:8787/v1/search/isbn?isbn=978-0441013593")
        #expect(request.fields["Authorization"] == "Bearer secret")
        #expect(request.fields["X-API-Version"] == "3")
    }

    @Test func `a text in a query is what the server reads`() async throws {
        let (client, transport) = try client([.answer(200, Self.success(#"{"books":[]}"#))])
        #expect(try await client.books("C++ & Q=A #1").isEmpty)
        #expect(transport.requests.first?.url.query()?.contains("q=C%2B%2B%20%26%20Q%3DA%20%231") == true)
    }

    @Test func `nobody's book is nil`() async throws {
        let (client, _) = try client([.answer(404, Self.failure("NOT_FOUND", retryable: false))])
        #expect(try await client.book(isbn: "9780441013593") == nil)
    }

    @Test(arguments: ServiceError.Code.allCases.filter { $0 != .unknown })
    func `each code of the contract is an error of its own`(code: ServiceError.Code) async throws {
        let (client, transport) = try client([.answer(400, Self.failure(code.rawValue, retryable: false))])
        await #expect {
            try await client.search(isbn: "x")
        } throws: { error in
            guard case BooksTrackError.service(let error) = error else { return false }
            return error.code == code && error.message == "No." && error.status == 400
        }
        #expect(transport.requests.count == 1)
    }

    @Test func `a failure that may pass is tried three times, with growing pauses`() async throws {
        let clock = SkippingClock()
        let (client, transport) = try client(
            [
                .unreachable, .answer(500, "<html>"),
                .answer(502, Self.failure("PROVIDER_ERROR", retryable: true)),
            ],
            clock: clock)
        await #expect(throws: BooksTrackError.self) { try await client.search(title: "dune") }
        #expect(transport.requests.count == 3)
        #expect(clock.pauses.count == 2)
        #expect(clock.pauses[0] <= .seconds(1) && clock.pauses[0] > .milliseconds(400))
        #expect(clock.pauses[1] <= .seconds(2) && clock.pauses[1] > .milliseconds(900))
    }

    @Test func `the pause that the service names wins`() async throws {
        let clock = SkippingClock()
        let (client, _) = try client(
            [
                .answer(429, Self.failure("RATE_LIMIT_EXCEEDED", retryable: true, #","retryAfterMs":7000"#)),
                .answer(503, "", ["retry-after": "9"]), .answer(200, Self.success(Self.book)),
            ], clock: clock)
        #expect(try await client.book(isbn: "9780441013593") != nil)
        #expect(clock.pauses.map { Int(($0 / .seconds(1)).rounded()) } == [7, 9])
    }

    @Test func `an upload is repeated only if it was certainly not accepted`() async throws {
        let accepted = #"{"jobId":"j1","token":"t","authToken":"t","expiresAt":"2026-11-26T10:00:00Z"}"#
        let (busy, busyTransport) = try client([
            .answer(503, Self.failure("INTERNAL_ERROR", retryable: true)),
            .answer(202, Self.success(accepted)),
        ])
        #expect(try await busy.importFile(Data("Title\n".utf8), named: "a\"\n.csv").jobId == "j1")
        let body = try #require(busyTransport.requests.last?.body)
        #expect(String(decoding: body, as: UTF8.self).contains(#"filename="a__.csv""#))
        let (cut, cutTransport) = try client([.unreachable])
        await #expect(throws: BooksTrackError.unreachable("no route")) {
            try await cut.importFile(Data(), named: "a.csv")
        }
        #expect(cutTransport.requests.count == 1)
    }

    @Test func `a silent server is given up at the deadline, and a canceled task at once`() async throws {
        let (late, _) = try client([.silence], clock: SkippingClock(longest: .seconds(1_000)))
        await #expect(throws: BooksTrackError.timedOut) { try await late.search(author: "herbert") }
        let (waiting, transport) = try client([.silence])
        let task = Task { try await waiting.search(author: "herbert") }
        while transport.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: BooksTrackError.canceled) { try await task.value }
    }

    @Test(arguments: ["", "{", "{}", #"{"success":true,"data":7}"#])
    func `an answer that is not the contract's is malformed`(text: String) async throws {
        let (client, _) = try client([.answer(200, text)])
        await #expect {
            try await client.search(isbn: "9780441013593")
        } throws: {
            if case BooksTrackError.malformed = $0 { true } else { false }
        }
    }

    // MARK: Events

    private func events(_ steps: [ScriptedTransport.Step]) async throws -> (
        [JobUpdate.Kind], [TransportRequest]
    ) {
        let (client, transport) = try client(steps)
        var kinds: [JobUpdate.Kind] = []
        for try await event in client.events(of: Self.job) { kinds.append(event.kind) }
        return (kinds, transport.requests)
    }

    @Test func `events end with the job`() async throws {
        let (kinds, requests) = try await events([
            .answer(200, ": hello\n\n" + Self.event(1, "started", 0) + Self.event(2, "completed", 1))
        ])
        #expect(kinds == [.started, .completed])
        #expect(requests.first?.fields["Authorization"] == "Bearer t1")
    }

    @Test func `a broken stream goes on behind the last event`() async throws {
        let (kinds, requests) = try await events([
            .broken(Self.event(1, "started", 0) + Self.event(2, "progress", 0.5)),
            .answer(200, Self.status("processing", 0.5)), .answer(200, Self.event(3, "completed", 1)),
        ])
        #expect(kinds.first == .started && kinds.last == .completed)
        #expect(requests.last?.fields["Last-Event-ID"] == "2")
    }

    @Test func `without a stream the status is asked for`() async throws {
        let (kinds, _) = try await events([
            .answer(503, ""), .answer(200, Self.status("processing", 0.2)), .unreachable,
            .answer(200, Self.status("completed", 1)),
        ])
        #expect(kinds == [.progress, .completed])
    }

    @Test func `a job that is not there ends the events with an error`() async throws {
        await #expect(throws: BooksTrackError.self) { try await events([.answer(404, "")]) }
    }

    @Test(arguments: 1...9)
    func `events are the same however the stream is cut`(size: Int) {
        let text = "event: progress\r\nid: 4\r\ndata: a\r\ndata:b\r\n\r\n: ping\n\nretry: 2000\n\ndata: ü\n\n"
        var parser = EventParser()
        var found: [EventParser.Event] = []
        let bytes = Data(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            found += parser.read(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(
            found == [
                .init(id: "4", name: "progress", data: "a\nb"), .init(id: nil, name: "message", data: "ü"),
            ])
    }

    // MARK: An app's own books

    private actor Shelf: BookRepository {
        private(set) var titles: [String: String] = [:]
        func stored(like book: Book) -> (String, String)? {
            titles[book.identity].map { (book.identity, $0) }
        }
        nonisolated func make(from book: Book) -> (String, String) { (book.identity, book.title) }
        nonisolated func merge(_ book: Book, into model: (String, String)) -> (String, String) { model }
        func save(_ models: [(String, String)]) { for (key, title) in models { titles[key] = title } }
    }

    @Test func `an app stores each book once`() async throws {
        let shelf = Shelf()
        let dune = try JSONDecoder().decode(Book.self, from: Data(Self.book.utf8))
        var other = dune
        (other.isbn, other.isbn13, other.title) = ("", nil, "Emma")
        #expect(try await shelf.store([dune, other, dune]) == 2)
        #expect(try await shelf.store([other]) == 1)
        #expect(await shelf.titles.count == 2)
    }
}
