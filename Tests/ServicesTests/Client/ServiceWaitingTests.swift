import Books
import TestSupport
import Testing

@testable import Services
@testable import System

/// Waits of callers, and of a request that failed.
@Suite struct ServiceWaitingTests {
    /// A clock on which nothing that sleeps for less than a second wakes up before `isOver`, and nothing else
    /// at all, until the task is cancelled.
    private struct HeldClock: RunClock {
        let isOver: @Sendable () -> Bool

        func nanoseconds() -> UInt64 { 1 }
        func epochMilliseconds() -> Int64 { 1_700_000_000_000 }
        func sleep(nanoseconds: UInt64) async {
            while !Task.isCancelled, nanoseconds >= 1_000_000_000 || !isOver() { await Task.yield() }
        }
    }

    private static let fine = Result<HTTPResponse, HTTPFailure>.success(
        HTTPResponse(status: 200, body: [0x7B]))

    private func keys(_ count: Int) -> [ServiceKey] {
        (0..<count).map { ServiceKey(.isbn, "\($0)") }
    }

    private func client(
        _ service: EchoService, _ transport: StubTransport, _ clock: any RunClock
    ) -> ServiceClient {
        var dependencies = ClientDependencies(
            transport: transport, limiter: InMemoryLimiterStore(), clock: clock)
        dependencies.jitter = { 0 }
        return ServiceClient(service, dependencies)
    }

    @Test func `a hurried caller does not wait for keys that cannot all be asked in time`() async throws {
        var service = EchoService(size: 1)
        service.limits = ServiceLimits(rate: .init(perSecond: 1), concurrency: 1)
        let transport = StubTransport { _, _ in Self.fine }
        let client = client(service, transport, HeldClock { false })
        // On this clock two seconds never pass: the caller would wait for ever.
        let answers = try await client.ask(keys(9), deadline: 2_000_000_001)
        #expect(Set(answers.map(\.outcome)) == [.queued])
        try await client.close()
    }

    @Test func `a hurried caller waits for keys that can be asked in time`() async throws {
        var service = EchoService(size: 10)
        service.limits = ServiceLimits(rate: .init(perSecond: 1, burst: 3), concurrency: 3)
        let transport = StubTransport { _, _ in Self.fine }
        let client = client(service, transport, HeldClock { false })
        let answers = try await client.ask(keys(30), deadline: 2_000_000_001)
        #expect(Set(answers.map(\.outcome)) == [.found])
        try await client.close()
    }

    /// A cache that takes its time, and counts the answers it was given.
    private final class SlowCache: AnswerCache {
        let count = Guarded(0)

        func cachedAnswers(
            in form: AnswerFormat, _ keys: [ServiceKey]
        ) async throws(ETLError) -> [CachedAnswer?] { keys.map { _ in nil } }

        func save(_ answers: [NewAnswer], in form: AnswerFormat) async throws(ETLError) {
            for _ in 0..<100 { await Task.yield() }
            count.withLock { $0 += answers.count }
        }
    }

    @Test func `answers that are billed are cached at once and once, however many requests end together`()
        async throws
    {
        var service = EchoService(size: 10)
        service.costsEach = true
        service.limits = ServiceLimits(rate: .init(perSecond: 1_000_000, burst: 1_000), concurrency: 20)
        let cache = SlowCache()
        let client = ServiceClient(
            service,
            ClientDependencies(
                transport: StubTransport { _, _ in Self.fine }, limiter: InMemoryLimiterStore(), cache: cache,
                clock: ManualClock()))
        _ = try await client.ask(keys(400), deadline: nil)
        try await client.close()
        #expect(cache.count.withLock { $0 } == 400)
    }

    @Test func `while a failed request pauses, another one is sent`() async throws {
        var service = EchoService(size: 1)
        service.limits = ServiceLimits(rate: .init(perSecond: 1_000_000, burst: 1_000), concurrency: 1)
        let sent = Guarded<[String]>([])
        let transport = StubTransport { request, _ in
            let text = request.url.split(separator: "?").last.map(String.init) ?? ""
            let isFirst = sent.withLock { sent in
                defer { sent.append(text) }
                return !sent.contains(text)
            }
            return text == "0" && isFirst ? .success(HTTPResponse(status: 500)) : Self.fine
        }
        // The pause of half a second ends when the other key was asked for.
        let client = client(service, transport, HeldClock { sent.withLock { $0.contains("1") } })
        let answers = try await client.ask(keys(2), deadline: nil)
        #expect(answers.map(\.outcome) == [.found, .found])
        #expect(sent.withLock { $0 } == ["0", "1", "0"])
        try await client.close()
    }
}
