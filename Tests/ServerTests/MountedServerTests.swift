import BooksTrack
import Foundation
import LinuxTransport
import TestSupport
import Testing

@testable import Server

/// A server that is mounted at a path of its own (`--base /books`).
@Suite(.ownThread) struct MountedServerTests {
    /// Follows all links of pages, and notes their forms.
    private struct Crawl {
        let browser: PageBrowser
        var seen: Set<String> = []
        var forms: Set<String> = []

        /// - Returns: How many pages and files there were.
        mutating func follow(_ first: String) throws -> Int {
            var waiting = [first]
            while let path = waiting.popLast() {
                guard seen.insert(path).inserted else { continue }
                let answer = try browser.open(path)
                #expect(answer.status == 200, "\(path): \(answer.status)")
                guard answer.fields["content-type"]?.hasPrefix("text/html") == true else { continue }
                for match in answer.text.matches(of: #/ (href|src|action|data-stream)="([^"]*)"/#) {
                    let target = String(match.2).replacing("&amp;", with: "&")
                    guard !target.hasPrefix("#") else { continue }
                    #expect(target.hasPrefix(browser.base + "/"), "\(target) on \(path)")
                    if match.1 == "action" { forms.insert(target) } else { waiting.append(target) }
                }
            }
            return seen.count
        }
    }

    private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    private static func server(
        tokens: String? = nil, _ change: @escaping (inout ServerSettings) -> Void = { _ in }
    ) async throws -> RunningServer {
        let base = try #require(BasePath("/books"))
        return try await RunningServer(
            tokens: tokens.map { try ServerTokens(parsing: $0, named: "tokens") } ?? ServerTokens()
        ) {
            $0.base = base
            change(&$0)
        }
    }

    @Test func `no link, form, redirect or cookie leaves the path of the server`() async throws {
        let browser = PageBrowser(
            try await Self.server(tokens: "anna \(Self.abc) admin"), base: "/books")
        #expect(try browser.open("/books/").fields["location"] == "/books/page/sign-in")
        let signedIn = try browser.send("/books/page/sign-in", "token=abc")
        #expect(signedIn.next == "/books/")
        #expect(try #require(signedIn.answer.fields["set-cookie"]).contains("; Path=/books; HttpOnly"))
        let path = try browser.importFile("Title,ISBN,Author\nReef,9780306406157,Ana Lee\n,,1\n")
        #expect(path.hasPrefix("/books/page/jobs/"))
        _ = try browser.done(path)
        let form = RunningServer.form("Title\nDune\n")
        let upload = try browser.send("/books/page/uploads", type: form.type, form.body).next
        var crawl = Crawl(browser: browser)
        // The server itself, the pages of an import and of an upload, and files to download.
        #expect(try crawl.follow("/books") >= 12, "\(crawl.seen)")
        #expect(try crawl.follow(upload) > 12, "\(crawl.seen)")
        #expect(crawl.seen.contains(path) && crawl.seen.contains { $0.hasPrefix("/books/page/undo?") })
        #expect(crawl.forms.count >= 7, "\(crawl.forms)")
        let missing = try browser.open("/books/page/nothing")
        #expect(missing.status == 404 && missing.text.contains(#"href="/books/""#))
        // Whatever a form answers, it stays where it is. Signing out ends the session.
        for action in crawl.forms.sorted() where !action.hasSuffix("/sign-out") {
            let (answer, next) = try browser.send(action, "")
            #expect(next.isEmpty || next.hasPrefix("/books/"), "\(action): \(next)")
            #expect(answer.fields["set-cookie"]?.contains("; Path=/books;") ?? true)
        }
        #expect(try browser.send("/books/page/sign-out", "").next == "/books/page/sign-in")
        await browser.running.server.stop()
    }

    @Test func `a running import is followed at the path of the server`() async throws {
        let running = try await RunningServer(importing: true) {
            if let base = BasePath("/books") { $0.base = base }
        }
        let browser = PageBrowser(running, base: "/books")
        let lock = HeldLock()
        try #require(lock.take(running.store))
        let path = try browser.importFile("Title\nReef\n")
        let job = String(path.split(separator: "/").last ?? "")
        let page = try browser.open(path).text
        #expect(page.contains(#"data-stream="/books/v1/jobs/\#(job)/stream""#))
        #expect(page.contains(#"action="/books/page/jobs/\#(job)/cancel""#))
        #expect(try browser.send("\(path)/cancel", "").next == path)
        lock.release()
        await running.server.stop()
    }

    @Test func `nothing is outside the path of the server but what those who watch it ask`() async throws {
        let running = try await Self.server()
        for path in ["/", "/page/library", "/v1/search/isbn?isbn=9780306406157", "/metrics", "/booksellers"] {
            let answer = try running.client().request("GET", path)
            #expect(answer.status == 404, "\(path)")
            #expect(try RunningServer.error(answer)["code"] as? String == "NOT_FOUND")
        }
        for path in ["/health", "/ready", "/books/health", "/books/ready", "/books/metrics", "/books"] {
            #expect(try running.client().request("GET", path).status == 200, "\(path)")
        }
        await running.server.stop()
    }

    @Test func `addresses in answers and messages begin with the path of the server`() async throws {
        let running = try await Self.server()
        let form = RunningServer.form("Title\nReef\n")
        let answer = try running.client().request(
            "POST", "/books/api/v2/imports", [("Content-Type", form.type)], body: form.body)
        let data = try #require(try answer.json()["data"] as? [String: Any])
        let (job, token) = try answer.acceptedJob()
        #expect(answer.fields["location"] == "/books/v1/jobs/\(job)")
        for (name, address) in [
            ("statusUrl", "/v1/jobs/\(job)"), ("streamUrl", "/v1/jobs/\(job)/stream"),
            ("resultsUrl", "/api/v2/imports/\(job)/results"),
            ("websocketUrl", "/ws/progress?jobId=\(job)&token=\(token)"),
        ] {
            #expect(data[name] as? String == "/books" + address)
        }
        let last = try #require(try running.wait(for: job, token, base: "/books").last)
        let results = (last.data["payload"] as? [String: Any])?["resultsUrl"] as? String
        #expect(results == "/books/api/v2/imports/\(job)/results")
        let socket = try WebSocketClient(
            try running.client(), "/books/ws/progress?jobId=\(job)&token=\(token)")
        #expect(socket.head.status == 101)
        try socket.send(#"{"type":"ready"}"#)
        let message = try #require(try socket.rest().first { $0.type == "job_complete" }).json()
        #expect((message["payload"] as? [String: Any])?["resultsUrl"] as? String == results)
        let gone = try running.client().request("GET", "/books/search/isbn")
        #expect(gone.fields["link"] == "</books/v1/search/isbn>; rel=\"alternate\"")
        #expect(gone.text.contains("Use /books/v1/search/isbn."))
        let servers =
            try running.client().request("GET", "/books/openapi.json").json()["servers"]
            as? [[String: String]]
        #expect(servers == [["url": "/books"]])
        await running.server.stop()
    }

    @Test func `a proxy that removes a path says so`() async throws {
        let fields = [("X-Forwarded-Prefix", "/shelf"), ("Accept", "text/html")]
        for (proxies, link) in [(["127.0.0.1"], "/shelf/page/library"), (["192.0.2.1"], "/page/library")] {
            let running = try await RunningServer {
                $0.addresses = ClientAddress(proxies: proxies.compactMap { .init($0) })
            }
            let home = try running.client().request("GET", "/", fields)
            #expect(home.status == 200 && home.text.contains("href=\"\(link)\""))
            await running.server.stop()
        }
        let both = try await Self.server {
            $0.addresses = ClientAddress(proxies: ["127.0.0.1"].compactMap { .init($0) })
        }
        #expect(
            try both.client().request("GET", "/books/", fields).text.contains(
                "href=\"/shelf/books/page/library\""))
        await both.server.stop()
    }

    @Test func `an app names the server with its path`() async throws {
        let running = try await Self.server()
        for suffix in ["/books", "/books/"] {
            let address = try #require(URL(string: "http://127.0.0.1:\(running.server.port)\(suffix)"))
            let client = BooksTrackClient(.init(server: address), transport: CurlTransport())
            let job = try await client.importFile(
                Data("Title,ISBN\nReef,9780306406157\n".utf8), named: "library.csv")
            let updates = try await client.updates(of: job, over: [.webSocket, .stream])
            #expect(updates.last?.kind == .completed)
        }
        await running.server.stop()
    }
}
