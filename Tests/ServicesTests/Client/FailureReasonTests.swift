import Books
import TestSupport
import Testing

@testable import FakeServices
@testable import Services
@testable import System

/// Why a service does not answer, over real sockets: each cause has its own outcome.
@Suite struct FailureReasonTests {
    /// The outcome of a key, and the first failed request with it.
    private func outcome(
        at url: String, seconds: UInt64 = 60
    ) async throws -> (outcome: LookupOutcome?, error: ServiceError?, count: Int?) {
        var service = EchoService()
        service.url = url
        service.timeLimit = seconds * 1_000_000_000
        var dependencies = ClientDependencies(
            transport: try CurlClient(version: "1", contact: nil, environment: [:]),
            limiter: InMemoryLimiterStore(), clock: ManualClock())
        dependencies.jitter = { 0.5 }
        let client = ServiceClient(service, dependencies)
        let answers = try await client.ask([ServiceKey(.isbn, "a")], deadline: nil)
        try await client.close()
        let outcome = answers.first?.outcome
        let all = await client.metrics.failed
        let failed = outcome.flatMap { all[$0] }
        return (outcome, failed?.first, failed?.count)
    }

    private func outcome(of reply: FakeReply, seconds: UInt64 = 60) async throws -> (
        LookupOutcome?, ServiceError?, Int?
    ) {
        let server = try FakeServer { _ in reply }
        defer { server.stop() }
        return try await outcome(at: server.url, seconds: seconds)
    }

    @Test func `a refused connection`() async throws {
        let server = try FakeServer { _ in FakeReply(200) }
        server.stop()
        let (outcome, error, count) = try await outcome(at: server.url)
        #expect(outcome == .connectionRefused)
        #expect(error == ServiceError(nil, address: server.url + "/"))
        #expect(count == 3)
    }

    @Test func `a name that does not exist`() async throws {
        let (outcome, error, _) = try await outcome(at: "http://no-such-host.invalid")
        #expect(outcome == .unreachable)
        #expect(error?.detail == "could not resolve the host name")
    }

    @Test func `a server without TLS`() async throws {
        let server = try FakeServer { _ in FakeReply(200) }
        defer { server.stop() }
        let (outcome, error, count) = try await outcome(at: "https" + server.url.dropFirst(4))
        #expect(outcome == .insecure)
        #expect(error?.detail != nil)
        #expect(count == 1, "it is not worth retrying")
    }

    @Test func `a redirect loop, and a redirect to an address that is not allowed`() async throws {
        let loop = try await outcome(of: FakeReply(302, fields: ["Location": "/again"]))
        #expect(loop.0 == .redirectLoop)
        #expect(loop.2 == 1)
        let file = try await outcome(of: FakeReply(302, fields: ["Location": "file:///etc/hostname"]))
        #expect(file.0 == .redirectRefused)
    }

    @Test(arguments: [
        (429, LookupOutcome.rateLimited), (401, .blocked), (403, .blocked), (404, .requestRejected),
        (400, .requestRejected), (500, .serverError), (502, .serverError), (503, .serverError),
        (300, .serverError), (418, .serverError),
    ])
    func `an error response`(status: Int, expected: LookupOutcome) async throws {
        let (outcome, error, _) = try await outcome(of: FakeReply(status))
        #expect(outcome == expected)
        #expect(error?.status == (expected == .rateLimited ? nil : status))
    }

    @Test func `a response that cannot be used`() async throws {
        var page = FakeReply(200, Array("<html>Log in</html>".utf8))
        page.fields["Content-Type"] = "text/html; charset=utf-8"
        #expect(try await outcome(of: page).0 == .webPage)
        #expect(try await outcome(of: FakeReply(200, Array("text".utf8))).0 == .malformed)
        #expect(try await outcome(of: FakeReply(200, Array(repeating: 65, count: 10_001))).0 == .tooLarge)
        let body = Array("{".utf8) + Array(repeating: 65, count: 5_000)
        #expect(try await outcome(of: FakeReply(200, body, manner: .cutOff)).0 == .cutOff)
        #expect(try await outcome(of: FakeReply(200, body, manner: .reset)).0 == .cutOff)
        #expect(try await outcome(of: FakeReply(200, body, manner: .silent), seconds: 1).0 == .timeout)
    }
}
