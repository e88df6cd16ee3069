import Books
import TestSupport
import Testing

@testable import Services
@testable import System

/// Batches that a service refuses, throttles or fails at.
@Suite struct BatchRequestTests {
    private typealias Reply = Result<HTTPResponse, HTTPFailure>

    private static let fine = status(200, "{")
    private static func status(_ status: Int, _ body: String = "") -> Reply {
        .success(HTTPResponse(status: status, body: Array(body.utf8)))
    }

    private let clock = ManualClock()
    private let cache = CacheInMemory()

    private func client(
        _ service: EchoService, _ limiter: InMemoryLimiterStore = InMemoryLimiterStore(),
        _ clock: (any RunClock)? = nil, _ answer: @escaping StubTransport.Answer
    ) -> (ServiceClient, StubTransport) {
        let transport = StubTransport(answer)
        var dependencies = ClientDependencies(
            transport: transport, limiter: limiter, cache: cache, clock: clock ?? self.clock,
            waitPolicy: SharedWaitPolicy(.noTimeout))
        dependencies.jitter = { 0.5 }
        return (ServiceClient(service, dependencies), transport)
    }

    private func outcomes(_ client: ServiceClient, _ texts: [String]) async throws -> [LookupOutcome] {
        try await client.ask(texts.map { ServiceKey(.isbn, $0) }, deadline: nil).map(\.outcome)
    }

    private static func limits(_ concurrency: Int, budget: Int? = nil) -> ServiceLimits {
        ServiceLimits(
            rate: .init(perSecond: 1_000_000, burst: 1_000), concurrency: concurrency,
            quota: budget.map { .init(calls: $0) })
    }

    // MARK: Refused requests

    @Test func `a key that makes a successful response unusable is found by halving`()
        async throws
    {
        let (client, transport) = client(EchoService()) { request, _ in
            request.url.contains("bad") ? Self.status(200, "{refused}") : Self.fine
        }
        let texts = (1...9).map { $0 == 4 ? "bad" : "\($0)" }
        #expect(try await outcomes(client, texts) == texts.map { $0 == "bad" ? .notFound : .found })
        #expect(transport.requests.count < 10)
    }

    @Test func `credentials rejected in the service's own words block it, and nothing is cached`()
        async throws
    {
        let (client, transport) = client(EchoService(size: 1)) { _, _ in Self.status(400, "no such API key") }
        #expect(try await outcomes(client, ["a"]) == [.blocked])
        #expect(try await outcomes(client, ["a", "b"]) == [.blocked, .blocked])
        #expect(transport.requests.count == 1)
        try await client.close()
        #expect(cache.answers.isEmpty)
    }

    // MARK: Daily budget

    @Test(arguments: [(25, [5, 10, 10]), (3, [3]), (10, [10])])
    func `the rest of the daily budget is spent to the last key`(
        _ budget: Int, _ batches: [Int]
    ) async throws {
        let service = EchoService(limits: Self.limits(1, budget: budget), costsEach: true)
        let (client, transport) = client(service) { _, _ in Self.fine }
        let outcomes = try await outcomes(client, (0..<40).map { "\($0)" })
        #expect(outcomes.count { $0 == .found } == budget)
        #expect(outcomes.count { $0 == .quota } == 40 - budget)
        #expect(transport.requests.map { $0.url.split(separator: ",").count }.sorted() == batches)
        #expect(await client.metrics.resumeAt != nil)
    }

    @Test func `a budget of zero sends no request`() async throws {
        let service = EchoService(limits: Self.limits(1, budget: 0), costsEach: true)
        let (client, transport) = client(service) { _, _ in Self.fine }
        #expect(try await outcomes(client, ["a", "b"]) == [.quota, .quota])
        #expect(transport.requests.isEmpty)
    }

    // MARK: Throttling

    @Test func `a service that throttles every request is left alone`() async throws {
        let (client, transport) = client(EchoService(limits: Self.limits(4))) { _, _ in Self.status(429) }
        let texts = (0..<300).map { "\($0)" }
        #expect(try await outcomes(client, texts) == texts.map { _ in .rateLimited })
        #expect(transport.requests.count <= 4 * ServiceHealth.throttlingLimit)
        #expect(try await outcomes(client, ["late"]) == [.rateLimited])
        #expect(await client.metrics.throttled == transport.requests.count)
    }

    @Test func `a service that answers and then throttles every request gets six more, with growing pauses`()
        async throws
    {
        let times = Guarded<[UInt64]>([])
        let (client, _) = client(EchoService(limits: Self.limits(1), size: 1)) { [clock] _, number in
            times.withLock { $0.append(clock.nanoseconds()) }
            return number == 1 ? Self.fine : Self.status(429)
        }
        let texts = (0..<50).map { "\($0)" }
        let outcomes = try await outcomes(client, texts)
        #expect(outcomes == [.found] + texts.dropFirst().map { _ in .rateLimited })
        let sent = times.withLock { Array($0.dropFirst()) }
        #expect(sent.count == ServiceHealth.throttlingLimitAfterAnswers)
        let pauses = zip(sent, sent.dropFirst()).map { ($1 - $0) / 1_000_000_000 }
        #expect(pauses == [1, 2, 4, 8, 16])
        // When its time has come, one request shows that nothing has changed.
        await clock.sleep(nanoseconds: 32_000_000_000)
        #expect(try await self.outcomes(client, ["late", "later"]) == [.rateLimited, .rateLimited])
        #expect(times.withLock { $0.count } == 8)
    }

    @Test func `a service that throttles a third of all requests answers everything in the end`() async throws
    {
        let (client, transport) = client(EchoService(limits: Self.limits(4), size: 1)) { _, number in
            // After the first answers, in no regular order.
            number > 4 && ((number * 2_654_435_761) >> 7) % 3 == 0 ? Self.status(429) : Self.fine
        }
        let texts = (0..<300).map { "\($0)" }
        #expect(try await outcomes(client, texts) == texts.map { _ in .found })
        #expect(transport.requests.count > 350)
        #expect(await client.metrics.throttledUntil == nil)
    }

    @Test func `a service that throttles a burst, or sometimes answers, is not given up`()
        async throws
    {
        let (burst, _) = client(EchoService(limits: Self.limits(40), size: 1)) { [clock] _, _ in
            clock.nanoseconds() < 500_000_000 ? Self.status(429) : Self.fine
        }
        let texts = (0..<60).map { "\($0)" }
        #expect(try await outcomes(burst, texts) == texts.map { _ in .found })
        let (moody, _) = client(EchoService(limits: Self.limits(1), size: 1)) { _, number in
            number % 2 == 0 ? Self.fine : Self.status(429)
        }
        #expect(try await outcomes(moody, ["x", "y", "z"]) == [.found, .found, .found])
    }

    // MARK: Probes

    @Test func `a successful probe releases the other requests at once`() async throws {
        let times = Guarded<[UInt64]>([])
        var limits = Self.limits(4)
        limits.breaker = .init(failures: 4)
        let service = EchoService(limits: limits, size: 1)
        let limiter = InMemoryLimiterStore()
        // Nobody tries again before all four have failed, however late the last one is.
        let held = HeldClock(clock) {
            (try? await limiter.change(service.account) { $0.breaker.openUntil > 0 }) ?? true
        }
        let (client, _) = client(service, limiter, held) { [clock] _, number in
            times.withLock { $0.append(clock.nanoseconds()) }
            return (2...5).contains(number) ? Self.status(503) : Self.fine
        }
        #expect(try await outcomes(client, ["a"]) == [.found])
        #expect(try await outcomes(client, ["b", "c", "d", "e"]) == [.found, .found, .found, .found])
        let sent = times.withLock { $0 }
        try #require(sent.count == 9)
        #expect(sent[5] - sent[4] >= 50_000_000_000, "the breaker stays open")
        #expect(sent[8] - sent[5] < 30_000_000_000)
    }
}

/// A clock that stands still until something has happened.
private struct HeldClock: RunClock {
    private let clock: ManualClock
    private let hasHappened: @Sendable () async -> Bool
    private let isReleased = Guarded(false)

    init(_ clock: ManualClock, until hasHappened: @escaping @Sendable () async -> Bool) {
        self.clock = clock
        self.hasHappened = hasHappened
    }

    func nanoseconds() -> UInt64 { clock.nanoseconds() }
    func epochMilliseconds() -> Int64 { clock.epochMilliseconds() }
    func block(nanoseconds: UInt64) { clock.block(nanoseconds: nanoseconds) }
    func sleep(nanoseconds: UInt64) async {
        while !isReleased.withLock({ $0 }), await !hasHappened(), !Task.isCancelled { await Task.yield() }
        isReleased.withLock { $0 = true }
        await clock.sleep(nanoseconds: nanoseconds)
    }
}
