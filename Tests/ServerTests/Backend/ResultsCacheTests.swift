import Contract
import Database
import Foundation
import Store
import Testing

@testable import Server
@testable import TestSupport

/// Results that are read again, over a real connection.
@Suite(.ownThread) struct ResultsCacheTests {
    private static let views = [
        "/api/v2/imports/%/results", "/v1/csv/results/%", "/v1/jobs/%/results",
    ]

    private static func paths(_ job: String) -> [String] { views.map { $0.replacing("%", with: job) } }

    private static func title(_ answer: RawClient.Answer) throws -> String? {
        let data = try #require(try answer.json()["data"] as? [String: Any], "\(answer.text)")
        return (data["books"] as? [[String: Any]])?.first?["title"] as? String
    }

    @Test func `results are read once, and again after any change of the store`() async throws {
        let running = try await RunningServer()
        let (job, token) = try running.accepted("Title,Author\nDune,Frank Herbert\nPersuasion,Jane Austen\n")
        try running.wait(for: job, token)
        for path in Self.paths(job) {
            _ = try running.request("GET", path)
            let second = try running.request("GET", path)
            #expect(second.status == 200 && second.fields["x-cache"] == "HIT", "\(second.fields)")
            #expect(try Self.title(second) == "Dune")
        }
        let writer = try StoreFile.openForWriting(running.store)
        try writer.execute(
            "UPDATE works SET title = 'Changed', quality = 1; UPDATE editions SET title = 'Changed'")
        for path in Self.paths(job) {
            let changed = try running.request("GET", path)
            #expect(changed.fields["x-cache"] == "MISS")
            #expect(try Self.title(changed) == "Changed")
            let data = try #require(try changed.json()["data"] as? [String: Any])
            #expect((data["quality"] as? [String: Any])?["meanQuality"] as? Double == 1)
        }
        let status = try running.data("/v1/jobs/\(job)")
        #expect((status["quality"] as? [String: Any])?["meanQuality"] as? Double == 1)
        await running.server.stop()
    }

    @Test func `final results may be kept for an hour, those with rows to correct not`() async throws {
        let running = try await RunningServer()
        for (file, expected) in [
            ("Title,Author\nDune,Frank Herbert\n", "private, max-age=3600"),
            ("Title,Author,ISBN\nDune,Frank Herbert,\n,,\n,Nobody,123\n", "no-store"),
        ] {
            let (job, token) = try running.accepted(file)
            try running.wait(for: job, token)
            for path in Self.paths(job) + Self.paths(job) {
                let answer = try running.request("GET", path)
                #expect(answer.fields["cache-control"] == expected, "\(answer.text)")
            }
        }
        await running.server.stop()
    }

    @Test func `kept results expire`() async throws {
        let clock = SetClock()
        let running = try await RunningServer(clock: clock)
        let (job, token) = try running.accepted("Title,Author\nDune,Frank Herbert\n")
        try running.wait(for: job, token)
        let path = Self.paths(job)[0]
        for _ in 0..<2 { #expect(try running.request("GET", path).status == 200) }
        clock.advance(seconds: 86_400 - 60)
        let late = try running.request("GET", path)
        #expect(late.fields["cache-control"] == "private, max-age=60", "\(late.text)")
        clock.advance(seconds: 61)
        #expect(try running.request("GET", path).status == 404)
        await running.server.stop()
    }

    private static func entry(_ bytes: Int) -> ResultsCache.Entry {
        ResultsCache.Entry(
            data: Array(repeating: 1, count: bytes), metadata: ResponseMetadata(timestamp: 0),
            expiresAt: 100, isFinal: true)
    }

    @Test func `results of an older version are not kept, and a full cache is emptied`() {
        var cache = ResultsCache(capacity: 80)
        let (a, b) = (ResultsCache.Key("a", as: nil), ResultsCache.Key("b", as: .csv))
        cache.keep(Self.entry(8), for: a, version: 2)
        #expect(cache.entry(a, version: 2, now: 99) != nil && cache.entry(a, version: 2, now: 100) == nil)
        #expect(cache.entry(b, version: 2, now: 0) == nil)
        #expect(cache.entry(a, version: 3, now: 0) == nil)
        cache.keep(Self.entry(8), for: a, version: 2)
        #expect(cache.entry(a, version: 3, now: 0) == nil)
        cache.keep(Self.entry(11), for: a, version: 3)
        #expect(cache.entry(a, version: 3, now: 0) == nil, "too large")
        for number in 0..<11 {
            cache.keep(Self.entry(8), for: ResultsCache.Key("\(number)", as: nil), version: 3)
        }
        #expect(cache.entry(ResultsCache.Key("0", as: nil), version: 3, now: 0) == nil)
        #expect(cache.entry(ResultsCache.Key("10", as: nil), version: 3, now: 0) != nil)
    }
}
