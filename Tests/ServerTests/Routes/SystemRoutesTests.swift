import Foundation
import Jobs
import System
import TestSupport
import Testing

@testable import Server

/// Routes for administrators and their programs, and routes that were removed.
@Suite(.ownThread) struct SystemRoutesTests {
    @Test func `imports and look-ups of a server admit readers to its store`() async throws {
        let running = try await RunningServer()
        let jobs = running.server.backend.settings.jobs
        #expect(jobs.imports.admitsReaders && jobs.lookUps.admitsReaders)
        await running.server.stop()
    }

    @Test func `the server says whether it runs and can do its work`() async throws {
        let running = try await RunningServer()
        for path in ["/health", "/ready"] {
            let data = try running.data(path)
            #expect(data["status"] as? String == "ok" && data["version"] as? String == "0")
        }
        await running.server.stop()
        let broken = try await RunningServer { $0.catalogs = ["/nowhere/catalog.sqlite"] }
        #expect(try broken.request("GET", "/health").status == 200)
        let answer = try broken.request("GET", "/ready")
        #expect(answer.status == 503 && answer.fields["retry-after"] == "10")
        #expect(!answer.text.contains("nowhere"))
        await broken.server.stop()
    }

    @Test func `a server that cannot accept work is not ready`() async throws {
        let full = try await RunningServer { $0.readiness.freeBytes = .max }
        #expect(try full.request("GET", "/health").status == 200)
        let answer = try full.request("GET", "/ready")
        #expect(answer.status == 503 && answer.text.contains("almost full"))
        await full.server.stop()
    }

    @Test func `a queue that does not move is noticed`() async throws {
        let clock = SetClock()
        let running = try await RunningServer(clock: clock, importing: true)
        let lock = HeldLock()
        try #require(lock.take(running.store))
        for _ in 0..<2 { _ = try running.accepted("Title\nReef\n") }
        clock.advance(seconds: 3_600)
        #expect(try running.request("GET", "/ready").status == 200)
        #expect(try running.request("GET", "/metrics").text.contains("etl_oldest_job_seconds 3600"))
        clock.advance(seconds: 6 * 3_600)
        let answer = try running.request("GET", "/ready")
        #expect(answer.status == 503 && answer.text.contains("waited too long"))
        lock.release()
        await running.server.stop()
    }

    @Test func `figures are counted by route and status`() async throws {
        let running = try await RunningServer()
        let (job, token) = try running.accepted("Title\nReef\n")
        try running.wait(for: job, token)
        _ = try running.request("GET", "/v1/search/isbn?isbn=1")
        _ = try running.request("GET", "/v1/jobs/\(job)?token=\(token)")
        let answer = try running.request("GET", "/metrics")
        #expect(answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        let lines = answer.text.split(separator: "\n").map(String.init)
        #expect(lines.contains(#"etl_http_requests_total{route="GET /v1/search/isbn",status="400"} 1"#))
        #expect(lines.contains(#"etl_http_requests_total{route="GET /v1/jobs/{jobId}",status="200"} 1"#))
        #expect(lines.contains(#"etl_jobs_total{end="completed"} 1"#))
        #expect(lines.contains("etl_jobs_waiting 0") && lines.contains("etl_jobs_running 0"))
        #expect(!answer.text.contains(job) && !answer.text.contains(token))
        // The format: each sample has a name, labels and a number; a histogram's buckets grow to its count.
        for line in lines where !line.hasPrefix("#") {
            #expect(
                line.wholeMatch(of: #/etl_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+/#) != nil,
                "\(line)")
        }
        await running.server.stop()
    }

    @Test func `only an administrator sees figures of a server with tokens`() async throws {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        for (scope, status) in [("search", 401), ("admin", 200)] {
            let running = try await RunningServer(
                tokens: try ServerTokens(parsing: "anna \(abc) \(scope)", named: "tokens"))
            #expect(
                try running.request("GET", "/metrics", [("Authorization", "Bearer abc")]).status == status)
            #expect(try running.request("GET", "/metrics").status == 401)
            await running.server.stop()
        }
    }

    @Test
    func `the OpenAPI document names every route that the server offers, and its references lead somewhere`()
        async throws
    {
        let running = try await RunningServer()
        let answer = try running.request("GET", "/openapi.json")
        let document = try answer.json()
        #expect(document["openapi"] as? String == "3.1.0")
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        for route in RouteList.all {
            let operation = paths[route.path]?[route.method.rawValue.lowercased()] as? [String: Any]
            #expect((operation != nil) == route.operation.isOffered, "\(route.path)")
            guard operation != nil else { continue }
            #expect((operation?["responses"] as? [String: Any])?.isEmpty == false)
        }
        for match in answer.text.matches(of: #/"\$ref":"#\/([^"]+)"/#) {
            var found: Any? = document
            for part in match.1.split(separator: "/") { found = (found as? [String: Any])?[String(part)] }
            #expect(found != nil, "\(match.1)")
        }
        await running.server.stop()
    }

    @Test func `every figure of the alert rules is measured`() async throws {
        let rules = try String(
            contentsOfFile: "\(ProjectFiles.root)/Pipelines/monitoring/etl-alerts.yaml", encoding: .utf8)
        let time = try #require(TimeOfDay("03:30"))
        let running = try await RunningServer { $0.nightly = .init(at: time) }
        _ = try running.request("GET", "/v1/search/isbn?isbn=9780441007318")
        let metrics = try running.request("GET", "/metrics").text
        let names = Set(rules.matches(of: #/etl_\w+/#).map { String($0.0) })
        #expect(names.count >= 6)
        for name in names {
            let isLabeled = metrics.contains("\n\(name){") || metrics.contains("\n\(name) ")
            #expect(isLabeled, "\(name)")
        }
        await running.server.stop()
    }

    @Test(arguments: [
        ("GET", "/search/isbn?q=1", "/v1/search/isbn"), ("GET", "/search/title", "/v1/search/title"),
        ("POST", "/search/anything", "/v1/search/advanced"),
        ("POST", "/api/enrichment/start", "/v1/enrichment/batch"),
    ])
    func `paths of the first version are gone, and say where to go`(
        method: String, path: String, successor: String
    ) async throws {
        let running = try await RunningServer()
        let answer = try running.request(method, path)
        #expect(answer.status == 410)
        #expect(answer.fields["deprecation"] == "true")
        #expect(answer.fields["sunset"] == "Sun, 01 Mar 2026 00:00:00 GMT")
        #expect(
            answer.fields["warning"]
                == "299 - \"This endpoint was removed. Use \(successor) instead. Sunset: March 1, 2026\"")
        #expect(answer.fields["link"] == "<\(successor)>; rel=\"alternate\"")
        #expect(try RunningServer.error(answer)["code"] as? String == "NOT_FOUND")
        await running.server.stop()
    }

    @Test(arguments: ["/api/batch-scan", "/api/scan-bookshelf", "/api/scan-bookshelf/batch"])
    func `photos are not read`(path: String) async throws {
        let running = try await RunningServer()
        let answer = try running.request("POST", path)
        #expect(answer.status == 503)
        let error = try RunningServer.error(answer)
        #expect(error["code"] as? String == "PROVIDER_ERROR" && error["provider"] as? String == "gemini")
        #expect(error["retryable"] as? Bool == false)
        await running.server.stop()
    }

    @Test func `each request is logged as a line of JSON, without tokens and queries`() async throws {
        let written = Guarded<[UInt8]>([])
        let log = try AccessLog { bytes in written.withLock { $0 += bytes } }
        let running = try await RunningServer { $0.log = log }
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        _ = try running.request(
            "GET", "/v1/jobs/some-job?token=secret-token",
            [
                ("X-Request-Id", "r1"), ("X-Client-Version", "7.1"),
                ("traceparent", "00-\(trace)-00f067aa0ba902b7-01"),
                ("Authorization", "Bearer other-secret"),
            ])
        _ = try running.request("GET", "/nothing\"\\here?x=1")
        await running.server.stop()
        let lines = written.withLock { $0.split(separator: 10).map { Data($0) } }
        #expect(lines.count == 2)
        let first = try #require(try JSONSerialization.jsonObject(with: lines[0]) as? [String: Any])
        #expect(first["id"] as? String == "r1" && first["status"] as? Int == 404)
        #expect(first["path"] as? String == "/v1/jobs/{jobId}" && first["job"] as? String == "some-job")
        #expect(first["trace"] as? String == trace && first["version"] as? String == "7.1")
        #expect(first["client"] as? String == "127.0.0.1" && first["method"] as? String == "GET")
        let second = try #require(try JSONSerialization.jsonObject(with: lines[1]) as? [String: Any])
        #expect(second["path"] as? String == "/nothing\"\\here" && second["status"] as? Int == 404)
        #expect(!written.withLock { String(decoding: $0, as: UTF8.self) }.contains("secret"))
    }
}
