import Dispatch
import TestSupport
import Testing

@testable import FakeServices
@testable import Services
@testable import System

/// The client with a server on a real local socket.
@Suite struct CurlClientTests {
    private func client() throws -> CurlClient {
        try CurlClient(version: "1", contact: "mailto:test@example.org", environment: [:])
    }

    private func request(_ server: FakeServer, _ path: String, seconds: Double = 5) -> HTTPRequest {
        var request = HTTPRequest(server.url + path, allowsPrivateNetwork: true)
        request.timeLimit = UInt64(seconds * 1e9)
        return request
    }

    private func failure(_ client: CurlClient, _ request: HTTPRequest) async -> HTTPFailure? {
        do throws(HTTPFailure) {
            _ = try await client.send(request)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the user agent is sent, and status, fields and body are returned`() async throws {
        let server = try FakeServer { request in
            var reply = FakeReply.json(#"{"agent":"\#(request.fields["user-agent"] ?? "")"}"#, status: 418)
            reply.fields["Retry-After"] = "7"
            return reply
        }
        defer { server.stop() }
        let response = try await client().send(request(server, "/a?b=c"))
        #expect(response.status == 418)
        #expect(response.fields["retry-after"] == "7")
        #expect(
            String(decoding: response.body, as: UTF8.self)
                == #"{"agent":"etl/1 (mailto:test@example.org) gzip"}"#)
    }

    @Test func `a body is posted with its fields`() async throws {
        let server = try FakeServer { request in
            FakeReply(200, Array("\(request.method) \(request.fields["x-one"] ?? "") ".utf8) + request.body)
        }
        defer { server.stop() }
        var post = request(server, "/")
        post.body = Array("hello".utf8)
        post.fields = [.init("X-One", "1")]
        let response = try await client().send(post)
        #expect(String(decoding: response.body, as: UTF8.self) == "POST 1 hello")
    }

    @Test func `responses that are cut off, reset or silent are failures worth retrying`() async throws {
        let server = try FakeServer { request in
            let manner: FakeReply.Manner =
                switch request.path {
                case "/cut": .cutOff
                case "/head", "/unknown": .cutOffInHead
                case "/reset": .reset
                default: .silent
                }
            let body = [UInt8](repeating: 65, count: 10_000)
            return FakeReply(request.path == "/unknown" ? 404 : 200, body, manner: manner)
        }
        defer { server.stop() }
        let client = try client()
        let cut = await failure(client, request(server, "/cut"))
        let reset = await failure(client, request(server, "/reset"))
        let silent = await failure(client, request(server, "/silent", seconds: 0.2))
        #expect(cut == .cutOff)
        // Otherwise a cut 404 would say that the service does not know the book.
        for path in ["/head", "/unknown"] {
            #expect(await failure(client, request(server, path)) == .cutOff)
        }
        #expect(reset?.isWorthRetrying == true)
        #expect(silent == .timedOut)
    }

    @Test func `a response over its size limit is refused`() async throws {
        let server = try FakeServer { _ in FakeReply(200, Array(repeating: 65, count: 100_000)) }
        defer { server.stop() }
        let client = try client()
        var bounded = request(server, "/")
        bounded.byteLimit = 99_999
        #expect(await failure(client, bounded) == .tooLarge)
        bounded.byteLimit = 100_000
        #expect(await failure(client, bounded) == nil)
    }

    @Test func `redirects are followed over HTTP only, and a loop ends`() async throws {
        let server = try FakeServer { request in
            switch request.path {
            case "/start": FakeReply(302, fields: ["Location": "/end"])
            case "/loop": FakeReply(302, fields: ["Location": "/loop"])
            case "/file": FakeReply(302, fields: ["Location": "file:///etc/hostname"])
            default: FakeReply(200, Array("here".utf8))
            }
        }
        defer { server.stop() }
        let client = try client()
        let response = try await client.send(request(server, "/start"))
        #expect(response.body == Array("here".utf8))
        #expect(await failure(client, request(server, "/loop")) == .tooManyRedirects)
        #expect(await failure(client, request(server, "/file")) == .forbiddenAddress)
    }

    @Test func `a private address that the user did not name is never reached, not even by a redirect`()
        async throws
    {
        let secret = try FakeServer { _ in FakeReply(200, Array("secret".utf8)) }
        let server = try FakeServer { [url = secret.url] _ in FakeReply(302, fields: ["Location": url + "/"])
        }
        defer {
            server.stop()
            secret.stop()
        }
        let client = try client()
        var direct = request(secret, "/")
        direct.allowsPrivateNetwork = false
        #expect(await failure(client, direct) == .forbiddenAddress)
        #expect(await failure(client, request(server, "/")) == .forbiddenAddress)
        #expect(await failure(client, HTTPRequest("gopher://example.org/")) == .forbiddenAddress)
        #expect(await failure(client, HTTPRequest("")) == .forbiddenAddress)
        #expect(secret.requests.isEmpty)
    }

    @Test(arguments: [
        ["https_proxy": "http://127.0.0.1:9"],
        ["http_proxy": "http://127.0.0.1:9", "no_proxy": "127.0.0.1"],
        ["ALL_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.0/8"],
    ])
    func `a bypassed proxy does not let a redirect into a private network`(
        _ environment: [String: String]
    ) async throws {
        let secret = try FakeServer { _ in FakeReply(200, Array("secret".utf8)) }
        let server = try FakeServer { [url = secret.url] _ in FakeReply(302, fields: ["Location": url + "/"])
        }
        defer {
            server.stop()
            secret.stop()
        }
        let client = try CurlClient(version: "1", contact: nil, environment: environment)
        #expect(await failure(client, request(server, "/")) == .forbiddenAddress)
        #expect(secret.requests.isEmpty)
    }

    @Test func `a proxy may have a private address, and redirects go through it`() async throws {
        let proxy = try FakeServer { request in
            request.path.hasSuffix("/start")
                ? FakeReply(302, fields: ["Location": "http://there.invalid/end"])
                : FakeReply(200, Array(request.path.utf8))
        }
        defer { proxy.stop() }
        let client = try CurlClient(version: "1", contact: nil, environment: ["http_proxy": proxy.url])
        let response = try await client.send(HTTPRequest("http://here.invalid/start"))
        #expect(String(decoding: response.body, as: UTF8.self) == "http://there.invalid/end")
    }

    @Test func `a server that is gone is unreachable`() async throws {
        let port = try ClosedPort()
        let reason = await failure(
            try client(), HTTPRequest("http://127.0.0.1:\(port.number)/", allowsPrivateNetwork: true))
        #expect(reason?.isWorthRetrying == true)
    }

    @Test func `a request that is no longer awaited is cancelled`() async throws {
        // The server cancels the request itself: on a busy machine the test might run only after the client
        // has given up.
        let (asking, isKnown) = (Guarded<Task<HTTPFailure?, Never>?>(nil), DispatchSemaphore(value: 0))
        let server = try FakeServer { _ in
            isKnown.wait()
            asking.withLock { $0 }?.cancel()
            return FakeReply(manner: .silent)
        }
        defer { server.stop() }
        let (client, silent) = (try client(), request(server, "/", seconds: 60))
        let task = Task { await failure(client, silent) }
        asking.withLock { $0 = task }
        isKnown.signal()
        #expect(await task.value == .canceled)
    }

    @Test func `many concurrent requests share few connections`() async throws {
        let server = try FakeServer { request in FakeReply(200, Array(request.path.utf8)) }
        defer { server.stop() }
        let client = try client()
        let answers = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<400 {
                let request = request(server, "/many/\(number)", seconds: 60)
                group.addTask {
                    do {
                        return try await client.send(request).body == Array("/many/\(number)".utf8)
                    } catch {
                        Issue.record(error, "request \(number)")
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(answers == 400)
        #expect((server.maxAtOnce["many"] ?? 0) <= 64)
    }
}
