import FakeServices
import Foundation
import TestSupport
import Testing

@testable import Jobs
@testable import Queries
@testable import Server
@testable import Services
@testable import System

/// Similar books and search by meaning, over a real connection.
@Suite(.ownThread) struct VectorSearchTests {
    private func titles(_ answer: RawClient.Answer) throws -> [String] {
        let data = try #require(try answer.json()["data"] as? [String: Any])
        return (data["books"] as? [[String: Any]])?.compactMap { $0["title"] as? String } ?? []
    }

    private func running(embeds: Bool = true) async throws -> RunningServer {
        var sample = try SampleImport(sharing: try await RunningServer.catalog.value)
        sample.files = [try sample.folder.write(TopicLibrary.export(), to: "topics.csv")]
        let store = sample.folder.file("library.sqlite")
        try await sample.run("library.sqlite")
        if embeds {
            let model = try TinyModel.write(to: sample.folder.file("model"))
            _ = try await StoreEmbedding(of: store, from: .file(model), ServiceSettings()).run()
        }
        return try await RunningServer(sample) {
            $0.queryEmbedder = QueryEmbedder(store, nil, ServiceSettings())
            $0.vectorUpdate = VectorUpdate(of: store, nil, ServiceSettings())
        }
    }

    @Test func `similar books have the shape of a search, and the second answer comes from memory`()
        async throws
    {
        let running = try await running()
        let first = try running.request("GET", "/v1/search/similar?isbn=978-0-00-000005-7&limit=1")
        #expect(first.status == 200 && first.fields["x-cache"] == "MISS")
        #expect(try titles(first) == ["A Mystery Crime"])
        let data = try #require(try first.json()["data"] as? [String: Any])
        #expect((data["works"] as? [Any])?.count == 1 && (data["editions"] as? [Any])?.isEmpty == false)
        let second = try running.request("GET", "/v1/search/similar?isbn=9780000000057&limit=1")
        #expect(
            second.fields["x-cache"] == "HIT" && second.fields["cache-control"] == "private, max-age=86400")
        #expect(try titles(running.request("GET", "/v1/search/similar?isbn=9780306406157")).isEmpty)
        #expect(try running.request("GET", "/v1/search/similar?isbn=123").status == 400)
        await running.server.stop()
    }

    @Test func `a question finds books by their meaning, and is kept for the next client`() async throws {
        let running = try await running()
        let target = "/api/v2/search?q=loss%20and%20memory&mode=semantic&limit=2"
        let first = try running.request("GET", target)
        #expect(first.status == 200)
        #expect(try titles(first).first == "Quiet Grief by the Sea of Japan")
        #expect(try running.request("GET", target).fields["x-cache"] == "HIT")
        #expect(try running.request("GET", "/api/v2/search?q=&mode=semantic").status == 400)
        await running.server.stop()
    }

    @Test func `pages show similar books, and find books by what they are about`() async throws {
        let running = try await running()
        let browser = PageBrowser(running)
        let library = try browser.open("/page/library").text
        #expect(library.contains("name=\"mode\" value=\"semantic\""))
        let found = try browser.open("/page/library?q=loss+and+memory&mode=semantic").text
        #expect(found.contains("Books that fit") && found.contains("Quiet Grief by the Sea of Japan"))
        #expect(found.contains("value=\"semantic\" checked"))
        #expect(try browser.open("/page/library?q=&mode=semantic").text.contains("10 books"))
        let book = try browser.open("/page/book?id=9780000000019").text
        #expect(book.contains("<h2>Similar books</h2>") && book.contains("Magic of the Elf Sword"))
        #expect(!book.contains("Part Two, a Sword</bdi></a> <span class=\"hint\">Ann Aster"))
        await running.server.stop()
    }

    @Test func `books of an import are compared soon after it`() async throws {
        let running = try await running()
        let browser = PageBrowser(running)
        let row = "11,Detective of the Clue,Dan Dill,9780000000118,4,2020/01/11,read,1935"
        _ = try browser.done(try browser.importFile(TopicLibrary.export(TopicLibrary.rows + [row])))
        let target = "/v1/search/similar?isbn=9780000000118&limit=2"
        var found: [String] = []
        for _ in 0..<2_000 where !found.contains("A Mystery Crime") {
            found = try titles(running.request("GET", target, [("Cache-Control", "no-cache")]))
            await Task.yield()
        }
        #expect(found.contains("A Mystery Crime"))
        await running.server.stop()
    }

    @Test func `without vectors both are not configured, and text search works`() async throws {
        let running = try await running(embeds: false)
        for target in ["/v1/search/similar?isbn=9780000000057", "/api/v2/search?q=loss&mode=semantic"] {
            let answer = try running.request("GET", target)
            #expect(answer.status == 400, "\(target)")
            let error = try RunningServer.error(answer)
            #expect((error["details"] as? [String: Any])?["reason"] as? String == "not_configured")
            #expect((error["message"] as? String)?.contains("etl embed") == true)
        }
        #expect(try running.request("GET", "/api/v2/search?q=mystery").status == 200)
        let pages = PageBrowser(running)
        #expect(try !pages.open("/page/library").text.contains("semantic"))
        #expect(try !pages.open("/page/book?id=9780000000019").text.contains("Similar books"))
        #expect(try pages.open("/page/library?q=loss&mode=semantic").text.contains("no vectors"))
        await running.server.stop()
    }

    @Test func `while the service of the model is down, questions are answered 503 and words as always`()
        async throws
    {
        var sample = try SampleImport(sharing: try await RunningServer.catalog.value)
        sample.files = [try sample.folder.write(TopicLibrary.export(), to: "topics.csv")]
        let store = sample.folder.file("library.sqlite")
        try await sample.run("library.sqlite")
        let fake = try FakeClient()
        let endpoint = EmbeddingEndpoint(url: "\(fake.server.url)/embeddings", model: "m")
        var settings = ServiceSettings()
        settings.limits = FakeClient.limits
        settings.retry = RetryPolicy(attempts: 1, base: 1_000_000)
        _ = try await StoreEmbedding(of: store, from: .service(endpoint), settings).run()
        fake.server.stop()
        let running = try await RunningServer(sample) { [settings] in
            $0.queryEmbedder = QueryEmbedder(store, endpoint, settings)
        }
        let answer = try running.request("GET", "/api/v2/search?q=loss&mode=semantic")
        #expect(answer.status == 503 && answer.fields["retry-after"] != nil)
        #expect(try running.request("GET", "/api/v2/search?q=mystery").status == 200)
        await running.server.stop()
    }
}
