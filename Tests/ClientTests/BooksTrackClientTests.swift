import Foundation
import Synchronization
import Testing

@testable import BooksTrack

/// The client's handling of answers, failures and pauses.
@Suite struct BooksTrackClientTests {
    private static let server = URL(string: "http://books.example:8787/")
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

    @Test func `a job's status has its place, or how complete its books are`() async throws {
        let waiting =
            #"{"jobId":"j","status":"processing","progress":0,"totalCount":0,"processedCount":0,"position":2,"#
            + #""startsAt":"2026-11-26T08:00:00Z"}"#
        let completed =
            #"{"jobId":"j","status":"completed","progress":1,"totalCount":3,"processedCount":3,"#
            + #""quality":{"coverAvailability":0.5,"meanQuality":61,"targets":{"coverAvailability":0.8}}}"#
        let (client, _) = try client([
            .answer(200, Self.success(waiting)), .answer(200, Self.success(completed)),
        ])
        let job = Job(id: "j", token: "t", expiresAt: .distantFuture)
        let first = try await client.status(of: job)
        #expect(first.position == 2 && first.quality == nil)
        #expect(first.startsAt == Date(timeIntervalSince1970: 1_795_680_000))
        let quality = try #require(try await client.status(of: job).quality)
        #expect(quality.coverAvailability == 0.5 && quality.isbnMatchRate == nil && quality.meanQuality == 61)
        #expect(quality.targets == .init(coverAvailability: 0.8))
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

    @Test func `an error tells what it is about`() async throws {
        let details = #","details":{"retryAfter":42,"limit":100,"window":"1 minute","all":[1],"is":true}"#
        let (client, _) = try client([.answer(400, Self.failure("INVALID_QUERY", retryable: true, details))])
        await #expect {
            try await client.search(title: "")
        } throws: { error in
            guard case BooksTrackError.service(let error) = error else { return false }
            // A request that is wrong is never sent again, whatever an answer says.
            return !error.isRetryable
                && error.details == [
                    "retryAfter": "42", "limit": "100", "window": "1 minute", "all": "", "is": "true",
                ]
        }
    }

    @Test func `an error of the server itself is tried again once`() async throws {
        let broken = ScriptedTransport.Step.answer(500, Self.failure("INTERNAL_ERROR", retryable: true))
        let (client, transport) = try client([broken, broken, .answer(200, Self.success(Self.book))])
        await #expect(throws: BooksTrackError.self) { try await client.search(title: "dune") }
        #expect(transport.requests.count == 2)
    }

    @Test func `a pause beyond the deadline is not waited for, and the error says how long it is`()
        async throws
    {
        let clock = SkippingClock()
        let limited = Self.failure("RATE_LIMIT_EXCEEDED", retryable: true, #","retryAfterMs":3600000"#)
        let (client, transport) = try client([.answer(429, limited)], clock: clock)
        await #expect {
            try await client.search(title: "dune")
        } throws: { error in
            guard case BooksTrackError.service(let error) = error else { return false }
            return error.code == .rateLimitExceeded && error.retryAfter == .seconds(3_600)
        }
        #expect(transport.requests.count == 1 && clock.pauses.isEmpty)
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
        #expect(try await busy.importFile(Data("Title\n".utf8), named: "a\"\n.csv").id == "j1")
        let body = try #require(busyTransport.requests.last?.body)
        #expect(String(decoding: body, as: UTF8.self).contains(#"filename="a__.csv""#))
        let (cut, cutTransport) = try client([.unreachable])
        await #expect(throws: BooksTrackError.unreachable("no route")) {
            try await cut.importFile(Data(), named: "a.csv")
        }
        #expect(cutTransport.requests.count == 1)
    }

    @Test func `an upload of a file tells how far it is`() async throws {
        let accepted = #"{"jobId":"j1","token":"t","authToken":"t","expiresAt":"2026-11-26T10:00:00Z"}"#
        let (client, transport) = try client([.answer(202, Self.success(accepted))])
        let file = URL.temporaryDirectory.appending(path: "\(UUID().uuidString) export.csv")
        try Data("Title\nDune\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let shares = Mutex<[Double]>([])
        let job = try await client.importFile(at: file) { share in shares.withLock { $0.append(share) } }
        #expect(job.id == "j1")
        #expect(shares.withLock { $0.count == 3 && $0 == $0.sorted() && $0.last == 1 })
        let body = String(decoding: try #require(transport.requests.first?.body), as: UTF8.self)
        #expect(body.contains("filename=\"\(file.lastPathComponent)\"") && body.contains("Dune"))
    }

    @Test func `a file that cannot be read is not sent`() async throws {
        let (client, transport) = try client([])
        let file = URL.temporaryDirectory.appending(path: UUID().uuidString)
        await #expect {
            try await client.importFile(at: file)
        } throws: { error in
            guard case BooksTrackError.unreadable(let reason) = error else { return false }
            return reason.contains(file.lastPathComponent)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func `a list of corrections goes to its job, with the job's token`() async throws {
        let accepted = #"{"jobId":"j2","token":"t2","expiresAt":"2026-11-26T10:00:00Z"}"#
        let (client, transport) = try client([.answer(202, Self.success(accepted))], token: "server")
        let job = Job(id: "j1", token: "t1", expiresAt: Date(timeIntervalSince1970: 0))
        #expect(try await client.importCorrections(Data("Title\n".utf8), of: job).id == "j2")
        let request = try #require(transport.requests.first)
        #expect(request.url.path() == "/v1/jobs/j1/corrections")
        #expect(request.fields["Authorization"] == "Bearer t1")
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

    @Test func `equal requests at the same time are sent once, and one caller can leave`() async throws {
        let (client, transport) = try client([.silence, .answer(200, Self.success(Self.book))])
        let first = Task { try await client.book(isbn: "9780441013593") }
        while transport.requests.isEmpty { await Task.yield() }
        let second = Task { try await client.book(isbn: "9780441013593") }
        let third = Task { try await client.book(isbn: "9780441013593") }
        for _ in 0..<100 { await Task.yield() }
        #expect(transport.requests.count == 1)
        second.cancel()
        await #expect(throws: BooksTrackError.canceled) { try await second.value }
        first.cancel()
        third.cancel()
        await #expect(throws: BooksTrackError.canceled) { try await first.value }
        await #expect(throws: BooksTrackError.canceled) { try await third.value }
        // Nobody waits for it any more, so the next caller starts anew.
        #expect(try await client.book(isbn: "9780441013593")?.title == "Dune")
        #expect(transport.requests.count == 2)
    }

    @Test func `an answer says where it comes from`() async throws {
        let answer = """
            {"success":true,"data":{"works":[],"editions":[],"authors":[],"books":[]},"metadata":{\
            "timestamp":"2026-11-26T08:00:00.250Z","processingTime":12,"provider":"google-books","cached":true}}
            """
        let (client, _) = try client([.answer(200, answer)])
        let metadata = try #require(try await client.search(title: "dune").metadata)
        #expect(metadata.provider == .googleBooks && metadata.cached == true && metadata.processingTime == 12)
        #expect(metadata.timestamp == Date(timeIntervalSince1970: 1_795_680_000.25))
    }

    @Test func `values that this client does not know are kept, and a wrong address loses no book`() throws {
        let json = #"{"isbn":"","title":"A","authors":[],"categories":[],"coverUrl":"http://a b\u0000"}"#
        let book = try JSONDecoder().decode(Book.self, from: Data(json.utf8))
        #expect(book.title == "A")
        #expect(EditionFormat(rawValue: "E-book") == .ebook)
        #expect(EditionFormat(rawValue: "Scroll") == .unknown("Scroll"))
        #expect(Provider(rawValue: "google_books") == .googleBooks)
        let values = [ReviewStatus.needsReview, .unknown("odd")]
        let again = try JSONDecoder().decode([ReviewStatus].self, from: JSONEncoder().encode(values))
        #expect(again == values)
    }

    @Test func `an error has a sentence, and says what to do`() {
        let error = BooksTrackError.unreachable("no route")
        #expect(error.localizedDescription == "The service cannot be reached.")
        #expect(error.recoverySuggestion == "Check the network, and whether the server runs.")
        let blocked = ServiceError(
            status: 403, fields: ["x-custom-error": "CORS_BLOCKED"], body: Data())
        #expect(blocked.code == .corsBlocked && !blocked.isRetryable)
        let limited = ServiceError(status: 429, fields: ["retry-after": "7"], body: Data())
        #expect(BooksTrackError.service(limited).recoverySuggestion == "Try again in 7 seconds.")
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
}
