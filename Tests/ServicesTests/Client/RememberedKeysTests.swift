import Books
import TestSupport
import Testing

@testable import Services
@testable import System

/// A client remembers a limited number of keys; the outcomes of a run do not depend on that number.
@Suite struct RememberedKeysTests {
    private typealias Reply = Result<HTTPResponse, HTTPFailure>

    private static func status(_ status: Int, _ body: String) -> Reply {
        .success(HTTPResponse(status: status, body: Array(body.utf8)))
    }
    private static let fine = status(200, "{")
    private static let mismatch = status(200, "{wrong}")
    private static let spent = status(403, #"{"reason":"dailyLimitExceeded"}"#)

    /// Far fewer keys than are requested, and far more.
    private static let memories = [16, 65_536]
    private static let texts = (0..<200).map { "\($0)" }

    private let clock = ManualClock()
    private let cache = CacheInMemory()

    private func client(
        remembering count: Int, _ waitPolicy: SharedWaitPolicy = SharedWaitPolicy(.noTimeout),
        keeps: Bool = true,
        _ answer: @escaping StubTransport.Answer
    ) -> (ServiceClient, StubTransport) {
        let transport = StubTransport(answer)
        var dependencies = ClientDependencies(
            transport: transport, limiter: InMemoryLimiterStore(), cache: keeps ? cache : nil, clock: clock,
            waitPolicy: waitPolicy)
        dependencies.jitter = { 0.5 }
        dependencies.rememberedKeys = count
        let limits = ServiceLimits(rate: .init(perSecond: 1_000_000, burst: 1_000), concurrency: 1)
        return (ServiceClient(EchoService(limits: limits), dependencies), transport)
    }

    /// Asks in batches, as an import does.
    private func outcomes(_ client: ServiceClient, _ texts: [String] = texts) async throws -> [LookupOutcome]
    {
        var outcomes: [LookupOutcome] = []
        for first in stride(from: 0, to: texts.count, by: 20) {
            let keys = texts[first..<min(first + 20, texts.count)].map { ServiceKey(.isbn, $0) }
            outcomes += try await client.ask(keys, deadline: nil).map(\.outcome)
        }
        return outcomes
    }

    @Test(arguments: memories)
    func `every unanswered key keeps its reason in later passes, and a spent budget stops requests`(
        remembering count: Int
    ) async throws {
        let waitPolicy = SharedWaitPolicy(.noTimeout)
        // The service fails for some keys and answers others; from one key on its budget is spent.
        let (client, transport) = client(remembering: count, waitPolicy) { request, _ in
            if request.url.contains("?40") { return Self.spent }
            return request.url.contains("?20") ? .failure(.tooLarge) : Self.fine
        }
        let expected = Self.texts.indices.map { index -> LookupOutcome in
            index >= 40 ? .quota : (20..<30).contains(index) ? .tooLarge : .found
        }
        #expect(try await outcomes(client) == expected)
        let calls = transport.requests.count
        waitPolicy.beginLaterPass(.gapsOnly)
        #expect(try await outcomes(client) == expected)
        #expect(transport.requests.count == calls)
        waitPolicy.beginLaterPass(.cacheOnly)
        #expect(try await outcomes(client) == expected)
        #expect(try await outcomes(client) == expected)
        let metrics = await client.metrics
        #expect(metrics.outcomes[.found] == 30, "each key counts once, in whatever pass it was asked for")
        if count > Self.texts.count {
            #expect(metrics.outcomes == [.found: 30, .tooLarge: 10, .quota: 160])
        }
        try await client.close()
    }

    @Test(arguments: memories)
    func `a pass that only fills gaps asks again for keys that were forgotten`(
        remembering count: Int
    ) async throws {
        let waitPolicy = SharedWaitPolicy(.noTimeout)
        let isWell = Guarded(false)
        let (client, transport) = client(remembering: count, waitPolicy) { _, _ in
            isWell.withLock { $0 } ? Self.fine : .failure(.tooLarge)
        }
        let silent = try await outcomes(client)
        #expect(silent.allSatisfy { !$0.isAnswered })
        let calls = transport.requests.count
        isWell.withLock { $0 = true }
        await clock.sleep(nanoseconds: 3_600_000_000_000)
        waitPolicy.waitPolicy = .gapsOnly
        let filled = try await outcomes(client)
        if count > Self.texts.count {
            #expect(filled == silent)
            #expect(transport.requests.count == calls, "no key was forgotten")
        } else {
            // Of each reason, a sixteenth of the limit stays remembered. All other keys are asked again.
            #expect(filled.count { !$0.isAnswered } <= Set(silent).count * count / 16)
            #expect(transport.requests.count > calls)
        }
        // A key answered in one pass is not open in a later one.
        waitPolicy.waitPolicy = .cacheOnly
        #expect(try await outcomes(client) == filled)
        try await client.close()
    }

    @Test(arguments: memories)
    func `a mismatched answer is requested again in three runs, once in each`(
        remembering count: Int
    ) async throws {
        for (mismatches, expected) in [(1, LookupOutcome.malformed), (2, .malformed), (3, .mismatch)] {
            let (run, transport) = client(remembering: count) { _, _ in Self.mismatch }
            for _ in 0..<3 {
                #expect(try await outcomes(run) == Self.texts.map { _ in expected })
                await clock.sleep(nanoseconds: 1_000_000_000)
            }
            #expect(transport.requests.count == 60, "twenty batches of three attempts")
            try await run.close()
            #expect(cache.answers.values.map(\.mismatches) == Self.texts.map { _ in mismatches })
        }
    }

    @Test(arguments: memories)
    func `a good answer is used instead of a mismatched one, which counts once per run`(
        remembering count: Int
    ) async throws {
        let (first, _) = client(remembering: count) { _, _ in Self.fine }
        _ = try await outcomes(first)
        try await first.close()
        await clock.sleep(nanoseconds: 8 * 86_400_000_000_000)
        let (run, _) = client(remembering: count) { _, _ in Self.mismatch }
        for _ in 0..<4 {
            #expect(try await outcomes(run) == Self.texts.map { _ in .found })
            await clock.sleep(nanoseconds: 1_000_000_000)
        }
        try await run.close()
        #expect(cache.answers.values.allSatisfy { $0.mismatches <= 1 && $0.body != nil })
        #expect(cache.answers.values.count { $0.mismatches == 1 } == min(count, 200))
    }

    @Test(arguments: memories)
    func `without a cache a mismatched answer is not an answer`(remembering count: Int) async throws {
        let (run, _) = client(remembering: count, keeps: false) { _, _ in Self.mismatch }
        for _ in 0..<2 { #expect(try await outcomes(run) == Self.texts.map { _ in .malformed }) }
        try await run.close()
    }
}
