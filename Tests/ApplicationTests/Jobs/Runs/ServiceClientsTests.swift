import Books
import TestSupport
import Testing

@testable import FakeServices
@testable import Jobs
@testable import Services
@testable import System

/// A cache that fails to store the answers of some services.
private struct BrokenCache: AnswerCache {
    let broken: Set<String>
    let cache = CacheInMemory()

    func cachedAnswers(
        in form: AnswerFormat, _ keys: [ServiceKey]
    ) async throws(ETLError) -> [CachedAnswer?] { try await cache.cachedAnswers(in: form, keys) }

    func save(_ answers: [NewAnswer], in form: AnswerFormat) async throws(ETLError) {
        guard !broken.contains(form.service) else { throw ETLError(.inputOutput, form.service) }
        try await cache.save(answers, in: form)
    }
}

@Suite struct ServiceClientsTests {
    @Test func `a client that cannot cache its answers does not prevent others from closing`() async throws {
        let clock = ManualClock()
        let transport = FakeTransport(FakeServices(), clock: clock)
        var settings = ServiceSettings()
        settings.transport = transport
        settings.limits = FakeClient.limits
        settings.firstWaitPolicy = .noTimeout
        settings.openLibrary = ServiceEndpoint("http://fake.test/openlibrary", isUserConfigured: true)
        settings.googleBooks = ServiceEndpoint(
            "http://fake.test/google-books", isUserConfigured: true, key: "k")
        settings.isbndb = ServiceEndpoint("http://fake.test/isbndb", isUserConfigured: true, key: "k")
        let cache = BrokenCache(broken: ["openlibrary", "isbndb"])
        let clients = try ServiceClients(settings, cache: cache, clock: clock, stop: StopSignal())
        let names = ["openlibrary", "google-books", "isbndb"]
        let opened = try names.map { try #require(clients[$0]) }
        let isbn = try #require(FakeClient.isbns(known: 1, unknown: 1).known.first)
        for client in opened {
            let answers = try await client.ask([ServiceKey(.isbn, isbn.isbn13)], deadline: nil)
            #expect(answers.map(\.outcome) == [.found])
        }

        let failure = await failure { () throws(ETLError) in try await clients.close() }
        #expect(failure?.message == "openlibrary", "the first failure is reported")
        #expect(cache.cache.answers.count == 1, "the answer of Google Books")
        let calls = transport.requests.count
        for (name, client) in zip(names, opened) {
            var answers: [ServiceAnswer] = []
            let failure = await self.failure { () throws(ETLError) in
                answers = try await client.ask([ServiceKey(.isbn, "9780000000002")], deadline: nil)
            }
            // One that failed to cache its answers keeps failing, the other leaves the key unanswered.
            #expect(failure?.message == (cache.broken.contains(name) ? name : nil))
            #expect(answers == (cache.broken.contains(name) ? [] : [.unanswered(.skipped)]))
        }
        #expect(transport.requests.count == calls, "a closed client sends no requests")
    }

    private func failure(_ body: () async throws(ETLError) -> Void) async -> ETLError? {
        do throws(ETLError) { try await body() } catch { return error }
        return nil
    }
}
