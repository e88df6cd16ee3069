import Foundation
import TestSupport
import Testing

@testable import Database
@testable import Queries
@testable import Server

/// Searches of store and catalog, over a real connection.
@Suite(.ownThread) struct SearchRoutesTests {
    private static func provider(_ answer: RawClient.Answer) throws -> String? {
        (try answer.json()["metadata"] as? [String: Any])?["provider"] as? String
    }

    @Test func `an ISBN is found however it is written, and the second answer comes from memory`()
        async throws
    {
        let running = try await RunningServer()
        let first = try running.request("GET", "/v1/search/isbn?isbn=978-0-441-00731-8")
        #expect(first.status == 200 && first.fields["x-cache"] == "MISS")
        let data = try #require(try first.json()["data"] as? [String: Any])
        #expect((data["works"] as? [Any])?.count == 1)
        let book = try #require((data["books"] as? [[String: Any]])?.first)
        #expect(book["isbn"] as? String == "9780441007318")
        #expect(try Self.provider(first) == "openlibrary")
        #expect(first.fields["cache-control"] == "private, max-age=604800")
        let tag = try #require(first.fields["etag"])
        let second = try running.request("GET", "/v1/search/isbn?isbn=0441007317")
        #expect(second.fields["x-cache"] == "HIT" && second.fields["etag"] == tag)
        #expect((try second.json()["metadata"] as? [String: Any])?["cached"] as? Bool == true)
        let same = try running.request("GET", "/v1/search/isbn?isbn=9780441007318", [("If-None-Match", tag)])
        #expect(same.status == 304 && same.body.isEmpty && same.fields["etag"] == tag)
        let other = try running.request(
            "GET", "/v1/search/isbn?isbn=9780441007318", [("If-None-Match", "\"x\"")])
        #expect(other.status == 200)
        let forced = try running.request(
            "GET", "/v1/search/isbn?isbn=0441007317", [("Cache-Control", "no-cache")])
        #expect(forced.fields["x-cache"] == "MISS")
        await running.server.stop()
    }

    @Test func `what nobody knows is an empty success`() async throws {
        let running = try await RunningServer()
        for target in [
            "isbn?isbn=9780306406157", "title?q=zzzzqqq", "author?q=zzzzqqq", "advanced?title=zzzzqqq",
        ] {
            let answer = try running.request("GET", "/v1/search/\(target)")
            #expect(answer.status == 200)
            #expect(try Self.provider(answer) == "none")
            let data = try #require(try answer.json()["data"] as? [String: Any])
            for list in ["works", "editions", "authors", "books"] {
                #expect((data[list] as? [Any])?.isEmpty == true, "\(list)")
            }
            // The next import may add it.
            #expect(answer.fields["cache-control"] == "private, no-cache")
        }
        await running.server.stop()
    }

    @Test func `titles and authors are found by words, as many as are asked for`() async throws {
        let running = try await RunningServer(importing: true)
        let titles = try running.data("/v1/search/title?q=left+hand+darkness")
        #expect(
            (titles["books"] as? [[String: Any]])?.first?["title"] as? String == "The Left Hand of Darkness")
        let authors = try running.data("/v1/search/author?q=Le%20Guin&limit=2")
        #expect((authors["books"] as? [Any])?.count == 2)
        let both = try running.data("/v1/search/advanced?title=darkness&author=Le+Guin")
        #expect((both["books"] as? [Any])?.isEmpty == false)
        let flat = try running.data("/api/v2/search?q=darkness")
        #expect(Array(flat.keys) == ["books"])
        await running.server.stop()
    }

    @Test func `more than twenty books are twenty, and an advanced search takes an ISBN`() async throws {
        let running = try await RunningServer()
        let rows = (0..<25).map { "Reef \($0),Ana Lee\n" }.joined()
        let (job, token) = try running.accepted("Title,Author\n" + rows)
        try running.wait(for: job, token)
        for limit in ["20", "21", "100", "1000"] {
            let data = try running.data("/v1/search/title?q=reef&limit=\(limit)")
            #expect((data["books"] as? [Any])?.count == 20, "\(limit)")
        }
        for target in ["isbn=9780441007318", "isbn=0-441-00731-7&title=other&author=other"] {
            let data = try running.data("/v1/search/advanced?\(target)")
            #expect(
                (data["works"] as? [[String: Any]])?.first?["title"] as? String == "The Left Hand of Darkness"
            )
        }
        await running.server.stop()
    }

    @Test func `a search finds the books of an import as soon as its end is told, and is counted`()
        async throws
    {
        let running = try await RunningServer()
        let target = "/v1/search/title?q=hippo"
        for cache in ["MISS", "HIT"] {
            #expect(try running.request("GET", target).fields["x-cache"] == cache)
        }
        // No time passes on the server's clock.
        let (job, token) = try running.accepted("Title,Author\nHippo Epsilon,Ana Lee\n")
        try running.wait(for: job, token)
        let found = try running.request("GET", target)
        #expect(found.fields["x-cache"] == "MISS" && found.text.contains("Hippo Epsilon"))
        let metrics = try running.request("GET", "/metrics").text
        #expect(metrics.contains("etl_searches_total{cache=\"hit\"} 1\n"))
        #expect(metrics.contains("etl_searches_total{cache=\"miss\"} 2\n"))
        await running.server.stop()
    }

    @Test func `a client of version 3 gets one flat book`() async throws {
        let running = try await RunningServer()
        for field in [
            ("X-API-Version", "3"), ("Accept", "application/vnd.bookstrack.v3+json"),
            ("X-Client-Version", "ios-v3.7.5"), ("X-Client-Version", "ios-vunknown"),
        ] {
            let answer = try running.request("GET", "/v1/search/isbn?isbn=9780441007318", [field])
            #expect(answer.fields["x-api-version"] == "3.2")
            #expect(answer.fields["vary"] == "Accept-Language, Accept, X-API-Version, X-Client-Version")
            let data = try #require(try answer.json()["data"] as? [String: Any])
            #expect(data["authors"] as? [String] == ["Ursula K. Le Guin"])
            #expect(AnswerSchema().problems(data, ["$ref": "#/components/schemas/Book"], "book").isEmpty)
        }
        // Other clients, and those that state the version, get lists.
        for fields in [
            [], [("X-Client-Version", "web-2.0")],
            [("X-Client-Version", "ios-v3"), ("X-API-Version", "2.1")],
        ] {
            let answer = try running.request("GET", "/v1/search/isbn?isbn=9780441007318", fields)
            let data = try #require(try answer.json()["data"] as? [String: Any])
            #expect((data["works"] as? [Any])?.count == 1 && answer.fields["x-api-version"] == "2.1")
        }
        let unknown = try running.request(
            "GET", "/v1/search/isbn?isbn=9780306406157", [("X-API-Version", "3")])
        #expect(unknown.status == 404)
        #expect(try RunningServer.error(unknown)["code"] as? String == "NOT_FOUND")
        await running.server.stop()
    }

    @Test(arguments: [
        ("isbn?isbn=123", "INVALID_ISBN"), ("isbn", "INVALID_QUERY"), ("isbn?isbn=", "INVALID_QUERY"),
        ("advanced?isbn=123", "INVALID_ISBN"),
        ("isbn?isbn=9780441007319", "INVALID_ISBN"),
        ("title?q=a", "INVALID_QUERY"), ("title", "INVALID_QUERY"), ("title?q=%20", "INVALID_QUERY"),
        ("title?q=dune&limit=0", "INVALID_QUERY"), ("title?q=dune&limit=-1", "INVALID_QUERY"),
        ("title?q=dune&limit=x", "INVALID_QUERY"), ("author?q=", "INVALID_QUERY"),
        ("advanced", "INVALID_QUERY"),
        ("title?q=%ff", "INVALID_REQUEST"), ("similar?isbn=9780441007318", "INVALID_REQUEST"),
    ])
    func `a question that makes no sense is refused`(target: String, code: String) async throws {
        let running = try await RunningServer()
        let answer = try running.request("GET", "/v1/search/\(target)")
        #expect(answer.status == 400)
        let error = try RunningServer.error(answer)
        #expect(error["code"] as? String == code && error["retryable"] as? Bool == false)
        await running.server.stop()
    }

    @Test func `semantic search is not configured, other modes do not exist`() async throws {
        let running = try await RunningServer()
        let semantic = try running.request("GET", "/api/v2/search?q=dune&mode=semantic")
        #expect(semantic.status == 400)
        let details = try RunningServer.error(semantic)["details"] as? [String: Any]
        #expect(details?["reason"] as? String == "not_configured")
        #expect(try running.request("GET", "/api/v2/search?q=dune&mode=fuzzy").status == 400)
        await running.server.stop()
    }

    @Test func `requests for the same search share one, and a busy pool answers 503`() async throws {
        let running = try await RunningServer { $0.searchers = 1 }
        let pool = running.server.backend.search.pool
        let (began, letGo) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        #expect(
            pool.submit { _ in
                began.continuation.yield()
                for await _ in letGo.stream { break }
            } == nil)
        for await _ in began.stream { break }
        let clients = try (0..<5).map { _ in try running.client() }
        for client in clients { try client.send("GET /v1/search/title?q=dune HTTP/1.1\nHost: localhost\n\n") }
        // Another request proves that all of them have arrived.
        while pool.load.waiting == 0 { _ = try running.request("GET", "/health") }
        for _ in 0..<5 { _ = try running.request("GET", "/health") }
        #expect(pool.load.waiting == 1)
        var others = 0
        while pool.submit(of: "\(others)", { _ in }) == nil { others += 1 }
        let busy = try running.request("GET", "/v1/search/title?q=emma")
        #expect(busy.status == 503 && busy.fields["retry-after"] != nil)
        letGo.continuation.yield()
        for client in clients { #expect(try client.answer().status == 200) }
        await running.server.stop()
    }

    // MARK: The index

    /// As another process leaves it while it updates the index.
    private static func writer(_ running: RunningServer) throws -> Connection {
        let writer = try Connection(running.store + ".search", .readWrite)
        try writer.begin()
        try writer.execute("CREATE TABLE other(done)")
        return writer
    }

    private static func count(_ running: RunningServer, _ words: String) throws -> Int {
        (try running.data("/v1/search/title?q=\(words)")["books"] as? [Any] ?? []).count
    }

    @Test func `while another process updates the index, its last state is searched, and not for long`()
        async throws
    {
        let clock = SetClock()
        let running = try await RunningServer(clock: clock, importing: true)
        #expect(try Self.count(running, "left+hand") == 1)
        let writer = try Self.writer(running)
        let (job, token) = try running.accepted("Title,Author\nHippo Epsilon,Ana Lee\n")
        try running.wait(for: job, token)
        #expect(try Self.count(running, "left") == 1)
        #expect(try Self.count(running, "hippo") == 0)
        try writer.commit()
        clock.advance(seconds: 6)
        #expect(try Self.count(running, "hippo") == 1)
        #expect(try running.request("GET", "/metrics").text.contains("etl_index_updates 0"))
        await running.server.stop()
    }

    @Test func `an index that is deleted or damaged while the server runs is made again`() async throws {
        let clock = SetClock()
        let running = try await RunningServer(clock: clock, importing: true)
        #expect(try Self.count(running, "left+hand") == 1)
        try Connection(running.store + ".search", .readWrite).execute("DROP TABLE search_typo")
        #expect(try running.request("GET", "/v1/search/title?q=left").status == 503)
        #expect(try Self.count(running, "left") == 1)
        for ending in ["", "-wal", "-shm"] { unlink(running.store + ".search" + ending) }
        #expect(try running.request("GET", "/v1/search/title?q=left+hand+of").status == 503)
        #expect(try Self.count(running, "left+hand+of") == 1)
        await running.server.stop()
    }

    @Test func `without an index a search by words is put off, and one by ISBN is answered`() async throws {
        let sample = try SampleImport(sharing: try await RunningServer.catalog.value)
        let store = sample.folder.file("library.sqlite")
        _ = try await sample.run("library.sqlite")
        let writer = try Connection(store + ".search", .create)
        try writer.begin()
        let clock = SetClock()
        let running = try await RunningServer(sample, clock: clock)
        let answer = try running.request("GET", "/v1/search/title?q=darkness")
        #expect(answer.status == 503 && answer.fields["retry-after"] == "10")
        #expect(try RunningServer.error(answer)["message"] as? String == BookSearch.indexingMessage)
        let page = try running.request("GET", "/page/library?q=nothing")
        #expect(page.status == 503 && page.text.contains(BookSearch.indexingMessage))
        #expect(try running.request("GET", "/v1/search/isbn?isbn=9780441007318").status == 200)
        writer.rollBack()
        clock.advance(seconds: 2)
        #expect(!(try running.data("/v1/search/title?q=darkness")["books"] as? [Any] ?? []).isEmpty)
        await running.server.stop()
    }
}
