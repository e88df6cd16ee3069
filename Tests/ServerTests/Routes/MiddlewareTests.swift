import Foundation
import TestSupport
import Testing

@testable import Server

/// What every request must pass, over a real connection.
@Suite(.ownThread) struct MiddlewareTests {
    private static func code(_ answer: RawClient.Answer) throws -> String? {
        let object = try answer.json()
        #expect(object["success"] as? Bool == false)
        #expect(object["data"] is NSNull)
        return (object["error"] as? [String: Any])?["code"] as? String
    }

    @Test func `unknown paths and methods are failures of the contract`() async throws {
        let running = try await RunningServer()
        let unknown = try running.request("GET", "/v1/nothing")
        #expect(unknown.status == 404)
        #expect(try Self.code(unknown) == "NOT_FOUND")
        let method = try running.request("DELETE", "/v1/search/isbn")
        #expect(method.status == 405)
        #expect(method.fields["allow"] == "GET, HEAD, OPTIONS")
        #expect(try Self.code(method) == "INVALID_REQUEST")
        let type = try running.request(
            "POST", "/v1/enrichment/batch", [("Content-Type", "text/plain")], body: "{}")
        #expect(type.status == 415)
        #expect(try Self.code(type) == "INVALID_REQUEST")
        #expect(try running.request("POST", "/api/v2/imports", body: "{}").status == 415)
        #expect(try running.request("HEAD", "/health").status == 200)
        #expect(try running.request("PATCH", "/health").status == 405)
        await running.server.stop()
    }

    @Test func `each answer has an id, the client's own if it is harmless`() async throws {
        let running = try await RunningServer()
        let first = try running.request("GET", "/health").fields["x-request-id"]
        let second = try running.request("GET", "/health").fields["x-request-id"]
        #expect(first != nil && first != second)
        #expect(
            try running.request("GET", "/health", [("X-Request-Id", "abc-1")]).fields["x-request-id"]
                == "abc-1")
        for harmful in ["a b", "a\"b", String(repeating: "x", count: 65), "<x>"] {
            #expect(
                try running.request("GET", "/health", [("X-Request-Id", harmful)]).fields["x-request-id"]
                    != harmful)
        }
        await running.server.stop()
    }

    @Test func `a name that is not ours is not answered, against DNS rebinding`() async throws {
        let running = try await RunningServer { $0.sites = SiteRules(hosts: ["books.example"]) }
        let evil = try running.request("GET", "/v1/search/title?q=dune", [("Host", "evil.example")])
        #expect(evil.status == 421)
        #expect(try Self.code(evil) == "INVALID_REQUEST")
        #expect(try running.request("GET", "/health", [("Host", "books.example:80")]).status == 200)
        #expect(try running.request("GET", "/health", [("Host", "127.0.0.1")]).status == 200)
        await running.server.stop()
    }

    @Test
    func `a form that came through a trusted proxy is the site's own, and its cookies are for TLS only`()
        async throws
    {
        let fields = [
            ("Origin", "https://books.example:8443"), ("X-Forwarded-Host", "books.example:8443"),
            ("X-Forwarded-Proto", "https"), ("Accept", "text/html"),
        ]
        let sites = SiteRules(hosts: ["books.example"])
        let running = try await RunningServer {
            $0.sites = sites
            $0.addresses = ClientAddress(proxies: [ClientAddress.Range("127.0.0.1")].compactMap { $0 })
        }
        let form = [("Content-Type", "application/x-www-form-urlencoded")]
        let answer = try running.request("POST", "/page/sign-out", fields + form, body: "")
        #expect(answer.status == 303)
        #expect(answer.fields["set-cookie"]?.hasSuffix("; Secure") == true)
        #expect(answer.fields["strict-transport-security"] == "max-age=31536000")
        await running.server.stop()
        let other = try await RunningServer { $0.sites = sites }
        #expect(try other.request("POST", "/page/sign-out", fields + form, body: "").status == 403)
        let plain = try other.request("POST", "/page/sign-out", form, body: "")
        #expect(plain.fields["set-cookie"]?.contains("Secure") == false)
        #expect(plain.fields["strict-transport-security"] == nil)
        await other.server.stop()
    }

    @Test func `pages of other sites need permission`() async throws {
        let running = try await RunningServer { $0.sites = SiteRules(origins: ["https://app.example"]) }
        let refused = try running.request(
            "GET", "/v1/search/title?q=dune", [("Origin", "https://evil.example")])
        #expect(refused.status == 403)
        #expect(refused.fields["x-custom-error"] == "CORS_BLOCKED")
        #expect(refused.fields["access-control-allow-origin"] == nil)
        let allowed = try running.request(
            "GET", "/v1/search/title?q=dune", [("Origin", "https://app.example")])
        #expect(allowed.status == 200)
        #expect(allowed.fields["access-control-allow-origin"] == "https://app.example")
        #expect(allowed.fields["vary"] == "Origin")
        let question = try running.request(
            "OPTIONS", "/api/v2/imports",
            [("Origin", "https://app.example"), ("Access-Control-Request-Method", "POST")])
        #expect(question.status == 204)
        #expect(question.fields["access-control-allow-methods"]?.contains("DELETE") == true)
        #expect(question.fields["access-control-allow-headers"]?.contains("Authorization") == true)
        let upload = try running.upload(
            RunningServer.export, headers: [("Origin", "https://evil.example")])
        #expect(upload.status == 403, "a form of another site cannot import")
        await running.server.stop()
    }

    @Test(arguments: [
        "/v1/jobs/..", "/v1/jobs/%2e%2e", "/v1/jobs/..%2f..%2fetc%2fpasswd", "/v1/jobs/%2fetc%2fpasswd",
        "/v1/jobs/a%00b", "/v1/jobs/.hidden", "/v1/jobs/\(String(repeating: "a", count: 65))",
        "/v1/csv/results/..%2f..%2flibrary.sqlite", "/../../etc/passwd", "/v1/jobs/%c0%ae%c0%ae",
        "/api/v2/imports/..%5c..%5cx/results", "//etc/passwd", "/v1/jobs/~root/stream",
    ])
    func `paths that lead elsewhere lead nowhere`(path: String) async throws {
        let running = try await RunningServer()
        let answer = try running.request("GET", path)
        #expect([400, 404].contains(answer.status), "\(answer.status)")
        #expect(!answer.text.contains("root:"))
        await running.server.stop()
    }

    @Test func `paths, heads and bodies have bounds`() async throws {
        let running = try await RunningServer { $0.uploadLimit = 10_000 }
        let long = String(repeating: "a", count: 9_000)
        #expect(try running.request("GET", "/v1/search/title?q=dune&x=\(long)").status == 200)
        #expect(try running.request("GET", "/\(long)").status == 414)
        let body = "{\"books\":[{\"title\":\"\(String(repeating: "x", count: 300_000))\"}]}"
        let tooLarge = try running.request("POST", "/v1/enrichment/batch", body: body)
        #expect(tooLarge.status == 413)
        #expect(try Self.code(tooLarge) == "PAYLOAD_TOO_LARGE")
        let upload = try running.upload(String(repeating: "Title,Author\n", count: 1_000))
        #expect(upload.status == 413)
        #expect(running.server.backend.uploads.usedBytes == 0)
        // Without a length, it is only found while it is read.
        let client = try running.client()
        try client.send(
            "POST /api/v2/imports HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked\n"
                + "Content-Type: multipart/form-data; boundary=X1\n\n")
        for piece in [
            String(decoding: RunningServer.form(String(repeating: "x", count: 20_000)).body, as: UTF8.self)
        ] {
            try client.send(String(piece.utf8.count, radix: 16) + "\n")
            try client.send(Array(piece.utf8))
            try client.send("\n0\n\n")
        }
        #expect(try client.answer().status == 413)
        await running.server.stop()
    }

    @Test func `the limits of a client are told and kept`() async throws {
        let clock = ManualClock()
        let running = try await RunningServer(clock: clock) { $0.hasClientLimits = true }
        let client = try running.client()
        for left in (0..<100).reversed() {
            let answer = try client.request("GET", "/v1/search/isbn?isbn=123")
            #expect(answer.status == 400)
            #expect(answer.fields["x-ratelimit-limit"] == "100")
            #expect(answer.fields["x-ratelimit-remaining"] == "\(left)")
            #expect(answer.fields["x-ratelimit-reset"] != nil)
        }
        let refused = try client.request("GET", "/v1/search/isbn?isbn=123")
        #expect(refused.status == 429)
        #expect(refused.fields["retry-after"] == "1")
        let error = try #require(try refused.json()["error"] as? [String: Any])
        #expect(error["code"] as? String == "RATE_LIMIT_EXCEEDED" && error["retryAfterMs"] as? Int == 1_000)
        let details = try #require(error["details"] as? [String: Any])
        #expect(details["limit"] as? Int == 100 && details["window"] as? String == "1 minute")
        #expect(details["retryAfter"] as? Int == 1)
        // Other classes are not affected, and what administrators ask is not limited.
        #expect(try client.request("GET", "/v1/jobs/x").status == 404)
        #expect(try client.request("GET", "/health").fields["x-ratelimit-limit"] == nil)
        clock.block(nanoseconds: 1_000_000_000)
        #expect(try client.request("GET", "/v1/search/isbn?isbn=123").status == 400)
        await running.server.stop()
    }

    @Test func `a token is counted wherever it is used, an address only without one`() async throws {
        // The SHA-256 of `abc` and of `abd`.
        let tokens = try ServerTokens(
            parsing: """
                anna ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad search anna
                bert a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9 search bert
                """, named: "tokens")
        let running = try await RunningServer(tokens: tokens, clock: ManualClock()) {
            $0.hasClientLimits = true
            $0.addresses = ClientAddress(proxies: [ClientAddress.Range("127.0.0.1")].compactMap { $0 })
        }
        func left(_ token: String?, from address: String) throws -> String? {
            try running.request(
                "GET", "/v1/search/isbn?isbn=1",
                [("X-Forwarded-For", address)] + (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
            ).fields["x-ratelimit-remaining"]
        }
        #expect(try left("abc", from: "192.0.2.1") == "99")
        #expect(try left("abc", from: "192.0.2.2") == "98")
        #expect(try left("abd", from: "192.0.2.1") == "99")
        #expect(try left(nil, from: "192.0.2.1") == "99")
        #expect(try left("wrong", from: "192.0.2.1") == "98")
        await running.server.stop()
    }

    @Test func `tokens cannot be tried without end`() async throws {
        let tokens = try ServerTokens(
            parsing: "anna ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad search",
            named: "tokens")
        let running = try await RunningServer(tokens: tokens, clock: ManualClock()) {
            $0.hasClientLimits = true
        }
        let form = [("Content-Type", "application/x-www-form-urlencoded")]
        let statuses = try (0..<11).map { number in
            try running.request("POST", "/page/sign-in", form, body: "token=\(number)").status
        }
        #expect(statuses == Array(repeating: 401, count: 10) + [429])
        await running.server.stop()
    }

    @Test func `a server with tokens asks for one, with the right scope`() async throws {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let running = try await RunningServer(
            tokens: try ServerTokens(parsing: "anna \(abc) search anna", named: "tokens"))
        let none = try running.request("GET", "/v1/search/title?q=dune")
        #expect(none.status == 401 && none.fields["www-authenticate"] == "Bearer")
        #expect(try Self.code(none) == "UNAUTHORIZED")
        let token = [("Authorization", "Bearer abc")]
        #expect(try running.request("GET", "/v1/search/title?q=dune", token).status == 200)
        #expect(try running.upload(RunningServer.export, headers: token).status == 401)
        #expect(try running.request("GET", "/health").status == 200)
        await running.server.stop()
    }
}
