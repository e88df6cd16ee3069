import Books
import FakeServices
import Foundation
import Jobs
import Services
import System
import Testing

@testable import Server
@testable import TestSupport

/// The system's clock, on which a certain wait lasts until it is ended, and a moment more.
private final class TimeoutClock: RunClock {
    private let timeout: UInt64
    let isOver = StopSignal()

    init(_ timeout: UInt64) { self.timeout = timeout }

    func nanoseconds() -> UInt64 { SystemClock().nanoseconds() }
    func epochMilliseconds() -> Int64 { SystemClock().epochMilliseconds() }
    func sleep(nanoseconds: UInt64) async {
        guard nanoseconds == timeout else { return await SystemClock().sleep(nanoseconds: nanoseconds) }
        await isOver.wait()
        await SystemClock().sleep(nanoseconds: 200_000_000)
    }
}

/// Look-ups of one book of which something is known already: a failure, an answer, or the user's own row.
@Suite(.ownThread) struct CompletedLookUpsTests {
    private static let path = "/api/v2/books/enrich"
    /// A book that only the fake services have.
    private static let isbn = FakeClient.isbns(known: 1, unknown: 0).known[0]
    private static let body = "{\"barcode\":\"\(isbn.isbn13)\"}"
    private static let hour: UInt64 = 3_600_000_000_000

    private static func server(
        _ transport: HeldTransport, _ names: [String] = FakeServices.names,
        clock: any RunClock = SystemClock(), timeout: UInt64 = hour, retry: RetryPolicy = RetryPolicy()
    ) async throws -> RunningServer {
        try await RunningServer(clock: clock) { settings in
            var services = ServiceSettings.fake(over: transport, names)
            services.retry = retry
            settings.jobs.lookUps.services = services.always
            settings.searchTimeout = hour
            settings.lookUpTimeout = timeout
        }
    }

    @Test func `a service that has failed, and is not asked again in time, is PROVIDER_ERROR`() async throws {
        let broken = HeldTransport(["isbndb": FakeFaults(share: 1, kinds: [.serverError])])
        let clock = TimeoutClock(Self.hour - 1)
        let running = try await Self.server(
            broken, ["isbndb"], clock: clock, timeout: Self.hour - 1,
            retry: RetryPolicy(attempts: 2, base: 2 * Self.hour, cap: 2 * Self.hour))
        let client = try running.client()
        let head = "POST \(Self.path) HTTP/1.1\nHost: localhost\nContent-Type: application/json\n"
        try client.send("\(head)Content-Length: \(Self.body.utf8.count)\n\n\(Self.body)")
        await broken.asked.wait()
        clock.isOver.raise()
        let answer = try client.answer()
        #expect(answer.status == 502, "\(answer.text)")
        let error = try RunningServer.error(answer)
        #expect(error["code"] as? String == "PROVIDER_ERROR")
        #expect((error["details"] as? [String: Any])?["error"] as? String == "server_error")
        await running.server.stop()
    }

    @Test func `a book that a search has found before is told as cached`() async throws {
        let services = HeldTransport()
        let running = try await Self.server(services, ["google-books"])
        #expect(try running.request("GET", "/v1/search/isbn?isbn=\(Self.isbn.isbn13)").status == 200)
        let answer = try running.request("POST", Self.path, body: Self.body)
        let metadata = try answer.json()["metadata"] as? [String: Any]
        #expect(metadata?["cached"] as? Bool == true, "\(answer.text)")
        #expect(services.count == 1)
        await running.server.stop()
    }

    @Test func `a book that only the user's row knows gets from services what the row lacks`() async throws {
        let running = try await Self.server(HeldTransport())
        let title = try #require(FakeLibrary().book(Self.isbn)).title
        // An import that asks nobody.
        let (job, token) = try running.accepted(
            "Title,Author,ISBN,Publisher\n\(title),Ann Own,\(Self.isbn.isbn13),My Press\n")
        try running.wait(for: job, token)
        let answer = try running.request("POST", Self.path, body: Self.body)
        let data = try #require(try answer.json()["data"] as? [String: Any])
        let edition = try #require(data["edition"] as? [String: Any])
        #expect(edition["publisher"] as? String == "My Press", "\(answer.text)")
        #expect(edition["pageCount"] != nil && (data["work"] as? [String: Any])?["description"] != nil)
        #expect((data["authors"] as? [[String: Any]])?.first?["name"] as? String == "Ann Own")
        await running.server.stop()
    }
}
