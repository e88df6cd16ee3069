import Foundation
import Store
import System
import TestSupport
import Testing

@testable import Server

/// Lifetime of tokens and results, over a real connection and on a clock that the test sets forward.
@Suite(.ownThread) struct TokenLifetimeTests {
    private static let hour = 3_600

    private static func status(
        _ running: RunningServer, _ path: String, _ token: String, _ method: String = "GET"
    ) throws -> Int {
        try running.request(method, path, [("Authorization", "Bearer \(token)")]).status
    }

    /// The first frame that a WebSocket gets.
    private static func frame(_ running: RunningServer, _ target: String) throws -> WebSocketClient.Frame {
        try WebSocketClient(try running.client(), target).next()
    }

    @Test(arguments: [false, true])
    func `a token ends after two hours for changes and WebSockets, and reads as long as results are kept`(
        isPrivate: Bool
    ) async throws {
        let clock = SetClock()
        let running = try await RunningServer(clock: clock) { $0.hasPrivateResults = isPrivate }
        let (job, token) = try running.accepted("Title\nReef\n")
        try running.wait(for: job, token)
        // A stream that the server still counts as open would be heard after the jump, and renew the token.
        while running.server.backend.feeds.withLock({ !$0.isEmpty }) {
            SystemClock().block(nanoseconds: 5_000_000)
        }
        clock.advance(seconds: 2 * Self.hour - 1)
        #expect(try Self.status(running, "/v1/jobs/\(job)", token) == 200)
        clock.advance(seconds: 1)
        for path in ["", "/stream", "/results", "/errors"] {
            let answer = try running.request("GET", "/v1/jobs/\(job)\(path)?token=\(token)")
            #expect(answer.status == 200, "\(path)")
            let others = try running.request("GET", "/v1/jobs/\(job)\(path)?token=x")
            #expect(others.status == (isPrivate ? 401 : 200), "\(path)")
        }
        #expect(try Self.status(running, "/v1/jobs/\(job)", token, "DELETE") == 401)
        // It was never renewed, so there is nothing to come back to either.
        for more in ["", "&reconnect=true"] {
            let frame = try Self.frame(running, "/ws/progress?jobId=\(job)&token=\(token)\(more)")
            #expect(frame.closeCode == 1_008)
        }
        // Removing what has expired leaves the token, and then nothing is left.
        await running.server.backend.clean()
        #expect(try Self.status(running, "/v1/jobs/\(job)", token) == 200)
        clock.advance(seconds: 22 * Self.hour + 1)
        await running.server.backend.clean()
        // The store still has the job, for those who may see all of it.
        for path in ["/results", "/stream"] + (isPrivate ? [""] : []) {
            let answer = try running.request("GET", "/v1/jobs/\(job)\(path)?token=\(token)")
            let details = try RunningServer.error(answer)["details"] as? [String: Any]
            #expect(
                answer.status == 404 && details?["ttl"] as? String == "24 hours", "\(path) \(answer.text)")
        }
        await running.server.stop()
    }

    @Test
    func `while a stream is open the token is renewed, and who is cut off may come back for five minutes`()
        async throws
    {
        let clock = SetClock()
        let running = try await RunningServer(clock: clock, importing: true)
        let lock = HeldLock()
        try #require(lock.take(running.store))
        let (job, token) = try running.accepted("Title\nReef\n")
        var stream: RawClient? = try running.client()
        try stream?.send("GET /v1/jobs/\(job)/stream?token=\(token) HTTP/1.1\nHost: localhost\n\n")
        _ = try stream?.head()
        clock.advance(seconds: Self.hour + 29 * 60)
        running.server.backend.tick()
        clock.advance(seconds: 2 * 60)
        running.server.backend.tick()
        stream = nil
        // The server sees that its client has left when it cannot send a comment. Until then it renews the token.
        var passed = 0
        while running.server.backend.hub.watcherCount > 0, passed < Self.hour {
            clock.advance(seconds: 15)
            passed += 15
            running.server.backend.tick()
            SystemClock().block(nanoseconds: 50_000_000)
        }
        // In the last half hour it was renewed for two hours more.
        clock.advance(seconds: 2 * Self.hour - passed - 1)
        let path = "/v1/jobs/\(job)/corrections"
        func corrected() throws -> Int {
            try running.upload("", to: path, headers: [("Authorization", "Bearer \(token)")]).status
        }
        #expect(try corrected() != 401)
        clock.advance(seconds: 1)
        #expect(try corrected() == 401)
        let target = "/ws/progress?jobId=\(job)&token=\(token)"
        #expect(try Self.frame(running, target).closeCode == 1_008)
        #expect(try Self.frame(running, target + "&reconnect=true").type == "reconnected")
        clock.advance(seconds: 5 * 60)
        #expect(try Self.frame(running, target + "&reconnect=true").closeCode == 1_008)
        lock.release()
        await running.server.stop()
    }

    @Test func `results are shown for a day, and then 404 says how long they were kept`() async throws {
        let clock = SetClock()
        let running = try await RunningServer(clock: clock)
        let (job, token) = try running.accepted("Title\nReef\n")
        try running.wait(for: job, token)
        let paths = ["/api/v2/imports/\(job)/results", "/v1/jobs/\(job)/results", "/v1/csv/results/\(job)"]
        clock.advance(seconds: 24 * Self.hour - 60)
        for path in paths { #expect(try running.request("GET", path).status == 200, "\(path)") }
        clock.advance(seconds: 60)
        for path in paths + ["/v1/scan/results/\(job)"] {
            let answer = try running.request("GET", path)
            #expect(answer.status == 404, "\(path)")
            let details = try #require(try RunningServer.error(answer)["details"] as? [String: Any])
            #expect(details["ttl"] as? String == "24 hours" && details["jobId"] as? String == job)
        }
        await running.server.stop()
    }

    private func hash(_ text: String) -> String { Secret.hexHash(text) }

    @Test func `a new token with the name of an old one has neither its jobs nor its answers`() async throws {
        func tokens(_ secret: String, _ library: String) throws -> ServerTokens {
            try ServerTokens(parsing: "anna \(hash(secret)) search,import \(library)", named: "tokens")
        }
        let running = try await RunningServer(tokens: try tokens("a", "one"))
        func upload(_ secret: String) throws -> String {
            let fields = [("Authorization", "Bearer \(secret)"), ("Idempotency-Key", "k")]
            let answer = try running.upload("Title\nReef\n", headers: fields)
            return try answer.acceptedJob().job
        }
        let job = try upload("a")
        #expect(try upload("a") == job)
        #expect(try Self.status(running, "/v1/jobs/\(job)", "a") == 200)
        try running.server.renew(tokens: try tokens("b", "one"), nil)
        #expect(try Self.status(running, "/v1/jobs/\(job)", "b") == 401)
        #expect(try upload("b") != job)
        // Nor does the same token in another library.
        try running.server.renew(tokens: try tokens("a", "two"), nil)
        #expect(try Self.status(running, "/v1/jobs/\(job)", "a") == 401)
        #expect(try upload("a") != job)
        await running.server.stop()
    }

    @Test func `a job belongs to the library and the holder of the token it was requested with`() async throws
    {
        let running = try await RunningServer(
            tokens: try ServerTokens(
                parsing:
                    "anna \(hash("a")) search,import anna\nberta \(hash("b")) import\nroot \(hash("r")) admin",
                named: "tokens"))
        let upload = try running.upload(
            "Title\nReef\n", fields: [("library", "other")], headers: [("Authorization", "Bearer a")])
        let (job, key) = try upload.acceptedJob()
        try running.wait(for: job, key)
        for (token, status) in [("a", 200), ("b", 401), ("r", 200), ("x", 401)] {
            #expect(try Self.status(running, "/v1/jobs/\(job)", token) == status, "\(token)")
            #expect(try Self.status(running, "/v1/jobs/\(job)", token, "DELETE") == status, "\(token)")
        }
        #expect(try running.upload("Title\nReef\n").status == 401)
        let stored = try JobTable(StoreFile.openForReading(running.store)).job(named: job)
        #expect(stored?.library == "anna")
        // An administrator who goes on with it does not take it away, also after a restart.
        let admin = try #require(running.server.backend.jobs.recent().first).options
        var options = ImportOptions(.resume, job: admin.job)
        options.upload = "u1"
        _ = try await running.server.backend.jobs.accept(options, owner: "root", client: "127.0.0.1")
        #expect(try Self.status(running, "/v1/jobs/\(job)", "a") == 200)
        let owner = running.server.backend.jobs.owner(of: job)
        await running.server.stop()
        let next = try await RunningServer(running.sample)
        #expect(next.server.backend.jobs.owner(of: job) == owner && owner?.hasPrefix("anna ") == true)
        await next.server.stop()
    }
}
