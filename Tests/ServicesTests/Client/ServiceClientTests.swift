import Books
import TestSupport
import Testing

@testable import Services
@testable import System

/// A limiter state that other processes lock for a while before each change.
private struct BusyLimiterStore: LimiterStore {
    let limiter = InMemoryLimiterStore()
    let clock: ManualClock
    /// For each lease, by how many microseconds its end is off.
    let errors = Guarded<[Int64]>([])
    var owner: Int64 { 0 }

    func change<Result: Sendable>(
        _ account: String, _ body: @escaping @Sendable (inout LimiterState) -> Result
    ) async throws(ETLError) -> Result {
        await clock.sleep(nanoseconds: 700_000_000)
        return try await limiter.change(account) { state in
            let before = Set(state.leases.map(\.number))
            let result = body(&state)
            let (now, leaseTime) = (clock.epochMilliseconds() * 1_000, EchoService().limits.leaseTime)
            for lease in state.leases where !before.contains(lease.number) {
                errors.withLock { $0.append(lease.until - leaseTime - now) }
            }
            return result
        }
    }
}

@Suite struct ServiceClientTests {
    private static let fine = Result<HTTPResponse, HTTPFailure>.success(
        HTTPResponse(status: 200, body: [0x7B]))
    private static func status(_ status: Int, _ fields: [String: String] = [:], _ body: String = "")
        -> Result<
            HTTPResponse, HTTPFailure
        >
    {
        .success(HTTPResponse(status: status, fields: fields, body: Array(body.utf8)))
    }

    private let clock = ManualClock()
    private let cache = CacheInMemory()

    private func client(
        _ service: EchoService = EchoService(), waitPolicy: WaitPolicy = .noTimeout,
        limiter: any LimiterStore = InMemoryLimiterStore(),
        stop: StopSignal = StopSignal(), _ answer: @escaping StubTransport.Answer
    ) -> (ServiceClient, StubTransport) {
        let transport = StubTransport(answer)
        var dependencies = ClientDependencies(
            transport: transport, limiter: limiter, cache: cache, clock: clock, stop: stop,
            waitPolicy: SharedWaitPolicy(waitPolicy))
        dependencies.jitter = { 0.5 }
        return (ServiceClient(service, dependencies), transport)
    }

    private func keys(_ texts: [String]) -> [ServiceKey] { texts.map { ServiceKey(.isbn, $0) } }

    private func outcomes(_ client: ServiceClient, _ texts: [String]) async throws -> [LookupOutcome] {
        let answers = try await client.ask(keys(texts), deadline: nil)
        return answers.map(\.outcome)
    }

    @Test func `keys are sent in full batches and each gets its own answer`() async throws {
        let (client, transport) = client { _, _ in Self.fine }
        let texts = (0..<25).map { $0 % 5 == 0 ? "no\($0)" : "\($0)" }
        let answers = try await client.ask(keys(texts), deadline: nil)
        #expect(answers == texts.map { $0.hasPrefix("no") ? .notFound : .found(Array($0.utf8)[...]) })
        #expect(transport.requests.count == 3)
        try await client.close()
        #expect(cache.answers.count == 25)
    }

    @Test func `a mismatched answer is requested again in three runs, then settled for a day`()
        async throws
    {
        for expected in [LookupOutcome.malformed, .malformed, .mismatch] {
            let (run, transport) = client { _, _ in Self.status(200, [:], "{wrong}") }
            #expect(try await outcomes(run, ["b"]) == [expected])
            #expect(transport.requests.count == 3)
            try await run.close()
        }
        let (fourth, transport) = client { _, _ in Self.fine }
        #expect(try await outcomes(fourth, ["b"]) == [.mismatch])
        #expect(transport.requests.isEmpty)
        try await fourth.close()

        await clock.sleep(nanoseconds: 90_000_000_000_000)
        let (later, again) = client { _, _ in Self.fine }
        #expect(try await outcomes(later, ["b"]) == [.found])
        #expect(again.requests.count == 1)
        try await later.close()
        #expect(cache.answers.values.map(\.mismatches) == [0])
    }

    @Test func `a mismatched answer replaces a good one only in the third run in a row`() async throws {
        let (first, _) = client { _, _ in Self.fine }
        #expect(try await outcomes(first, ["b"]) == [.found])
        try await first.close()
        let good = try #require(cache.answers[ServiceKey(.isbn, "b")])
        for (mismatches, expected) in [(1, LookupOutcome.found), (2, .found), (3, .mismatch)] {
            await clock.sleep(nanoseconds: 8 * 86_400_000_000_000)
            let (run, _) = client { _, _ in Self.status(200, [:], "{wrong}") }
            #expect(try await outcomes(run, ["b"]) == [expected])
            try await run.close()
            let cached = try #require(cache.answers[ServiceKey(.isbn, "b")])
            #expect(cached.mismatches == mismatches)
            #expect(cached.body == (mismatches < 3 ? good.body : nil))
            if mismatches < 3 { #expect(cached.fetchedAt == good.fetchedAt) }
        }
    }

    @Test func `a mismatched key is requested once in a run and counted once`() async throws {
        let (run, transport) = client { _, _ in Self.status(200, [:], "{wrong}") }
        for _ in 0..<4 { #expect(try await outcomes(run, ["b"]) == [.malformed]) }
        #expect(transport.requests.count == 3, "one request of three attempts")
        await clock.sleep(nanoseconds: 1_000_000_000)
        #expect(try await outcomes(run, ["b"]) == [.malformed])
        try await run.close()
        #expect(cache.answers.values.map(\.mismatches) == [1])
    }

    @Test func `a cache-only pass uses the answer before a mismatch`() async throws {
        let (first, _) = client { _, _ in Self.fine }
        _ = try await outcomes(first, ["b"])
        try await first.close()
        await clock.sleep(nanoseconds: 8 * 86_400_000_000_000)
        let (run, _) = client { _, _ in Self.status(200, [:], "{wrong}") }
        _ = try await outcomes(run, ["b"])
        try await run.close()
        let (last, transport) = client(waitPolicy: .cacheOnly) { _, _ in Self.fine }
        #expect(try await outcomes(last, ["b"]) == [.found])
        #expect(transport.requests.isEmpty)
        try await last.close()
    }

    @Test func `a cache-only pass does not use a mismatch that is not settled`() async throws {
        let (first, _) = client { _, _ in Self.status(200, [:], "{wrong}") }
        #expect(try await outcomes(first, ["b"]) == [.malformed])
        try await first.close()
        let (second, transport) = client(waitPolicy: .cacheOnly) { _, _ in Self.fine }
        #expect(try await outcomes(second, ["b"]) == [.skipped])
        #expect(transport.requests.isEmpty)
        try await second.close()
    }

    @Test func `answers that cost something are cached before the next request`() async throws {
        var service = EchoService(costsEach: true)
        service.limits.concurrency = 1
        let cached = Guarded<[Int]>([])
        let (client, _) = client(service) { [cache] _, _ in
            cached.withLock { $0.append(cache.answers.count) }
            return Self.fine
        }
        _ = try await client.ask(keys((0..<30).map { "\($0)" }), deadline: nil)
        #expect(cached.withLock { $0 } == [0, 10, 20])
        try await client.close()
    }

    @Test func `a thousand callers of one key send one request`() async throws {
        let (client, transport) = client { _, _ in Self.fine }
        let found = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<1_000 {
                group.addTask { try await client.ask([ServiceKey(.isbn, "one")], deadline: nil).count }
            }
            return try await group.reduce(0, +)
        }
        #expect(found == 1_000)
        #expect(transport.requests.count == 1)
    }

    @Test
    func `fresh answers are not requested again, stale ones are, and serve if that fails`()
        async throws
    {
        let (first, _) = client { _, _ in Self.fine }
        _ = try await first.ask(keys(["a", "no"]), deadline: nil)
        try await first.close()
        let (second, silent) = client { _, _ in .failure(.timedOut) }
        #expect(try await outcomes(second, ["a", "no"]) == [.found, .notFound])
        #expect(silent.requests.isEmpty)
        // After a day a missing key must be requested again, after a week every key.
        await clock.sleep(nanoseconds: 8 * 86_400 * 1_000_000_000)
        #expect(try await outcomes(second, ["a", "no", "b"]) == [.found, .notFound, .timeout])
        #expect(!silent.requests.isEmpty)
        #expect(await second.metrics.stale == 2)
    }

    @Test func `failures are retried after a pause, three attempts in total`() async throws {
        let (helped, transport) = client { _, number in number < 3 ? .failure(.cutOff) : Self.fine }
        let began = clock.nanoseconds()
        #expect(try await outcomes(helped, ["a"]) == [.found])
        #expect(transport.requests.count == 3)
        #expect(clock.nanoseconds() - began >= 1_500_000_000)
        let (lost, other) = client { _, _ in Self.status(503) }
        #expect(try await outcomes(lost, ["b"]) == [.serverError])
        #expect(other.requests.count == 3)
    }

    @Test func `HTML pages and mismatched answers are requested again and never used`()
        async throws
    {
        let (page, _) = client { _, number in
            number == 1 ? Self.status(200, ["content-type": "text/html"], "{") : Self.fine
        }
        #expect(try await outcomes(page, ["a"]) == [.found])
        let (mismatch, transport) = client { _, _ in Self.status(200, [:], "{wrong}") }
        #expect(try await outcomes(mismatch, ["b"]) == [.malformed])
        #expect(transport.requests.count == 3)
        #expect(cache.answers[ServiceKey(.isbn, "b")]?.body == nil)
    }

    @Test func `a key that spoils its batch is found by halving, and the others are answered`() async throws {
        let (client, _) = client { request, _ in
            request.url.contains("bad") ? Self.status(400) : Self.fine
        }
        let texts = ["1", "2", "bad", "4", "5", "6", "7"]
        let outcomes = try await outcomes(client, texts)
        #expect(outcomes == texts.map { $0 == "bad" ? .notFound : .found })
    }

    @Test func `after status 429 no request is sent before the pause is over`() async throws {
        let times = Guarded<[UInt64]>([])
        let (client, _) = client { [clock] _, number in
            times.withLock { $0.append(clock.nanoseconds()) }
            return number == 1 ? Self.status(429, ["retry-after": "30"]) : Self.fine
        }
        #expect(try await outcomes(client, ["a"]) == [.found])
        let sent = times.withLock { $0 }
        #expect(sent.count == 2 && sent[1] - sent[0] >= 30_000_000_000)
        #expect(await client.metrics.throttled == 1)
    }

    @Test func `after rejected credentials or a spent budget no more requests are sent`() async throws {
        let (blocked, transport) = client { _, _ in Self.status(403, [:], "<html>Forbidden</html>") }
        #expect(try await outcomes(blocked, ["a"]) == [.blocked])
        #expect(try await outcomes(blocked, ["b", "c"]) == [.blocked, .blocked])
        #expect(transport.requests.count == 1)
        let (spent, other) = client { _, _ in Self.status(403, [:], #"{"reason":"dailyLimitExceeded"}"#) }
        #expect(try await outcomes(spent, ["a"]) == [.quota])
        #expect(try await outcomes(spent, ["b"]) == [.quota])
        #expect(other.requests.count == 1)
    }

    @Test func `a request is given up early if answers usually arrive soon, but not at its last attempt`()
        async throws
    {
        let isSilent = Guarded(false)
        let (client, transport) = client { [clock] request, _ in
            guard isSilent.withLock({ $0 }) else { return Self.fine }
            clock.block(nanoseconds: request.timeLimit)
            return .failure(.timedOut)
        }
        for text in 0..<40 { #expect(try await outcomes(client, ["\(text)"]) == [.found]) }
        isSilent.withLock { $0 = true }
        #expect(try await outcomes(client, ["silent"]) == [.timeout])
        let seconds = transport.requests.suffix(3).map { $0.timeLimit / 1_000_000_000 }
        #expect(seconds == [2, 2, 60])
        #expect(transport.requests.prefix(32).allSatisfy { $0.timeLimit == 60_000_000_000 })
    }

    @Test func `credentials that were never accepted are tried again after a minute`() async throws {
        let (client, transport) = client { _, number in
            number == 1 ? Self.status(403, [:], "<html>Forbidden</html>") : Self.fine
        }
        #expect(try await outcomes(client, ["a"]) == [.blocked])
        await clock.sleep(nanoseconds: 61_000_000_000)
        #expect(try await outcomes(client, ["b"]) == [.found])
        #expect(transport.requests.count == 2)
    }

    @Test
    func `a 403 counts against its request if the credentials were accepted before, in another run too`()
        async throws
    {
        let limiter = InMemoryLimiterStore()
        for strayed in [3, 1] {
            let (client, transport) = client(limiter: limiter) { _, number in
                number == strayed ? Self.status(403, [:], "<html>Forbidden</html>") : Self.fine
            }
            for text in ["a", "b", "c", "d"] {
                #expect(try await outcomes(client, [text + "\(strayed)"]) == [.found])
            }
            #expect(transport.requests.count == 5)
        }
    }

    @Test func `a service that forbids request after request is stopped for a minute`() async throws {
        let isForbidden = Guarded(false)
        let (client, transport) = client { _, _ in
            isForbidden.withLock { $0 } ? Self.status(403, [:], "<html>Forbidden</html>") : Self.fine
        }
        #expect(try await outcomes(client, ["a"]) == [.found])
        isForbidden.withLock { $0 = true }
        for text in 0..<30 { #expect(try await outcomes(client, ["\(text)"]) == [.serverError]) }
        #expect(transport.requests.count < 20)
        isForbidden.withLock { $0 = false }
        await clock.sleep(nanoseconds: 61_000_000_000)
        #expect(try await outcomes(client, ["b"]) == [.found])
    }

    @Test func `credentials that were accepted in an earlier run and no longer are count as rejected`()
        async throws
    {
        let limiter = InMemoryLimiterStore()
        let (first, _) = client(limiter: limiter) { _, _ in Self.fine }
        #expect(try await outcomes(first, ["a"]) == [.found])
        let (client, transport) = client(limiter: limiter) { _, _ in
            Self.status(403, [:], "<html>Forbidden</html>")
        }
        for text in 0..<30 { #expect(try await outcomes(client, ["\(text)"]) == [.blocked]) }
        #expect(transport.requests.count < 10)
    }

    @Test func `a dead service gets no requests after a few failures, in the next run either`() async throws {
        let limiter = InMemoryLimiterStore()
        let (dead, transport) = client(limiter: limiter) { _, _ in .failure(.unreachable("refused")) }
        for round in 0..<50 {
            #expect(try await outcomes(dead, ["\(round)"]) == [.unreachable])
        }
        #expect(transport.requests.count <= 10)
        let (next, other) = client(limiter: limiter) { _, _ in Self.fine }
        #expect(try await outcomes(next, ["x"]) == [.down])
        #expect(other.requests.isEmpty)
        let until = try #require(await next.metrics.suspendedUntil)
        #expect(until > clock.epochMilliseconds() && until <= clock.epochMilliseconds() + 61_000)
        await clock.sleep(nanoseconds: 61_000_000_000)
        #expect(try await outcomes(next, ["x"]) == [.found])
    }

    @Test func `a lease starts when the limiter state is available, however long that took`() async throws {
        let limiter = BusyLimiterStore(clock: clock)
        let (client, _) = client(limiter: limiter) { _, _ in Self.fine }
        for text in ["a", "b", "c"] { _ = try await outcomes(client, [text]) }
        #expect(limiter.errors.withLock { $0 } == [0, 0, 0])
    }

    @Test func `a caller whose wait time is over goes without, and the answer is there for the next`()
        async throws
    {
        let (client, transport) = client(waitPolicy: .timeout(1)) { _, _ in Self.fine }
        let first = try await client.ask(keys(["a"]), deadline: clock.nanoseconds())
        #expect(first.first?.outcome.isAnswered != nil)
        #expect(try await outcomes(client, ["a"]) == [.found])
        #expect(transport.requests.count == 1)
    }

    @Test func `a stop ends every wait at once`() async throws {
        let stop = StopSignal()
        let (client, _) = client(stop: stop) { _, _ in
            stop.raise()
            return Self.status(429, ["retry-after": "60"])
        }
        let began = clock.nanoseconds()
        #expect(try await outcomes(client, ["a"]).first?.isAnswered == false)
        #expect(clock.nanoseconds() - began < 121_000_000_000)
        #expect(try await outcomes(client, ["b"]) == [.skipped])
        try await client.close()
    }

    @Test func `a cache-only client sends no requests`() async throws {
        let (client, transport) = client(waitPolicy: .cacheOnly) { _, _ in Self.fine }
        #expect(try await outcomes(client, ["a"]) == [.skipped])
        #expect(transport.requests.isEmpty)
    }

    @Test func `a client that only fills gaps uses stale answers and requests open keys once`()
        async throws
    {
        let (first, _) = client { _, _ in Self.fine }
        _ = try await outcomes(first, ["old", "no"])
        try await first.close()
        await clock.sleep(nanoseconds: 30 * 86_400 * 1_000_000_000)
        let (client, transport) = client(waitPolicy: .gapsOnly) { request, _ in
            request.url.contains("lost") ? Self.fine : .failure(.unreachable("refused"))
        }
        #expect(try await outcomes(client, ["old", "no", "lost"]) == [.found, .notFound, .found])
        #expect(transport.requests.map(\.url) == ["http://parrot.test/?lost"])
        #expect(try await outcomes(client, ["gone"]) == [.unreachable])
        let calls = transport.requests.count
        #expect(try await outcomes(client, ["gone", "old"]) == [.unreachable, .found])
        #expect(transport.requests.count == calls)
    }
}
