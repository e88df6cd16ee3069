import Books
import TestSupport
import Testing

@testable import Services
@testable import System

/// Error responses: which are answers, which are failures of the service, and which are a reason to leave it
/// alone.
@Suite struct ServiceErrorTests {
    private typealias Reply = Result<HTTPResponse, HTTPFailure>

    private static let fine = status(200, [:], "{")
    private static func status(
        _ status: Int, _ fields: [String: String] = [:], _ body: String = ""
    ) -> Reply {
        .success(HTTPResponse(status: status, fields: fields, body: Array(body.utf8)))
    }

    private static let day: UInt64 = 86_400_000_000_000

    private let clock = ManualClock()
    private let cache = CacheInMemory()
    /// Shared by all clients, as processes share it.
    private let limiter = InMemoryLimiterStore()

    private func client(
        size: Int = 50, hasRecords: Bool = false, _ answer: @escaping StubTransport.Answer
    ) -> (ServiceClient, StubTransport) {
        let transport = StubTransport(answer)
        var dependencies = ClientDependencies(
            transport: transport, limiter: limiter, cache: cache, clock: clock,
            waitPolicy: SharedWaitPolicy(.noTimeout))
        dependencies.jitter = { 0.5 }
        return (ServiceClient(EchoService(size: size, hasRecords: hasRecords), dependencies), transport)
    }

    private func outcomes(_ client: ServiceClient, _ texts: [String]) async throws -> [LookupOutcome] {
        try await client.ask(texts.map { ServiceKey(.isbn, $0) }, deadline: nil).map(\.outcome)
    }

    private static let fifty = (0..<50).map { "\($0)" }

    // MARK: Wrong addresses

    @Test(arguments: [404, 405, 410, 501])
    func `an address that does not exist leaves keys open and is reported`(status: Int) async throws {
        let (client, transport) = client { _, _ in Self.status(status) }
        #expect(try await outcomes(client, Self.fifty) == Self.fifty.map { _ in .requestRejected })
        #expect(transport.requests.count == 1)
        #expect(
            await client.metrics.failed[.requestRejected]?.first
                == ServiceError(status, address: "http://parrot.test/"))
        try await client.close()
        #expect(cache.answers.isEmpty)
        let (next, _) = self.client { _, _ in Self.fine }
        #expect(try await outcomes(next, ["0"]) == [.found])
    }

    @Test(arguments: [404, 405, 410, 501])
    func `an address that does not exist is not asked for long`(status: Int) async throws {
        let (client, transport) = client(size: 1) { request, _ in
            request.url.hasSuffix("known") ? Self.fine : Self.status(status)
        }
        #expect(try await outcomes(client, ["known"]) == [.found])
        #expect(try await outcomes(client, Self.fifty) == Self.fifty.map { _ in .requestRejected })
        let limit = ServiceHealth.refusalLimit + client.service.limits.concurrency
        #expect(transport.requests.count <= 1 + limit)
    }

    @Test func `a record that does not exist is not found`() async throws {
        for status in [404, 410, 400] {
            let (client, _) = client(size: 1, hasRecords: true) { _, _ in Self.status(status) }
            #expect(try await outcomes(client, ["a\(status)"]) == [.notFound])
            #expect(await client.metrics.failed.isEmpty)
        }
        for status in [405, 501] {
            let (client, _) = client(size: 1, hasRecords: true) { _, _ in Self.status(status) }
            #expect(try await outcomes(client, ["a\(status)"]) == [.requestRejected])
        }
    }

    // MARK: Refused requests

    @Test(arguments: [400, 413, 414, 422])
    func `fifty keys of a service that refuses everything cost at most twelve requests`(
        status: Int
    ) async throws {
        let (client, transport) = client { _, _ in Self.status(status) }
        #expect(try await outcomes(client, Self.fifty) == Self.fifty.map { _ in .requestRejected })
        #expect(transport.requests.count <= 12)
        #expect(await client.metrics.failed[.requestRejected]?.first.status == status)
        // Asked again, as in the pending pass, it is left alone.
        #expect(try await outcomes(client, Self.fifty) == Self.fifty.map { _ in .requestRejected })
        #expect(transport.requests.count <= 12)
        try await client.close()
        #expect(cache.answers.isEmpty)
    }

    @Test func `one refused key among fifty costs at most twelve requests`() async throws {
        for bad in ["0", "24", "25", "49"] {
            let (client, transport) = client { request, _ in
                request.url.contains("bad") ? Self.status(400) : Self.fine
            }
            let texts = Self.fifty.map { $0 == bad ? "bad\(bad)" : "\($0) next to \(bad)" }
            let expected = Self.fifty.map { $0 == bad ? LookupOutcome.notFound : .found }
            #expect(try await outcomes(client, texts) == expected)
            #expect(transport.requests.count <= 12)
            #expect(await client.metrics.failed.isEmpty)
        }
    }

    @Test func `keys that are left when requests run out are asked for later`() async throws {
        let (client, transport) = client { request, _ in
            let texts = request.url.drop { $0 != "?" }.dropFirst().split(separator: ",")
            return texts.contains { (Int($0) ?? 0) % 10 == 9 } ? Self.status(400) : Self.fine
        }
        let first = try await outcomes(client, Self.fifty)
        #expect(transport.requests.count <= 12)
        #expect(Set(first) == [.found, .notFound, .skipped])
        #expect(await client.metrics.failed.isEmpty)
        for _ in 0..<5 { _ = try await outcomes(client, Self.fifty) }
        let expected = Self.fifty.map { $0.hasSuffix("9") ? LookupOutcome.notFound : .found }
        #expect(try await outcomes(client, Self.fifty) == expected)
    }

    @Test func `a key that is refused alone is settled once the service answers others`() async throws {
        let (client, _) = client(size: 1) { request, _ in
            request.url.contains("bad") ? Self.status(400) : Self.fine
        }
        #expect(try await outcomes(client, ["bad"]) == [.requestRejected])
        #expect(
            await client.metrics.failed[.requestRejected]?.first
                == ServiceError(400, address: "http://parrot.test/"))
        #expect(try await outcomes(client, ["good"]) == [.found])
        #expect(try await outcomes(client, ["bad"]) == [.notFound])
        #expect(try await outcomes(client, ["bad too"]) == [.requestRejected])
    }

    @Test func `a service that begins to refuse all requests is soon left alone`() async throws {
        let (client, transport) = client(size: 1) { _, number in
            number > 3 ? Self.status(400) : Self.fine
        }
        #expect(try await outcomes(client, ["a", "b", "c"]) == [.found, .found, .found])
        let outcomes = try await outcomes(client, Self.fifty)
        #expect(outcomes.count { $0 == .notFound } <= 1)
        #expect(outcomes.count { $0 == .requestRejected } >= 49)
        let limit = ServiceHealth.refusalLimit + client.service.limits.concurrency
        #expect(transport.requests.count <= 4 + limit)
    }

    @Test func `an error in a successful response is reported as well`() async throws {
        let (client, transport) = client { _, _ in Self.status(200, [:], "{refused}") }
        #expect(try await outcomes(client, Self.fifty) == Self.fifty.map { _ in .requestRejected })
        #expect(transport.requests.count <= 12)
        #expect(
            await client.metrics.failed[.requestRejected]?.first
                == ServiceError(200, address: "http://parrot.test/"))
    }

    // MARK: Pauses

    @Test(arguments: [429, 503])
    func `the pause that a service asks for is respected`(status: Int) async throws {
        let times = Guarded<[UInt64]>([])
        let (client, _) = client { [clock] _, number in
            times.withLock { $0.append(clock.nanoseconds()) }
            return number == 1 ? Self.status(status, ["retry-after": "90"]) : Self.fine
        }
        #expect(try await outcomes(client, ["a"]) == [.found])
        let sent = times.withLock { $0 }
        #expect(sent.count == 2 && sent[1] - sent[0] >= 90_000_000_000)
        #expect(await client.metrics.throttled == 1)
        #expect(await client.metrics.throttledUntil == nil)
    }

    @Test(arguments: [429, 503])
    func `after two rejections in a row a service is left alone until its time`(status: Int) async throws {
        let (client, transport) = client { _, _ in Self.status(status, ["retry-after": "100"]) }
        #expect(try await outcomes(client, Self.fifty) == Self.fifty.map { _ in .rateLimited })
        #expect(transport.requests.count == 2)
        #expect(try await outcomes(client, ["late"]) == [.rateLimited])
        #expect(transport.requests.count == 2)
        let until = try #require(await client.metrics.throttledUntil)
        #expect((99_000...100_000).contains(until - clock.epochMilliseconds()))
        try await client.close()
        #expect(cache.answers.isEmpty)
        // Another process waits until then.
        let times = Guarded<[Int64]>([])
        let (other, _) = self.client { [clock] _, _ in
            times.withLock { $0.append(clock.epochMilliseconds()) }
            return Self.fine
        }
        #expect(try await outcomes(other, ["a"]) == [.found])
        #expect(times.withLock { $0.allSatisfy { $0 >= until } })
    }

    @Test(arguments: ["86400", "604800", "99999999999999999999"])
    func `a pause of a day or more is remembered for a day`(pause: String) async throws {
        let (client, transport) = client { _, _ in Self.status(429, ["retry-after": pause]) }
        #expect(try await outcomes(client, Self.fifty) == Self.fifty.map { _ in .rateLimited })
        #expect(transport.requests.count == 1)
        let until = clock.epochMilliseconds() + 86_400_000
        #expect(await client.metrics.throttledUntil == until)
        await clock.sleep(nanoseconds: Self.day - 3_600_000_000_000)
        let (other, none) = self.client { _, _ in Self.fine }
        #expect(try await outcomes(other, ["a"]) == [.rateLimited])
        #expect(none.requests.isEmpty)
        #expect(await other.metrics.throttledUntil == until)
        await clock.sleep(nanoseconds: 3_600_000_000_000)
        let (last, _) = self.client { _, _ in Self.fine }
        #expect(try await outcomes(last, ["a"]) == [.found])
    }

    @Test func `an overloaded service is asked again more often`() async throws {
        let (client, transport) = client { _, number in
            number <= 5 ? Self.status(200, [:], "{overloaded}") : Self.fine
        }
        #expect(try await outcomes(client, ["a"]) == [.found])
        #expect(transport.requests.count == 6)
    }
}
