import Books
import Foundation
import Jobs
import Services
import System
import TestSupport
import Testing

@testable import FakeServices
@testable import Server

/// Services that cannot be reached until they may.
struct SwitchedTransport: HTTPTransport {
    let isDown = Guarded(true)
    let services = FakeTransport(FakeServices(), clock: ManualClock())

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        if isDown.withLock({ $0 }) { throw .unreachable("down") }
        return try await services.send(request)
    }
}

/// The system's clock, which a test sets forward. (Services collect questions for a moment, so that time must pass.)
final class ForwardClock: RunClock {
    private let ahead = Guarded<UInt64>(0)

    func nanoseconds() -> UInt64 { SystemClock().nanoseconds() + ahead.withLock { $0 } }
    func epochMilliseconds() -> Int64 {
        SystemClock().epochMilliseconds() + Int64(ahead.withLock { $0 } / 1_000_000)
    }
    func sleep(nanoseconds: UInt64) async { await SystemClock().sleep(nanoseconds: nanoseconds) }

    func advance(seconds: Int) { ahead.withLock { $0 += UInt64(seconds) * 1_000_000_000 } }
}

/// Jobs of a server whose services do not answer.
@Suite(.ownThread) struct ServiceWaitsTests {
    private let clock = ForwardClock()
    private let transport = SwitchedTransport()

    private func server(
        _ sample: SampleImport? = nil, _ change: (inout ServerSettings) -> Void = { _ in }
    ) async throws -> RunningServer {
        var services = ServiceSettings.fake(over: transport)
        services.retry = RetryPolicy(attempts: 2, base: 1_000_000)
        services.firstWaitPolicy = .timeout(0)
        let asked = services.always
        return try await RunningServer(sample, clock: clock) {
            $0.jobs.imports.services = asked
            change(&$0)
        }
    }

    private static let file =
        "ISBN13\n" + FakeClient.isbns(known: 3, unknown: 0).known.map(\.isbn13).joined(separator: "\n") + "\n"

    /// Uploads a file, and follows its job until it waits for services.
    private func waiting(on running: RunningServer) throws -> (job: String, token: String) {
        let (job, token) = try running.accepted(Self.file)
        let client = try running.client()
        try client.send("GET /v1/jobs/\(job)/stream?token=\(token) HTTP/1.1\nHost: localhost\n\n")
        _ = try client.head()
        var told = ""
        while !told.contains("resumeAt") { told += String(decoding: try client.chunk(), as: UTF8.self) }
        #expect(told.contains("Imported 0 of 3 records, waiting for "))
        try checkWaits(job, token, running)
        return (job, token)
    }

    private func checkWaits(_ job: String, _ token: String, _ running: RunningServer) throws {
        let status = try running.data("/v1/jobs/\(job)", token: token)
        #expect(status["status"] as? String == "processing" && status["running"] as? Bool == false)
        #expect(status["pending"] as? Int == 3 && status["progress"] as? Double == 0)
        #expect(status["resumeAt"] is String)
    }

    @Test func `a job that waits for services goes on by itself, also in the next server`() async throws {
        let first = try await server()
        let (job, token) = try waiting(on: first)
        let results = try first.data("/v1/csv/results/\(job)", token: token)
        #expect((results["books"] as? [Any])?.isEmpty == true, "nobody knows their titles yet")
        #expect(first.server.backend.uploads.usedBytes == 0)
        await first.server.stop()

        let second = try await server(first.sample)
        try checkWaits(job, token, second)
        transport.isDown.withLock { $0 = false }
        clock.advance(seconds: 120)
        second.server.backend.tick()
        let events = try second.wait(for: job, token)
        #expect(events.last?.event == "completed")
        let status = try second.data("/v1/jobs/\(job)", token: token)
        #expect(status["status"] as? String == "completed" && status["progress"] as? Double == 1)
        #expect(status["pending"] as? Int == 0 && status["resumeAt"] == nil)
        let imported = try second.data("/api/v2/imports/\(job)/results", token: token)
        #expect(imported["enrichmentSucceeded"] as? Int == 3)
        await second.server.stop()
    }

    @Test func `a job that waited goes on while other uploads take all room that uploads may`() async throws {
        let first = try await server()
        let (job, token) = try waiting(on: first)
        await first.server.stop()
        let second = try await server(first.sample) { ($0.uploadQuota, $0.uploadLimit) = (1, 1) }
        transport.isDown.withLock { $0 = false }
        clock.advance(seconds: 120)
        second.server.backend.tick()
        #expect(try second.wait(for: job, token).last?.event == "completed")
        #expect(second.server.backend.uploads.usedBytes == 0)
        await second.server.stop()
    }

    @Test func `a job that waits for services can be canceled`() async throws {
        let running = try await server()
        let (job, token) = try waiting(on: running)
        let answer = try running.request(
            "DELETE", "/v1/jobs/\(job)", [("Authorization", "Bearer \(token)")])
        #expect(answer.status == 200)
        #expect(try running.data("/v1/jobs/\(job)", token: token)["status"] as? String == "canceled")
        clock.advance(seconds: 600)
        running.server.backend.tick()
        #expect(running.server.backend.jobs.load == (0, nil))
        await running.server.stop()
    }

    @Test
    func `another run of a waiting job is accepted even if the store cannot be read, and nothing is lost`()
        async throws
    {
        let running = try await server()
        let (job, token) = try waiting(on: running)
        let jobs = running.server.backend.jobs
        let hidden = running.store + ".hidden"
        try moveStore(running.store, to: hidden)
        try Data("no database at all, but a text that is long enough".utf8).write(
            to: URL(fileURLWithPath: running.store))
        var options = ImportOptions(.resume, job: job)
        options.upload = "u1"
        let key = RequestKey("k", asking: "q")
        let found = try await jobs.accept(options, owner: nil, client: "127.0.0.1", key: key)
        #expect(found.isNew && found.job.jobId == job)
        try running.wait(for: job, token)
        #expect(jobs.wait(of: job) != nil, "it waits on")
        try FileManager.default.removeItem(atPath: running.store)
        try moveStore(hidden, to: running.store)
        transport.isDown.withLock { $0 = false }
        // With a store that can be read, the next run ends the wait.
        options.upload = "u2"
        _ = try await jobs.accept(options, owner: nil, client: "127.0.0.1")
        #expect(jobs.wait(of: job) == nil)
        #expect(try running.wait(for: job, token).last?.event == "completed")
        await running.server.stop()
        let next = try await server(running.sample)
        #expect(next.server.backend.jobs.recent().allSatisfy { $0.state.isEnd })
        await next.server.stop()
    }

    /// Moves a store with its log: a reader that is still open keeps the log, from which SQLite would read the store.
    private func moveStore(_ path: String, to target: String) throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.moveItem(atPath: path + suffix, toPath: target + suffix)
        }
    }

    @Test func `a server asks again and again, with longer pauses`() async throws {
        let running = try await server()
        let (job, token) = try waiting(on: running)
        let until = try #require(running.server.backend.jobs.wait(of: job)?.until)
        clock.advance(seconds: 200)
        running.server.backend.tick()
        while (running.server.backend.jobs.wait(of: job)?.until ?? 0) <= until { await Task.yield() }
        try checkWaits(job, token, running)
        await running.server.stop()
    }
}
