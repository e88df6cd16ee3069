import Foundation
import System
import TestSupport
import Testing

@testable import Server

/// Looking up lists of books.
@Suite(.ownThread) struct EnrichmentRoutesTests {
    @Test(arguments: [
        (
            "/v1/enrichment/batch",
            #"{"books":[{"isbn":"9780441007318"},{"title":"Dune","author":"Frank Herbert"}]}"#
        ),
        ("/api/batch-enrich", #"{"barcodes":["9780441007318","0062509594"],"later":{"x":[1]}}"#),
    ])
    func `books are looked up as a job of their own library`(path: String, body: String) async throws {
        let running = try await RunningServer()
        let answer = try running.request("POST", path, body: body)
        #expect(answer.status == 202, "\(answer.text)")
        let accepted = try #require(try answer.json()["data"] as? [String: Any])
        let job = try #require(accepted["jobId"] as? String)
        let token = try #require(accepted["token"] as? String)
        #expect(accepted["resultsUrl"] as? String == "/v1/jobs/\(job)/results")
        let last = try #require(try running.wait(for: job, token).last)
        #expect(last.event == "completed" && last.data["pipeline"] as? String == "batch_enrichment")
        let results = try running.data("/v1/jobs/\(job)/results", token: token)
        let books = try #require(results["enrichedBooks"] as? [[String: Any]])
        #expect(books.count == 2)
        let work = try #require(books.first?["work"] as? [String: Any])
        #expect(work["title"] as? String == "The Left Hand of Darkness")
        // They are not among the user's own.
        #expect(try running.request("GET", "/api/v2/imports/\(job)/results?token=\(token)").status == 409)
        await running.server.stop()
    }

    @Test func `a client may choose the name of its job, if it is a UUID and free`() async throws {
        let running = try await RunningServer()
        let mine = "0B9C3F5E-6B0E-4A3C-9D52-5B8D9D0C2C11"
        func accepted(_ id: String) throws -> (job: String, token: String) {
            try running.request(
                "POST", "/v1/enrichment/batch",
                body: "{\"jobId\":\(id),\"books\":[{\"isbn\":\"9780441007318\"}]}"
            ).acceptedJob()
        }
        let first = try accepted("\"\(mine)\"")
        #expect(first.job == mine)
        #expect(try running.wait(for: first.job, first.token).last?.event == "completed")
        for other in ["\"\(mine)\"", "\"mine\"", "\"../x\"", "null"] {
            let (job, token) = try accepted(other)
            #expect(job != mine && UUID(uuidString: job) != nil)
            try running.wait(for: job, token)
        }
        #expect(running.server.backend.claimed.withLock { $0.isEmpty })
        await running.server.stop()
    }

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"books":[]}"#, #"{"books":[{}]}"#, #"{"books":[{"author":"x"}]}"#,
        #"{"books":7}"#, #"{"jobId":7,"barcodes":["1"]}"#,
        #"{"barcodes":[7]}"#, #"{"books":[{"isbn":"1"}]}x"#,
        #"{"barcodes":["# + Array(repeating: "\"1\"", count: 101).joined(separator: ",") + "]}",
        #"{"books":[{"title":""# + String(repeating: "x", count: 1_001) + #""}]}"#,
    ])
    func `a list that cannot be read is refused, and nothing is kept`(body: String) async throws {
        let running = try await RunningServer()
        let answer = try running.request("POST", "/v1/enrichment/batch", body: body)
        #expect(answer.status == 400, "\(answer.text)")
        #expect(try RunningServer.error(answer)["code"] as? String == "INVALID_REQUEST")
        #expect(running.server.backend.uploads.usedBytes == 0)
        await running.server.stop()
    }
}
