import Foundation
import Jobs
import System
import TestSupport
import Testing

@testable import Server

/// The specification's tables about each path: limits, other spellings, events, close codes.
@Suite(.ownThread) struct ServiceTableTests {
    private static let limits: [(method: String, target: String, limit: Int, status: Int)] = [
        ("POST", "/v1/enrichment/batch", 10, 415), ("POST", "/api/batch-scan", 5, 503),
        ("POST", "/api/v2/imports", 5, 415), ("GET", "/v1/jobs/x", 30, 404), ("GET", "/v1/nothing", 50, 404),
    ]

    @Test func `each class of paths has its own limit per minute`() async throws {
        let running = try await RunningServer { $0.hasClientLimits = true }
        for (method, target, limit, status) in Self.limits {
            for left in (0..<limit).reversed() {
                let answer = try running.request(method, target)
                #expect(answer.status == status && answer.fields["x-ratelimit-limit"] == "\(limit)")
                #expect(answer.fields["x-ratelimit-remaining"] == "\(left)")
            }
            let refused = try running.request(method, target)
            #expect(refused.status == 429, "\(target)")
            #expect(try RunningServer.error(refused)["code"] as? String == "RATE_LIMIT_EXCEEDED")
        }
        // Paths of one class share their limit. Watching a job, reading its results and canceling it have one each.
        #expect(try running.request("GET", "/api/v2/imports/x").status == 429)
        for targets in [
            ["/v1/jobs/x/results", "/v1/csv/results/x", "/v1/jobs/x/errors"],
            ["/v1/jobs/x/stream", "/ws/progress"],
        ] {
            for _ in 0..<30 { #expect(try running.request("GET", targets[0]).status == 404) }
            for target in targets { #expect(try running.request("GET", target).status == 429, "\(target)") }
        }
        for target in ["/api/batch-enrich", "/api/import/csv-gemini", "/api/scan-bookshelf"] {
            #expect(try running.request("POST", target).status == 429, "\(target)")
        }
        #expect(try running.request("DELETE", "/v1/jobs/x").status != 429)
        #expect(try running.request("GET", "/search/isbn").status == 429)
        await running.server.stop()
    }

    private static let strangers: [(method: String, target: String, limit: Int)] = [
        ("GET", "/v1/search/similar?isbn=9780441007318", 10), ("POST", "/api/v2/books/enrich", 5),
        ("GET", "/api/v2/search?q=dune&mode=semantic", 5), ("GET", "/api/v2/search?q=d&mode=text", 100),
    ]

    @Test
    func `strangers have the limits of the later document, and a burst; this machine and tokens have not`()
        async throws
    {
        let proxy = try #require(ClientAddress.Range("127.0.0.1"))
        // The digest of `abc`.
        let token = "web ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad search,import"
        let running = try await RunningServer(tokens: try ServerTokens(parsing: token, named: "tokens")) {
            $0.hasClientLimits = true
            $0.addresses = ClientAddress(proxies: [proxy])
        }
        let open = try await RunningServer {
            $0.hasClientLimits = true
            $0.addresses = ClientAddress(proxies: [proxy])
        }
        for (number, (method, target, limit)) in Self.strangers.enumerated() {
            let from = [("X-Forwarded-For", "198.51.100.\(number)")]
            for left in (0..<limit).reversed() {
                let answer = try open.request(method, target, from)
                #expect(answer.status >= 400 && answer.status != 429, "\(target)")
                #expect(answer.fields["x-ratelimit-limit"] == "\(limit)", "\(target)")
                #expect(answer.fields["x-ratelimit-remaining"] == "\(left)", "\(target)")
            }
            #expect(try open.request(method, target, from).status == 429, "\(target)")
        }
        let stranger = [("X-Forwarded-For", "198.51.100.77")]
        let burst = [
            ("GET", "/v1/jobs/x", 30), ("POST", "/api/batch-enrich", 10), ("POST", "/api/v2/imports", 5),
            ("POST", "/api/v2/books/enrich", 5),
        ]
        for (method, target, count) in burst {
            for _ in 0..<count { #expect(try open.request(method, target, stranger).status != 429) }
        }
        let refused = try open.request("GET", "/nothing", stranger)
        #expect(refused.status == 429)
        let details = try RunningServer.error(refused)["details"] as? [String: Any]
        #expect(details?["limit"] as? Int == 50 && details?["window"] as? String == "1 minute")
        #expect(try open.request("GET", "/v1/search/isbn?isbn=1", stranger).status == 400)
        // The same without the proxy's field is this machine, and with a token somebody whom the server knows.
        for (server, fields) in [(open, []), (running, stranger + [("Authorization", "Bearer abc")])] {
            for _ in 0..<6 {
                let answer = try server.request("POST", "/api/v2/books/enrich", fields)
                #expect(answer.status == 415 && answer.fields["x-ratelimit-limit"] == "50")
            }
            for (method, target, count) in burst.dropLast() {
                for _ in 0..<count { #expect(try server.request(method, target, fields).status != 429) }
            }
            #expect(try server.request("GET", "/nothing", fields).status == 404)
        }
        await running.server.stop()
        await open.server.stop()
    }

    @Test func `all paths together have a limit per hour`() async throws {
        let clock = SetClock()
        let running = try await RunningServer(clock: clock) { $0.hasClientLimits = true }
        let client = try running.client()
        var limit: String?
        for _ in 0..<8 where limit != "1000" {
            for target in ["/v1/search/isbn", "/nothing", "/v1/jobs/x"] {
                var answer = try client.request("GET", target)
                while answer.status != 429 { answer = try client.request("GET", target) }
                limit = answer.fields["x-ratelimit-limit"]
                let details = try RunningServer.error(answer)["details"] as? [String: Any]
                #expect(details?["window"] as? String == (limit == "1000" ? "1 hour" : "1 minute"))
            }
            clock.advance(seconds: 60)
        }
        #expect(limit == "1000")
        await running.server.stop()
    }

    @Test func `an import by its older path is followed by its older paths`() async throws {
        let running = try await RunningServer()
        let answer = try running.upload("Title\nReef\n", to: "/api/import/csv-gemini")
        let (job, token) = try answer.acceptedJob()
        let data = try #require(try answer.json()["data"] as? [String: Any])
        #expect(data["streamUrl"] as? String == "/v1/jobs/\(job)/stream")
        #expect(data["websocketUrl"] as? String == "/ws/progress?jobId=\(job)&token=\(token)")
        let stream = try running.request("GET", "/api/v2/imports/\(job)/stream?token=\(token)")
        #expect(RunningServer.events(stream.text).last?.event == "completed")
        #expect(try running.data("/api/v2/imports/\(job)", token: token)["status"] as? String == "completed")
        await running.server.stop()
    }

    @Test func `a mapping file can be a field, or a file of the form`() async throws {
        let running = try await RunningServer()
        let mapping = "name: mine\ncolumns:\n  title: Buch\n  author: Wer\ntext: { delimiter: \";\" }\n"
        func part(_ name: String, _ file: String?, _ text: String) -> String {
            let name = "form-data; name=\"\(name)\"" + (file.map { "; filename=\"\($0)\"" } ?? "")
            return "--X1\r\nContent-Disposition: \(name)\r\n\r\n\(text)\r\n"
        }
        let body = part("mapping", "m.yaml", mapping) + part("file", "a.csv", "Buch;Wer\nReef;Ana Lee\n")
        let answer = try running.request(
            "POST", "/api/v2/imports", [("Content-Type", "multipart/form-data; boundary=X1")],
            body: body + "--X1--\r\n")
        let (job, token) = try answer.acceptedJob()
        try running.wait(for: job, token)
        let books = try running.data("/v1/csv/results/\(job)", token: token)["books"] as? [[String: Any]]
        #expect(books?.map { $0["author"] as? String } == ["Ana Lee"])
        let (other, key) = try running.accepted("Buch\nReef\n", fields: [("mapping", "title=Buch")])
        try running.wait(for: other, key)
        let results = try running.data("/v1/csv/results/\(other)", token: key)
        #expect((results["books"] as? [Any])?.count == 1)
        await running.server.stop()
    }

    @Test func `a stream that is silent has a comment every fifteen seconds`() async throws {
        let clock = SetClock()
        let running = try await RunningServer(clock: clock, importing: true)
        let lock = HeldLock()
        try #require(lock.take(running.store))
        let (job, token) = try running.accepted("Title\nReef\n")
        let client = try running.client()
        try client.send("GET /v1/jobs/\(job)/stream?token=\(token) HTTP/1.1\nHost: localhost\n\n")
        #expect(try client.head().fields["content-type"] == "text/event-stream; charset=utf-8")
        #expect(String(decoding: try client.chunk(), as: UTF8.self) == "retry: 2000\n\n")
        for _ in 0..<2 {
            clock.advance(seconds: 15)
            running.server.backend.tick()
            #expect(String(decoding: try client.chunk(), as: UTF8.self) == ": \n\n")
        }
        lock.release()
        await running.server.stop()
    }

    @Test func `a stream that goes on begins with the state`() async throws {
        let running = try await RunningServer()
        let (job, token) = try running.accepted("Title\nReef\n")
        let last = try #require(try running.wait(for: job, token).last).id
        let text = try running.request(
            "GET", "/v1/jobs/\(job)/stream?token=\(token)", [("Last-Event-ID", "\(last - 1)")]
        ).text
        let blocks = text.components(separatedBy: "\n\n")
        #expect(blocks.count == 4 && blocks[0] == "retry: 2000" && blocks[3].isEmpty)
        // Without an id: the last event stays the last.
        let lines = blocks[1].split(separator: "\n")
        try #require(lines.count == 2)
        #expect(lines[0] == "event: reconnected" && lines[1].hasPrefix("data: "))
        let message =
            try JSONSerialization.jsonObject(with: Data(lines[1].dropFirst(6).utf8)) as? [String: Any]
        #expect(message?["type"] as? String == "reconnected" && message?["jobId"] as? String == job)
        let payload = try #require(message?["payload"] as? [String: Any])
        #expect(payload["status"] as? String == "completed" && payload["lastUpdate"] as? Int != nil)
        #expect(blocks[2].contains("event: completed"))
        await running.server.stop()
    }

    @Test func `progress is told in steps of 5 %, and ten times a second at most`() async throws {
        var sample = try SampleImport(sharing: try await RunningServer.catalog.value)
        (sample.batchRecords, sample.batchesPerCommit) = (1, 1)
        // No time passes on its clock, so all of it happens within a second.
        let running = try await RunningServer(sample)
        let rows = (0..<200).map { "Reef \($0),Ana Lee\n" }.joined()
        let (job, token) = try running.accepted("Title,Author\n" + rows)
        let counts = try running.wait(for: job, token).filter { $0.event == "progress" }.map { event in
            let payload = event.data["payload"] as? [String: Any]
            return try #require(payload?["processedCount"] as? Int)
        }
        #expect((1...10).contains(counts.count), "\(counts)")
        for (before, after) in zip(counts, counts.dropFirst()) { #expect(after - before >= 10, "\(counts)") }
        await running.server.stop()
    }

    // MARK: WebSocket

    @Test func `a client that is not ready is only pinged, and closed if it is silent for ninety seconds`()
        async throws
    {
        let clock = SetClock()
        let running = try await RunningServer(clock: clock)
        let (job, token) = try running.accepted("Title\nReef\n")
        try running.wait(for: job, token)
        let socket = try WebSocketClient(try running.client(), "/ws/progress?jobId=\(job)&token=\(token)")
        // From now on the server has it.
        try socket.send(#"{"type":"ping"}"#)
        #expect(try socket.next().type == "pong")
        clock.advance(seconds: 30)
        let pings = [try socket.next(), try socket.next()]
        #expect(pings.map(\.opcode).sorted() == [1, 9] && pings.compactMap(\.type) == ["ping"])
        clock.advance(seconds: 60)
        #expect(try socket.next().closeCode == 1_001)
        await running.server.stop()
    }

    @Test func `a job waits five seconds for a connected client, and starts without it`() async throws {
        let clock = SetClock()
        let running = try await RunningServer(clock: clock, importing: true)
        let lock = HeldLock()
        try #require(lock.take(running.store))
        let (first, firstToken) = try running.accepted("Title\nReef\n")
        let (job, token) = try running.accepted("Title\nEmma\n")
        let socket = try WebSocketClient(try running.client(), "/ws/progress?jobId=\(job)&token=\(token)")
        lock.release()
        #expect(try running.wait(for: first, firstToken).last?.event == "completed")
        func status() throws -> String? {
            try running.data("/v1/jobs/\(job)", token: token)["status"] as? String
        }
        var seconds = 0
        while try status() == "initialized" {
            clock.advance(seconds: 1)
            seconds += 1
            // A client that is silent for long would be closed.
            try socket.send(#"{"type":"ping"}"#)
        }
        #expect(seconds >= 5)
        #expect(try running.wait(for: job, token).last?.event == "completed")
        try socket.send(#"{"type":"ready"}"#)
        let types = try socket.rest().compactMap(\.type).filter { $0 != "ping" && $0 != "pong" }
        #expect(types.first == "ready_ack" && types.dropFirst().first == "job_started")
        #expect(types.last == "job_complete")
        await running.server.stop()
    }

    @Test func `cancel_batch cancels as cancel does`() async throws {
        let running = try await RunningServer(importing: true)
        let lock = HeldLock()
        try #require(lock.take(running.store))
        let (job, token) = try running.accepted("Title\nReef\n")
        let socket = try WebSocketClient(try running.client(), "/ws/progress?jobId=\(job)&token=\(token)")
        try socket.send(#"{"type":"ready"}"#)
        try socket.send(#"{"type":"cancel_batch"}"#)
        #expect(try socket.rest().last?.closeCode == 1_001)
        lock.release()
        await running.server.stop()
    }

    @Test func `a failure of the server closes with 1011, and says nothing about the server`() async throws {
        let running = try await RunningServer { settings in
            settings.jobs.imports.services = { (_, _, _) throws(ETLError) in
                throw ETLError(.bug, "Something is broken.")
            }
        }
        let (job, token) = try running.accepted("Title\nReef\n")
        let socket = try WebSocketClient(try running.client(), "/ws/progress?jobId=\(job)&token=\(token)")
        try socket.send(#"{"type":"ready"}"#)
        let frames = try socket.rest()
        let payload = try #require(try frames.dropLast().last?.json()["payload"] as? [String: Any])
        #expect(payload["code"] as? String == "INTERNAL_ERROR")
        #expect(frames.last?.closeCode == 1_011)
        await running.server.stop()
    }
}
