import Books
import TestSupport
import Testing

@testable import Services
@testable import System

/// Expired answers are asked about with the service's validators, and only renewed if they are current.
@Suite struct ConditionalRequestTests {
    private let clock = ManualClock()
    private let cache = CacheInMemory()
    private static let week: UInt64 = 8 * 86_400_000_000_000
    private static let key = ServiceKey(.isbn, "b")

    private static func response(
        _ status: Int, _ fields: [String: String] = [:]
    ) -> Result<HTTPResponse, HTTPFailure> {
        .success(HTTPResponse(status: status, fields: fields, body: status == 200 ? [0x7B] : []))
    }

    /// Asks about keys in a separate run.
    private func ask(
        _ texts: [String] = ["b"], _ service: EchoService = EchoService(),
        _ answer: @escaping StubTransport.Answer
    ) async throws -> (outcomes: [LookupOutcome], client: ServiceClient, requests: [HTTPRequest]) {
        let transport = StubTransport(answer)
        var dependencies = ClientDependencies(
            transport: transport, limiter: InMemoryLimiterStore(), cache: cache, clock: clock,
            waitPolicy: SharedWaitPolicy(.noTimeout))
        dependencies.jitter = { 0.5 }
        let client = ServiceClient(service, dependencies)
        let answers = try await client.ask(texts.map { ServiceKey(.isbn, $0) }, deadline: nil)
        try await client.close()
        return (answers.map(\.outcome), client, transport.requests)
    }

    private static func fields(_ request: HTTPRequest?) -> [String] {
        (request?.fields ?? []).map { "\($0.name): \($0.value)" }
    }

    @Test func `an unchanged answer is renewed without being read, and a changed one replaces it`()
        async throws
    {
        let date = "Wed, 21 Oct 2015 07:28:00 GMT"
        let first = try await ask { _, _ in Self.response(200, ["etag": "\"x\"", "last-modified": date]) }
        #expect(Self.fields(first.requests.first).isEmpty)
        let before = try #require(cache.answers[Self.key])

        await clock.sleep(nanoseconds: Self.week)
        let second = try await ask { _, _ in Self.response(304) }
        #expect(
            Self.fields(second.requests.first) == ["If-None-Match: \"x\"", "If-Modified-Since: \(date)"])
        #expect(second.outcomes == [.found] && second.requests.count == 1)
        #expect(await second.client.metrics.confirmed == 1)
        let renewed = try #require(cache.answers[Self.key])
        #expect(renewed.body == before.body && renewed.validator == before.validator)
        #expect(renewed.fetchedAt > before.fetchedAt)
        #expect(try await ask { _, _ in Self.response(500) }.requests.isEmpty)

        await clock.sleep(nanoseconds: Self.week)
        let third = try await ask { _, _ in Self.response(200, ["etag": "W/\"y\""]) }
        #expect(third.outcomes == [.found])
        #expect(cache.answers[Self.key]?.validator == CacheValidator(etag: "W/\"y\"", modified: nil))
    }

    @Test func `that a service does not know a key can be confirmed, too`() async throws {
        _ = try await ask(["no"]) { _, _ in Self.response(200, ["etag": "\"x\""]) }
        await clock.sleep(nanoseconds: Self.week)
        let again = try await ask(["no"]) { _, _ in Self.response(304) }
        #expect(again.outcomes == [.notFound] && again.requests.count == 1)
    }

    @Test func `a response to several keys is not asked about like that`() async throws {
        _ = try await ask(["a", "b"]) { _, _ in Self.response(200, ["etag": "\"x\""]) }
        #expect(cache.answers.values.allSatisfy { $0.validator == nil })
        await clock.sleep(nanoseconds: Self.week)
        let again = try await ask(["a", "b"]) { _, _ in Self.response(200, ["etag": "\"x\""]) }
        #expect(again.requests.allSatisfy { $0.fields.isEmpty })
    }

    @Test func `status 304 without a condition is a failure`() async throws {
        let answer = try await ask { _, _ in Self.response(304) }
        #expect(answer.outcomes == [.serverError] && answer.requests.count > 1)
        #expect(cache.answers.isEmpty)
    }

    @Test(arguments: ["", "\u{1}", "\"é\"", String(repeating: "x", count: 300)])
    func `a header field that cannot be sent back is not kept`(etag: String) async throws {
        _ = try await ask { _, _ in Self.response(200, ["etag": etag]) }
        #expect(cache.answers[Self.key] != nil && cache.answers[Self.key]?.validator == nil)
    }
}
