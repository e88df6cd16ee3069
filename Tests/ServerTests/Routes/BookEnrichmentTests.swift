import Books
import FakeServices
import Foundation
import Jobs
import Services
import System
import Testing

@testable import Server
@testable import TestSupport

/// Looking up one book while the client waits, over a real connection.
@Suite(.ownThread) struct BookEnrichmentTests {
    private static let path = "/api/v2/books/enrich"
    /// A book of the sample's catalog, and two that only the fake services have or do not have.
    private static let inCatalog = "9780441007318"
    private static let (atServices, nowhere) = {
        let isbns = FakeClient.isbns(known: 2, unknown: 1)
        return (isbns.known.map(\.isbn13), isbns.unknown[0].isbn13)
    }()

    private static func server(
        _ transport: HeldTransport, sample: SampleImport? = nil,
        _ change: (inout ServerSettings) -> Void = { _ in }
    ) async throws -> RunningServer {
        // Services collect questions for a moment, for which time must pass.
        try await RunningServer(sample, clock: SystemClock()) { settings in
            var services = ServiceSettings.fake(over: transport)
            services.retry = RetryPolicy(attempts: 2, base: 1_000_000)
            settings.jobs.lookUps.services = services.always
            // A busy machine needs minutes for what takes milliseconds.
            settings.lookUpTimeout = 3_600_000_000_000
            change(&settings)
        }
    }

    private static func body(_ barcode: String, key: String? = nil, _ more: String = "") -> String {
        "{\"barcode\":\"\(barcode)\"\(key.map { ",\"idempotencyKey\":\"\($0)\"" } ?? "")\(more)}"
    }

    private static func title(_ answer: RawClient.Answer) throws -> String? {
        let data = try answer.json()["data"] as? [String: Any]
        return (data?["work"] as? [String: Any])?["title"] as? String
    }

    private static func provider(_ answer: RawClient.Answer) throws -> String? {
        (try answer.json()["metadata"] as? [String: Any])?["provider"] as? String
    }

    @Test func `a book of the catalog is answered without asking a service`() async throws {
        let services = HeldTransport()
        let running = try await Self.server(services)
        let answer = try running.request("POST", Self.path, body: Self.body("978-0-441-00731-8"))
        #expect(answer.status == 200 && answer.fields["cache-control"] == "no-store", "\(answer.text)")
        #expect(try Self.title(answer) == "The Left Hand of Darkness")
        #expect(try Self.provider(answer) == "openlibrary")
        let data = try #require(try answer.json()["data"] as? [String: Any])
        let isbns = (data["edition"] as? [String: Any])?["isbns"] as? [String]
        #expect(isbns?.contains(Self.inCatalog) == true)
        #expect((data["authors"] as? [[String: Any]])?.first?["name"] as? String == "Ursula K. Le Guin")
        #expect(services.count == 0)
        await running.server.stop()
    }

    @Test func `the published client reads the book beside the data, where others read it`() async throws {
        let running = try await Self.server(HeldTransport())
        for isbn in [Self.inCatalog, Self.atServices[0]] {
            let answer = try running.request(
                "POST", Self.path, [("X-Client-Version", "ios-v3.7.5")],
                body: Self.body(isbn, key: "scan_\(isbn)"))
            let bare = try JSONDecoder().decode(V32.EnrichedBookDTO.self, from: Data(answer.body))
            let enveloped = try JSONDecoder().decode(
                V32.ResponseEnvelope<V32.EnrichedBookDTO>.self, from: Data(answer.body))
            #expect(bare.work?.title.isEmpty == false && bare.edition != nil, "\(answer.text)")
            #expect(bare.authors?.isEmpty == false)
            #expect(bare.work?.id == enveloped.data?.work?.id)
            #expect(bare.edition?.id == enveloped.data?.edition?.id)
            #expect(bare.authors?.map(\.name) == enveloped.data?.authors?.map(\.name))
        }
        await running.server.stop()
    }

    @Test func `what only services have is asked of them once, and nothing of it is left on disk`()
        async throws
    {
        let services = HeldTransport()
        let running = try await Self.server(services)
        let isbn = Self.atServices[0]
        let first = try running.request("POST", Self.path, body: Self.body(isbn))
        #expect(first.status == 200, "\(first.text)")
        #expect(try Self.title(first) == ISBN(isbn).flatMap { FakeLibrary().book($0)?.title })
        let count = services.count
        #expect(count > 0)
        let again = try running.request("POST", Self.path, body: Self.body(isbn))
        #expect(try Self.title(again) == Self.title(first))
        #expect((try again.json()["metadata"] as? [String: Any])?["cached"] as? Bool == true)
        let preferred = try running.request(
            "POST", Self.path, body: Self.body(isbn, key: nil, ",\"preferProvider\":\"google_books\""))
        #expect(preferred.status == 200 && services.count > count, "another question")
        let left = try FileManager.default.contentsOfDirectory(atPath: running.server.backend.uploads.path)
        #expect(left.isEmpty, "\(left)")
        #expect(!FileManager.default.fileExists(atPath: running.store), "the library is not changed")
        let metrics = try running.request("GET", "/metrics").text
        #expect(metrics.contains("etl_service_requests_total{service=\"openlibrary\"}"))
        await running.server.stop()
    }

    @Test func `the preferred provider goes before the others`() async throws {
        let running = try await Self.server(HeldTransport())
        for name in ["isbndb", "google-books", "openlibrary"] {
            let more = ",\"preferProvider\":\"\(name)\""
            let answer = try running.request(
                "POST", Self.path, body: Self.body(Self.atServices[1], key: nil, more))
            #expect(try Self.provider(answer) == name, "\(answer.text)")
        }
        await running.server.stop()
    }

    @Test func `a book that nobody has is 404, and says who was asked`() async throws {
        let services = HeldTransport()
        let running = try await Self.server(services)
        for _ in 0..<2 {
            let answer = try running.request("POST", Self.path, body: Self.body(Self.nowhere))
            #expect(answer.status == 404)
            let error = try RunningServer.error(answer)
            #expect(error["code"] as? String == "NOT_FOUND")
            let details = try #require(error["details"] as? [String: Any])
            #expect(details["isbn"] as? String == Self.nowhere)
            #expect(
                (details["providersSearched"] as? [String])?.sorted() == [
                    "google-books", "isbndb", "openlibrary",
                ])
        }
        await running.server.stop()
    }

    @Test func `without services only store and catalog are asked`() async throws {
        let running = try await RunningServer(importing: true)
        #expect(try running.request("POST", Self.path, body: Self.body(Self.inCatalog)).status == 200)
        #expect(try running.request("POST", Self.path, body: Self.body(Self.nowhere)).status == 404)
        await running.server.stop()
    }

    private static let refused: [(body: String, code: String)] = [
        ("", "INVALID_REQUEST"), ("{", "INVALID_REQUEST"), ("[]", "INVALID_REQUEST"),
        ("{}", "INVALID_REQUEST"), (#"{"barcode":7}"#, "INVALID_REQUEST"),
        (#"{"barcode":null}"#, "INVALID_REQUEST"), (#"{"barcode":""}"#, "INVALID_ISBN"),
        (#"{"barcode":"123"}"#, "INVALID_ISBN"), (#"{"barcode":"9780441007319"}"#, "INVALID_ISBN"),
        (#"{"barcode":"4006381333931"}"#, "INVALID_ISBN"),
        (body(inCatalog) + "x", "INVALID_REQUEST"), (body(inCatalog, key: ""), "INVALID_REQUEST"),
        (body(inCatalog, key: "a\\u0000b"), "INVALID_REQUEST"),
        (body(inCatalog, key: String(repeating: "k", count: 256)), "INVALID_REQUEST"),
        (body(inCatalog, key: nil, ",\"preferProvider\":\"amazon\""), "INVALID_REQUEST"),
    ]

    @Test func `a request that cannot be read is refused with its code, and nothing is asked`() async throws {
        let services = HeldTransport()
        let running = try await Self.server(services)
        for (body, code) in Self.refused {
            let answer = try running.request("POST", Self.path, body: body)
            #expect(answer.status == 400, "\(body): \(answer.text)")
            #expect(try RunningServer.error(answer)["code"] as? String == code, "\(body)")
        }
        let two = try running.request(
            "POST", Self.path, [("Idempotency-Key", "a")], body: Self.body(Self.inCatalog, key: "b"))
        #expect(two.status == 409)
        #expect(
            try running.request("POST", Self.path, [("Content-Type", "text/plain")], body: "x").status == 415)
        let long = Self.body(String(repeating: "9", count: 9_000))
        #expect(try running.request("POST", Self.path, body: long).status == 413)
        #expect(try running.request("GET", Self.path).fields["allow"] == "OPTIONS, POST")
        #expect(services.count == 0)
        await running.server.stop()
    }

    @Test func `the same key gets the same answer to the byte, in field and body, and after a restart`()
        async throws
    {
        let services = HeldTransport()
        let first = try await Self.server(services)
        let (found, lost) = (Self.atServices[0], Self.nowhere)
        let answer = try first.request("POST", Self.path, body: Self.body(found, key: "k1"))
        let nothing = try first.request("POST", Self.path, body: Self.body(lost, key: "k2"))
        #expect(answer.status == 200 && nothing.status == 404)
        let count = services.count
        func again(_ running: RunningServer) throws {
            for name in ["k1", "\"k1\""] {
                let same = try running.request(
                    "POST", Self.path, [("Idempotency-Key", name)], body: Self.body(found))
                #expect(same.status == 200 && same.body == answer.body)
            }
            let same = try running.request("POST", Self.path, body: Self.body(lost, key: "k2"))
            #expect(same.status == 404 && same.body == nothing.body)
            let other = try running.request("POST", Self.path, body: Self.body(lost, key: "k1"))
            #expect(other.status == 409)
            let error = try RunningServer.error(other)
            #expect(error["code"] as? String == "INVALID_REQUEST" && error["retryable"] as? Bool == false)
            #expect((error["details"] as? [String: Any])?["idempotencyKey"] as? String == "k1")
        }
        try again(first)
        #expect(services.count == count)
        await first.server.stop()
        let fresh = HeldTransport()
        let second = try await Self.server(fresh, sample: first.sample)
        try again(second)
        #expect(fresh.count == 0)
        await second.server.stop()
    }

    @Test func `requests with one key at the same time are done once, and those for another book refused`()
        async throws
    {
        let services = HeldTransport(isOpen: false)
        let running = try await Self.server(services)
        let isbn = Self.atServices[0]
        func send(_ client: RawClient, _ body: String) throws {
            try client.send(
                "POST \(Self.path) HTTP/1.1\nHost: localhost\nContent-Type: application/json\n"
                    + "Content-Length: \(body.utf8.count)\n\n\(body)")
        }
        var clients = [try running.client()]
        try send(clients[0], Self.body(isbn, key: "k"))
        await services.asked.wait()
        // Not before: a connection without a request is closed.
        for _ in 0..<3 { clients.append(try running.client()) }
        for client in clients[1...2] { try send(client, Self.body(isbn, key: "k")) }
        // Another key, the same book.
        try send(clients[3], Self.body(isbn, key: "other"))
        let other = try running.request("POST", Self.path, body: Self.body(Self.nowhere, key: "k"))
        #expect(other.status == 409)
        services.opened.raise()
        let answers = try clients.map { try $0.answer() }
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(Set(answers[..<3].map(\.body)).count == 1)
        let asked = services.transport.requests.map {
            "\($0.request.path) \($0.request.query) \(String(decoding: $0.request.body, as: UTF8.self))"
        }
        #expect(Set(asked).count == asked.count, "nothing is asked twice: \(asked)")
        await running.server.stop()
    }

    private static let failures: [(kind: FakeFaults.Kind, status: Int, code: String)] = [
        (.silent, 504, "PROVIDER_TIMEOUT"), (.serverError, 502, "PROVIDER_ERROR"),
        (.page, 502, "PROVIDER_ERROR"),
    ]

    @Test(arguments: failures)
    func `services that fail are a failure that may pass, and are asked again under the same key`(
        kind: FakeFaults.Kind, status: Int, code: String
    ) async throws {
        let faults = FakeFaults(share: 1, kinds: [kind])
        let names = FakeServices.names.map { ($0, faults) }
        let broken = HeldTransport(Dictionary(uniqueKeysWithValues: names))
        let first = try await Self.server(broken)
        let answer = try first.request("POST", Self.path, body: Self.body(Self.atServices[0], key: "k"))
        #expect(answer.status == status, "\(answer.text)")
        let error = try RunningServer.error(answer)
        #expect(error["code"] as? String == code && error["retryable"] as? Bool == true)
        #expect(error["provider"] != nil)
        await first.server.stop()
        let second = try await Self.server(HeldTransport(), sample: first.sample)
        #expect(
            try second.request("POST", Self.path, body: Self.body(Self.atServices[0], key: "k")).status == 200
        )
        await second.server.stop()
    }

    @Test(arguments: [FakeFaults.Kind.throttled, .throttledWithPause])
    func `services that want a pause are CIRCUIT_OPEN, with the time to wait`(kind: FakeFaults.Kind)
        async throws
    {
        let faults = FakeFaults(share: 1, kinds: [kind])
        let throttling = HeldTransport(
            Dictionary(uniqueKeysWithValues: FakeServices.names.map { ($0, faults) }))
        let running = try await Self.server(throttling)
        let answer = try running.request("POST", Self.path, body: Self.body(Self.atServices[0]))
        #expect(answer.status == 503, "\(answer.text)")
        let error = try RunningServer.error(answer)
        #expect(error["code"] as? String == "CIRCUIT_OPEN" && error["retryable"] as? Bool == true)
        #expect(FakeServices.names.contains(try #require(error["provider"] as? String)))
        let wait = try #require(error["retryAfterMs"] as? Int)
        #expect(wait > 0 && answer.fields["retry-after"] == "\((wait + 999) / 1_000)")
        await running.server.stop()
    }

    @Test func `a book that ISBNdb has says when ISBNdb answered`() async throws {
        let running = try await Self.server(HeldTransport())
        for _ in 0..<2 {
            let answer = try running.request("POST", Self.path, body: Self.body(Self.atServices[0]))
            let data = try #require(try answer.json()["data"] as? [String: Any])
            for record in ["work", "edition"] {
                let fields = try #require(data[record] as? [String: Any])
                #expect((fields["lastISBNDBSync"] as? String)?.hasSuffix("Z") == true, "\(fields)")
            }
        }
        await running.server.stop()
    }

    @Test func `a work has the cover of the edition that it shows`() async throws {
        let running = try await Self.server(HeldTransport())
        for isbn in Self.atServices {
            let answer = try running.request("POST", Self.path, body: Self.body(isbn))
            let data = try #require(try answer.json()["data"] as? [String: Any])
            let cover = try #require((data["edition"] as? [String: Any])?["coverImageURL"] as? String)
            #expect((data["work"] as? [String: Any])?["coverImageURL"] as? String == cover)
        }
        await running.server.stop()
    }

    @Test func `services whose daily quota is spent are PROVIDER_ERROR, with the time of its renewal`()
        async throws
    {
        let services = HeldTransport()
        let running = try await Self.server(services) { settings in
            let make = settings.jobs.lookUps.services
            settings.jobs.lookUps.services = { (names, isOffline, plan) throws(ETLError) in
                var asked = try make(names, isOffline, plan)
                asked.limits?.quota = .init(calls: 0)
                return asked
            }
        }
        let answer = try running.request("POST", Self.path, body: Self.body(Self.atServices[0]))
        #expect(answer.status == 502 && services.count == 0, "\(answer.text)")
        let error = try RunningServer.error(answer)
        #expect(error["code"] as? String == "PROVIDER_ERROR")
        #expect((error["details"] as? [String: Any])?["error"] as? String == "quota")
        let wait = try #require(error["retryAfterMs"] as? Int)
        #expect(wait > 0 && wait <= 86_400_000)
        await running.server.stop()
    }

    @Test func `services that do not answer in time are given up, and so they are if the server stops`()
        async throws
    {
        let services = HeldTransport(isOpen: false)
        let running = try await Self.server(services) { $0.lookUpTimeout = 1_000_000 }
        let late = try running.request("POST", Self.path, body: Self.body(Self.atServices[0]))
        #expect(late.status == 504, "\(late.text)")
        #expect(try RunningServer.error(late)["code"] as? String == "PROVIDER_TIMEOUT")
        await running.server.stop()
        services.opened.raise()
    }

    @Test func `fifty look-ups a minute are allowed`() async throws {
        let running = try await RunningServer(clock: ManualClock()) { $0.hasClientLimits = true }
        let client = try running.client()
        let json = [("Content-Type", "application/json")]
        for _ in 0..<50 {
            #expect(try client.request("POST", Self.path, json, body: Array("{}".utf8)).status == 400)
        }
        let refused = try client.request("POST", Self.path, json, body: Array("{}".utf8))
        #expect(refused.status == 429 && refused.fields["x-ratelimit-limit"] == "50")
        #expect(refused.fields["retry-after"] == "2")
        // The other class with this limit has its own.
        #expect(try running.request("GET", "/nothing").status == 404)
        await running.server.stop()
    }

    @Test func `keys of two users are not the same`() async throws {
        let hash = Secret.hexHash
        let running = try await RunningServer(
            tokens: try ServerTokens(
                parsing: "anna \(hash("a")) import\nberta \(hash("b")) import\nsam \(hash("s")) search",
                named: "tokens"))
        func answer(_ token: String, _ isbn: String) throws -> RawClient.Answer {
            try running.request(
                "POST", Self.path, [("Authorization", "Bearer \(token)")], body: Self.body(isbn, key: "k"))
        }
        #expect(try answer("a", Self.inCatalog).status == 200)
        #expect(try answer("b", Self.nowhere).status == 404)
        #expect(try answer("a", Self.nowhere).status == 409)
        #expect(try answer("s", Self.inCatalog).status == 401)
        await running.server.stop()
    }
}
