import Foundation
import TestSupport
import Testing

@testable import Server

/// A server that stops, and the one that is started after it.
@Suite(.ownThread) struct RestartTests {
    /// Dump of an import of the sample without a server.
    private static func dump(_ sample: SampleImport) async throws -> String {
        try await sample.run("plain.sqlite")
        return try sample.dump("plain.sqlite")
    }

    @Test func `a job that waits when the server stops is run by the next one, and its token is still valid`()
        async throws
    {
        let first = try await RunningServer(importing: true)
        let lock = HeldLock()
        try #require(lock.take(first.store))
        let (job, token) = try first.accepted("Title,Author\nReef,Ana Lee\n")
        await first.server.stop()
        lock.release()
        let second = try await RunningServer(first.sample)
        let events = try second.wait(for: job, token)
        #expect(events.map(\.event).last == "completed")
        #expect(try second.data("/v1/jobs/\(job)", token: token)["status"] as? String == "completed")
        await second.server.stop()
        // A third one only remembers the end, under the same number.
        let third = try await RunningServer(first.sample)
        #expect(try third.wait(for: job, token).map(\.id) == [events.last?.id])
        #expect((try third.data("/v1/csv/results/\(job)", token: token)["books"] as? [Any])?.count == 1)
        await third.server.stop()
    }

    @Test func `a job that runs when the server stops pauses, goes on, and gives what an import gives`()
        async throws
    {
        let first = try await RunningServer()
        let (job, token) = try first.accepted(RunningServer.export)
        let client = try first.client()
        try client.send("GET /v1/jobs/\(job)/stream?token=\(token) HTTP/1.1\nHost: localhost\n\n")
        _ = try client.head()
        var told = ""
        while !told.contains("event: started") { told += String(decoding: try client.chunk(), as: UTF8.self) }
        await first.server.stop()
        let seen = RunningServer.events(told).last?.id ?? 0
        let second = try await RunningServer(first.sample)
        let rest = try second.wait(for: job, token)
        #expect(rest.last?.event == "completed")
        #expect(rest.last?.id ?? 0 > seen)
        #expect(second.server.backend.uploads.usedBytes == 0, "the upload is no longer needed")
        await second.server.stop()
        #expect(try first.sample.dump("library.sqlite") == (try await Self.dump(first.sample)))
    }

    @Test func `what was arriving when the server was killed is removed by the next one`() async throws {
        let sample = try SampleImport(sharing: try await RunningServer.catalog.value)
        try FileManager.default.createDirectory(
            atPath: sample.folder.file("library.sqlite.uploads/cut"), withIntermediateDirectories: true)
        _ = try sample.folder.write("Title\nRe", to: "library.sqlite.uploads/cut/1")
        let running = try await RunningServer(sample)
        let uploads = running.server.backend.uploads
        #expect(uploads.usedBytes == 0 && uploads.uploads().isEmpty)
        await running.server.stop()
    }

    @Test func `the upload of a job that had ended when the server was killed is removed by the next one`()
        async throws
    {
        let running = try await RunningServer()
        let (job, token) = try running.accepted("Title\nReef\n")
        try running.wait(for: job, token)
        await running.server.stop()
        try FileManager.default.createDirectory(
            atPath: "\(running.store).uploads/\(job)", withIntermediateDirectories: true)
        _ = try running.sample.folder.write("Title\nReef\n", to: "library.sqlite.uploads/\(job)/1")
        let next = try await RunningServer(running.sample)
        #expect(next.server.backend.uploads.uploads().isEmpty)
        #expect(try next.data("/v1/jobs/\(job)", token: token)["status"] as? String == "completed")
        await next.server.stop()
    }

    @Test func `two servers do not share a store`() async throws {
        let running = try await RunningServer()
        await #expect(throws: (any Error).self) { try await RunningServer(running.sample) }
        await running.server.stop()
    }

    @Test func `a server that stops ends streams, and answers requests under way`() async throws {
        let running = try await RunningServer(importing: true)
        let lock = HeldLock()
        try #require(lock.take(running.store))
        let (job, token) = try running.accepted("Title\nReef\n")
        let stream = try running.client()
        try stream.send("GET /v1/jobs/\(job)/stream?token=\(token) HTTP/1.1\nHost: localhost\n\n")
        #expect(try stream.head().status == 200)
        await running.server.stop()
        _ = try stream.rest()
        lock.release()
    }

    private static let requests: [(name: String, ask: @Sendable (RunningServer) throws -> Void)] = [
        ("none", { _ in }),
        ("page", { _ = try $0.client().request("GET", "/") }),
        ("unknown", { _ = try $0.client().request("GET", "/nothing") }),
        ("search", { _ = try $0.client().request("GET", "/v1/search/isbn?isbn=9780306406157") }),
        (
            "look-up",
            { _ = try $0.request("POST", "/api/v2/books/enrich", body: #"{"barcode":"9780441007318"}"#) }
        ),
        (
            "import",
            { running in
                let (job, token) = try running.accepted("Title\nReef\n")
                try running.wait(for: job, token)
            }
        ),
        (
            "socket",
            { running in
                let (job, token) = try running.accepted("Title\nReef\n")
                let socket = try WebSocketClient(
                    try running.client(), "/ws/progress?jobId=\(job)&token=\(token)")
                try socket.send(#"{"type":"ready"}"#)
                #expect(try socket.rest().last?.closeCode == 1_000)
            }
        ),
    ]

    @Test(arguments: requests.indices)
    func `a server that has stopped is forgotten with all that clients had asked`(_ index: Int) async throws {
        weak var backend: Backend?
        do {
            let running = try await RunningServer()
            backend = running.server.backend
            try Self.requests[index].ask(running)
            await running.server.stop()
        }
        // Tasks that are ending may hold it for a moment.
        for _ in 0..<10_000 where backend != nil { await Task.yield() }
        #expect(backend == nil, "\(Self.requests[index].name)")
    }
}
