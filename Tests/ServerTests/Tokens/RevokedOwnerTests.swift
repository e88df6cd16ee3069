import Foundation
import TestSupport
import Testing

@testable import Server

/// The tokens of jobs whose owner's token is revoked, has expired, or may not import any more.
@Suite(.ownThread) struct RevokedOwnerTests {
    /// Tokens `abc` of anna and `ghi` of an administrator.
    private static func tokens(_ anna: String = "search,import anna") throws -> ServerTokens {
        try ServerTokens(
            parsing: """
                anna ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad \(anna)
                root 50ae61e841fac4e8f9e40baf2ad36ec868922ea48368c18f9535e47db56dd7fb admin
                """, named: "tokens")
    }
    private static let revoked = "search,import anna revoked"

    private static func job(on running: RunningServer) throws -> (job: String, token: String) {
        try running.upload("Title\nReef\n", headers: [("Authorization", "Bearer abc")]).acceptedJob()
    }

    private static func reads(_ running: RunningServer, _ job: String, _ token: String) throws -> Set<Int> {
        Set(
            try ["", "/stream", "/results", "/errors"].map {
                try running.request("GET", "/v1/jobs/\(job)\($0)", [("Authorization", "Bearer \(token)")])
                    .status
            })
    }

    private static func changes(_ running: RunningServer, _ job: String, _ token: String) throws -> [Int] {
        let fields = [("Authorization", "Bearer \(token)")]
        return [
            try running.upload("Title\nCove\n", to: "/v1/jobs/\(job)/corrections", headers: fields).status,
            try running.request("DELETE", "/v1/jobs/\(job)", fields).status,
        ]
    }

    private static func closeCode(_ running: RunningServer, _ job: String, _ token: String) throws -> Int? {
        let target = "/ws/progress?jobId=\(job)&token=\(token)"
        let socket = try WebSocketClient(try running.client(), target)
        try? socket.send(#"{"type":"ready"}"#)
        return try socket.rest().last?.closeCode
    }

    @Test(arguments: [
        (revoked, 401, 1_008), ("search,import anna 2020-01-01", 200, 1_000), ("search anna", 200, 1_000),
        ("search,import other", 401, 1_008),
    ])
    func `the token of a job changes nothing for an owner who may not, and reads until the owner is revoked`(
        line: String, status: Int, closeCode: Int
    ) async throws {
        let running = try await RunningServer(tokens: try Self.tokens())
        let (job, token) = try Self.job(on: running)
        try running.wait(for: job, token)
        #expect(try Self.reads(running, job, token) == [200])
        try running.server.renew(tokens: try Self.tokens(line), nil)
        #expect(try Self.changes(running, job, token) == [401, 401])
        #expect(try Self.reads(running, job, token) == [status])
        #expect(try Self.closeCode(running, job, token) == closeCode)
        for (path, form) in [("cancel", ""), ("matches", "row+1=none")] {
            let answer = try running.client().request(
                "POST", "/page/jobs/\(job)/\(path)",
                [
                    ("Cookie", "job_\(job)=\(token)"), ("Origin", "http://localhost"),
                    ("Content-Type", "application/x-www-form-urlencoded"),
                ], body: Array(form.utf8))
            #expect(answer.status == 401, "\(path)")
        }
        #expect(try Self.reads(running, job, "ghi") == [200])
        await running.server.stop()
    }

    @Test(arguments: [revoked, "search,import anna 2020-01-01", "search anna", "search,import other"])
    func `an upload whose sender loses the right to it before its last byte is refused`(line: String)
        async throws
    {
        let running = try await RunningServer(tokens: try Self.tokens())
        let form = RunningServer.form("Title\n" + String(repeating: "Reef\n", count: 20_000))
        let client = try running.client()
        try client.send(
            """
            POST /api/v2/imports HTTP/1.1
            Host: localhost
            Authorization: Bearer abc
            Content-Type: \(form.type)
            Content-Length: \(form.body.count)


            """)
        try client.send(Array(form.body.dropLast()))
        while running.server.backend.uploads.usedBytes == 0 { sched_yield() }
        try running.server.renew(tokens: try Self.tokens(line), nil)
        try client.send(Array(form.body.suffix(1)))
        #expect(try client.answer().status == 401)
        #expect(running.server.backend.uploads.usedBytes == 0)
        #expect(running.server.backend.jobs.recent().isEmpty)
        await running.server.stop()
    }

    @Test func `a stream and a WebSocket end when the owner is revoked`() async throws {
        let clock = SetClock()
        let running = try await RunningServer(tokens: try Self.tokens(), clock: clock, importing: true)
        let lock = HeldLock()
        try #require(lock.take(running.store))
        let (job, token) = try Self.job(on: running)
        func stream(_ token: String) throws -> RawClient {
            let client = try running.client()
            try client.send(
                "GET /v1/jobs/\(job)/stream?token=x HTTP/1.1\nHost: localhost\nAuthorization: Bearer \(token)\n\n"
            )
            #expect(try client.head().status == 200)
            return client
        }
        let streams = try [token, "abc"].map(stream)
        let administrator = try stream("ghi")
        let socket = try WebSocketClient(
            try running.client(), "/ws/progress?jobId=\(job)&token=\(token)")
        try socket.send(#"{"type":"ready"}"#)
        #expect(try socket.next().type == "ready_ack")
        try running.server.renew(tokens: try Self.tokens(Self.revoked), nil)
        running.server.backend.tick()
        for client in streams { while try !client.chunk().isEmpty {} }
        #expect(try socket.rest().last?.closeCode == 1_008)
        // Whoever may still see it, does.
        clock.advance(seconds: 20)
        running.server.backend.tick()
        var piece: String
        repeat {
            piece = String(decoding: try administrator.chunk(), as: UTF8.self)
        } while !piece.isEmpty && !piece.hasSuffix(": \n\n")
        #expect(!piece.isEmpty)
        lock.release()
        await running.server.stop()
    }

    @Test func `the token of a job is not renewed when its owner's token has expired`() async throws {
        let clock = SetClock()
        let running = try await RunningServer(tokens: try Self.tokens(), clock: clock, importing: true)
        let lock = HeldLock()
        try #require(lock.take(running.store))
        let (job, token) = try Self.job(on: running)
        let stream = try running.client()
        try stream.send("GET /v1/jobs/\(job)/stream?token=\(token) HTTP/1.1\nHost: localhost\n\n")
        _ = try stream.head()
        try running.server.renew(tokens: try Self.tokens("search,import anna 2020-01-01"), nil)
        clock.advance(seconds: 105 * 60)
        running.server.backend.tick()
        clock.advance(seconds: 15 * 60)
        #expect(running.server.backend.jobs.check(token, for: job) == .expired)
        lock.release()
        await running.server.stop()
    }

    @Test func `a correction with the token of a job belongs to the job's owner`() async throws {
        let running = try await RunningServer(tokens: try Self.tokens())
        let (job, token) = try Self.job(on: running)
        try running.wait(for: job, token)
        let answer = try running.upload(
            "Title\nCove\n", to: "/v1/jobs/\(job)/corrections",
            headers: [("Authorization", "Bearer \(token)")])
        #expect(answer.status == 202, "\(answer.text)")
        #expect(running.server.backend.jobs.recent().map(\.tokenName) == ["anna", "anna"])
        await running.server.stop()
    }
}
