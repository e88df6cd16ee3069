import Books
import FakeServices
import Foundation
import Jobs
import Services
import System
import TestSupport
import Testing

@testable import Server

/// Searches for what neither the store nor a catalog has, over a real connection.
@Suite(.ownThread) struct ServiceSearchTests {
    /// A book of the sample's catalog, and books that only the fake services have or do not have.
    private static let inCatalog = "9780441007318"
    private static let isbns = FakeClient.isbns(known: 40, unknown: 40)
    static let atServices = isbns.known[0]
    private static let nowhere = isbns.unknown[0].isbn13

    /// The services of books.
    static let ofBooks = ["openlibrary", "google-books", "isbndb"]

    static func server(
        _ transport: any HTTPTransport, _ names: [String] = FakeServices.names, sample: SampleImport? = nil,
        _ change: (inout ServerSettings) -> Void = { _ in }
    ) async throws -> RunningServer {
        // Services collect questions for a moment, for which time must pass.
        try await RunningServer(sample, clock: SystemClock()) { settings in
            var services = ServiceSettings.fake(over: transport, names)
            services.retry = RetryPolicy(attempts: 3, base: 1_000_000)
            settings.jobs.lookUps.services = services.always
            // A busy machine needs minutes for what takes milliseconds.
            settings.searchTimeout = 3_600_000_000_000
            settings.searchTurn = 600_000_000_000
            settings.shortSearchTimeout = 3_600_000_000_000
            settings.lookUpTimeout = 3_600_000_000_000
            change(&settings)
        }
    }

    static func byISBN(_ isbn: String) -> String { "/v1/search/isbn?isbn=\(isbn)" }

    static func works(_ answer: RawClient.Answer) throws -> [[String: Any]] {
        let data = try #require(try answer.json()["data"] as? [String: Any], "\(answer.text)")
        return try #require(data["works"] as? [[String: Any]])
    }

    private static func isbns(_ answer: RawClient.Answer) throws -> [String] {
        let data = try #require(try answer.json()["data"] as? [String: Any], "\(answer.text)")
        let editions = try #require(data["editions"] as? [[String: Any]])
        return editions.compactMap { $0["isbn"] as? String }
    }

    static func metadata(_ answer: RawClient.Answer) throws -> [String: Any] {
        try #require(try answer.json()["metadata"] as? [String: Any])
    }

    @Test func `a book that only a service has is found by its ISBN, and the service is asked once`()
        async throws
    {
        let services = HeldTransport()
        let running = try await Self.server(services, ["google-books"])
        let book = try #require(FakeLibrary().book(Self.atServices))
        let first = try running.request("GET", Self.byISBN(Self.atServices.isbn13))
        #expect(first.status == 200 && first.fields["x-cache"] == "MISS", "\(first.text)")
        #expect(try Self.works(first).map { $0["title"] as? String } == [book.title])
        #expect(try Self.isbns(first) == [Self.atServices.isbn13])
        #expect(try Self.metadata(first)["provider"] as? String == "google-books")
        #expect(try Self.metadata(first)["cached"] as? Bool == false)
        #expect(services.count == 1)
        let again = try running.request("GET", Self.byISBN(Self.atServices.isbn13))
        #expect(again.fields["x-cache"] == "HIT")
        #expect(try Self.metadata(again)["cached"] as? Bool == true)
        #expect(try Self.metadata(again)["provider"] as? String == "google-books")
        let flat = try running.request(
            "GET", Self.byISBN(Self.atServices.isbn13), [("X-API-Version", "3")])
        #expect((try flat.json()["data"] as? [String: Any])?["title"] as? String == book.title)
        #expect(services.count == 1, "another shape of the same answer")
        #expect(!FileManager.default.fileExists(atPath: running.store), "nothing is written into the library")
        await running.server.stop()
    }

    @Test func `store and catalog go before services, and with the scope local no service is asked`()
        async throws
    {
        let services = HeldTransport()
        let running = try await Self.server(services)
        #expect(try Self.works(try running.request("GET", Self.byISBN(Self.inCatalog))).count == 1)
        #expect(services.count == 0)
        await running.server.stop()
        let local = try await Self.server(services) { $0.searchesServices = false }
        let answer = try local.request("GET", Self.byISBN(Self.atServices.isbn13))
        #expect(answer.status == 200)
        #expect(try Self.works(answer).isEmpty)
        #expect(try Self.metadata(answer)["provider"] as? String == "none")
        #expect(services.count == 0)
        await local.server.stop()
    }

    @Test func `a book that only the user's row knows gets from services what the row lacks`() async throws {
        let services = HeldTransport()
        let running = try await Self.server(services, ["google-books"])
        let (isbn, other) = (Self.isbns.known[1], Self.isbns.known[2])
        let book = try #require(FakeLibrary().book(isbn))
        let (job, token) = try running.accepted(
            "Title,Author,ISBN,Publisher\n\(book.title),\(book.authorName),\(isbn.isbn13),My Press\n"
                + "Something Else,Ann Own,\(other.isbn13),My Press\n")
        try running.wait(for: job, token)
        func editions(_ answer: RawClient.Answer) throws -> [[String: Any]] {
            let data = try #require(try answer.json()["data"] as? [String: Any], "\(answer.text)")
            return try #require(data["editions"] as? [[String: Any]])
        }
        let byISBN = try running.request("GET", Self.byISBN(isbn.isbn13))
        let edition = try #require(try editions(byISBN).first)
        #expect(edition["publisher"] as? String == "My Press", "\(byISBN.text)")
        #expect(edition["pageCount"] != nil)
        let work = try #require(try Self.works(byISBN).first)
        #expect(work["description"] != nil && work["primaryProvider"] as? String == "google-books")
        #expect(try Self.metadata(byISBN)["provider"] as? String == "google-books")
        let title = book.title.replacing(" ", with: "%20")
        let byTitle = try running.request("GET", "/v1/search/title?q=\(title)")
        #expect(try Self.works(byTitle).count == 1 && Self.works(byTitle)[0]["description"] != nil)
        #expect(try editions(byTitle)[0]["publisher"] as? String == "My Press")
        // The row has the ISBN of another book.
        let wrong = try Self.works(try running.request("GET", Self.byISBN(other.isbn13)))
        #expect(wrong.map { $0["title"] as? String } == ["Something Else"])
        #expect(wrong[0]["description"] == nil && wrong[0]["primaryProvider"] == nil)
        let results = try running.data("/v1/jobs/\(job)/results", token: token)
        let stored = try #require((results["books"] as? [[String: Any]])?.first)
        #expect(stored["description"] == nil, "nothing is written into the library")
        await running.server.stop()
    }

    @Test func `books that only a service has are found by title, by author and by both`() async throws {
        let book = try #require(FakeLibrary().book(Self.atServices))
        let title = book.title.replacing(" ", with: "%20")
        let author = book.authorName.replacing(" ", with: "%20")
        for name in ["openlibrary", "google-books"] {
            let services = HeldTransport()
            let running = try await Self.server(services, [name])
            let byTitle = try running.request("GET", "/v1/search/title?q=\(title)")
            #expect(try Self.works(byTitle).map { $0["title"] as? String } == [book.title], "\(byTitle.text)")
            #expect(try Self.metadata(byTitle)["provider"] as? String == name)
            let edition = try #require(try Self.isbns(byTitle).first)
            #expect(ISBN(edition).flatMap { FakeLibrary().book($0)?.title } == book.title)
            let shown = (try byTitle.json()["data"] as? [String: Any])?["editions"] as? [[String: Any]]
            #expect(shown?.first?["publisher"] is String, "\(byTitle.text)")
            let flat =
                try running.request("GET", "/api/v2/search?q=\(title)").json()["data"] as? [String: Any]
            #expect((flat?["books"] as? [[String: Any]])?.first?["isbn"] as? String == edition)
            let byAuthor = try running.request("GET", "/v1/search/author?q=\(author)&limit=3")
            #expect(try Self.works(byAuthor).count == 3, "\(byAuthor.text)")
            let data = try byAuthor.json()["data"] as? [String: Any]
            let authors = data?["authors"] as? [[String: Any]]
            #expect(authors?.map { $0["name"] as? String } == [book.authorName])
            let count = services.count
            #expect(count == 2)
            _ = try running.request("GET", "/v1/search/author?q=\(author)&limit=2")
            _ = try running.request("GET", "/api/v2/search?q=\(title)")
            #expect(services.count == count, "the answers serve other limits and shapes")
            if name == "openlibrary" {
                let both = try running.request("GET", "/v1/search/advanced?title=\(title)&author=\(author)")
                #expect(try Self.works(both).count == 1, "\(both.text)")
            }
            await running.server.stop()
        }
    }

    @Test func `fifty clients that ask for one unknown book cause one call`() async throws {
        let services = HeldTransport(isOpen: false)
        let running = try await Self.server(services, ["google-books"])
        var clients: [RawClient] = []
        for number in 0..<50 {
            let client = try running.client()
            // Half of them want the other shape.
            let field = number % 2 == 0 ? "" : "X-API-Version: 3\n"
            try client.send("GET \(Self.byISBN(Self.nowhere)) HTTP/1.1\nHost: localhost\n\(field)\n")
            clients.append(client)
        }
        await services.asked.wait()
        services.opened.raise()
        let answers = try clients.map { try $0.answer() }
        #expect(answers.enumerated().allSatisfy { $1.status == ($0 % 2 == 0 ? 200 : 404) })
        #expect(services.count == 1)
        await running.server.stop()
    }

    @Test func `what no service has is kept as well, and a flat answer names who was asked`() async throws {
        let services = HeldTransport()
        let running = try await Self.server(services)
        let answer = try running.request("GET", Self.byISBN(Self.nowhere))
        #expect(answer.status == 200)
        #expect(try Self.works(answer).isEmpty)
        #expect(try Self.metadata(answer)["provider"] as? String == "none")
        let count = services.count
        #expect(count == 3, "one call of each service of books")
        #expect(try running.request("GET", Self.byISBN(Self.nowhere)).fields["x-cache"] == "HIT")
        let flat = try running.request("GET", Self.byISBN(Self.nowhere), [("X-API-Version", "3")])
        #expect(flat.status == 404)
        let details = try RunningServer.error(flat)["details"] as? [String: Any]
        #expect(
            (details?["providersSearched"] as? [String]) == Self.ofBooks)
        #expect(services.count == count)
        await running.server.stop()
    }

    @Test func `answers outlive the server, and look-ups and searches share them`() async throws {
        let first = HeldTransport()
        let running = try await Self.server(first)
        let (found, looked) = (Self.atServices.isbn13, Self.isbns.known[1].isbn13)
        #expect(try Self.isbns(try running.request("GET", Self.byISBN(found))) == [found])
        #expect(
            try running.request("POST", "/api/v2/books/enrich", body: "{\"barcode\":\"\(looked)\"}").status
                == 200
        )
        await running.server.stop()
        let second = HeldTransport()
        let later = try await Self.server(second, sample: running.sample)
        #expect(try Self.isbns(try later.request("GET", Self.byISBN(found))) == [found])
        #expect(try Self.isbns(try later.request("GET", Self.byISBN(looked))) == [looked])
        #expect(second.count == 0)
        await later.server.stop()
    }

    @Test func `a service that fails is passed over for the next ones`() async throws {
        let services = HeldTransport(["openlibrary": FakeFaults(share: 1, kinds: [.serverError])])
        let running = try await Self.server(services, Self.ofBooks)
        let answer = try running.request("GET", Self.byISBN(Self.atServices.isbn13))
        #expect(try Self.metadata(answer)["provider"] as? String == "google-books", "\(answer.text)")
        #expect(try Self.isbns(answer) == [Self.atServices.isbn13])
        #expect(services.count == 4, "the others, and the one that failed once more")
        await running.server.stop()
    }

    private static let failures: [(kind: FakeFaults.Kind, status: Int, code: String)] = [
        (.serverError, 502, "PROVIDER_ERROR"), (.page, 502, "PROVIDER_ERROR"),
        (.throttled, 503, "CIRCUIT_OPEN"), (.mismatch, 502, "PROVIDER_ERROR"),
    ]

    @Test(arguments: failures)
    func `if no service answers, the answer is the contract's error, and nothing is kept`(
        kind: FakeFaults.Kind, status: Int, code: String
    ) async throws {
        let names = FakeServices.names.map { ($0, FakeFaults(share: 1, kinds: [kind])) }
        let services = HeldTransport(Dictionary(uniqueKeysWithValues: names))
        let running = try await Self.server(services)
        let answer = try running.request("GET", Self.byISBN(Self.atServices.isbn13))
        #expect(answer.status == status, "\(answer.text)")
        let error = try RunningServer.error(answer)
        #expect(error["code"] as? String == code && error["retryable"] as? Bool == true)
        #expect(FakeServices.names.contains(try #require(error["provider"] as? String)))
        #expect((error["retryAfterMs"] != nil) == (status == 503))
        let details = try #require(error["details"] as? [String: Any])
        #expect(details["provider"] as? String == error["provider"] as? String)
        #expect(details["error"] is String)
        if kind == .serverError { #expect(details["status"] as? Int == 503) }
        #expect(try running.request("GET", Self.byISBN(Self.atServices.isbn13)).status == status)
        await running.server.stop()
    }

    @Test func `a service whose daily quota is spent is passed over, and the error says until when`()
        async throws
    {
        let services = HeldTransport()
        let running = try await Self.server(services, ["openlibrary", "google-books"]) { settings in
            let make = settings.jobs.lookUps.services
            settings.jobs.lookUps.services = { (names, isOffline, plan) throws(ETLError) in
                var asked = try make(names, isOffline, plan)
                asked.limits?.quota = .init(calls: 1)
                return asked
            }
        }
        for (number, provider) in ["openlibrary", "google-books"].enumerated() {
            let answer = try running.request("GET", Self.byISBN(Self.isbns.known[number].isbn13))
            #expect(try Self.metadata(answer)["provider"] as? String == provider, "\(answer.text)")
        }
        #expect(services.count == 2)
        for target in [Self.byISBN(Self.isbns.known[2].isbn13), "/v1/search/title?q=nobody"] {
            let answer = try running.request("GET", target)
            let error = try RunningServer.error(answer)
            #expect(answer.status == 502 && error["code"] as? String == "PROVIDER_ERROR", "\(answer.text)")
            #expect(error["retryable"] as? Bool == true)
            let wait = try #require(error["retryAfterMs"] as? Int)
            #expect(wait > 0 && wait <= 86_400_000)
            let details = error["details"] as? [String: Any]
            #expect(details?["provider"] as? String == error["provider"] as? String)
            #expect(details?["error"] as? String == "quota")
            #expect(services.count == 2, "nothing is asked again")
        }
        await running.server.stop()
    }

    @Test func `an open circuit breaker is told without waiting for it to close`() async throws {
        let transport = SwitchedTransport()
        transport.isDown.withLock { $0 = false }
        let running = try await Self.server(transport, ["google-books"]) {
            $0.searchTimeout = 20_000_000_000
            $0.searchTurn = 1_000_000_000
        }
        #expect(try running.request("GET", Self.byISBN(Self.atServices.isbn13)).status == 200)
        transport.isDown.withLock { $0 = true }
        var errors: [[String: Any]] = []
        for isbn in Self.isbns.known[1..<8] {
            errors.append(try RunningServer.error(try running.request("GET", Self.byISBN(isbn.isbn13))))
        }
        #expect(errors.first?["code"] as? String == "PROVIDER_ERROR")
        let last = try #require(errors.last)
        #expect(last["code"] as? String == "CIRCUIT_OPEN", "\(errors)")
        #expect(((last["details"] as? [String: Any])?["error"] as? String) == "down")
        let wait = try #require(last["retryAfterMs"] as? Int)
        #expect(wait > 0 && wait <= 60_000)
        await running.server.stop()
    }

    @Test func `searches that wait for a silent service hold up no others, and end with it`() async throws {
        let services = HeldTransport(isOpen: false)
        let running = try await Self.server(services)
        var clients: [RawClient] = []
        for isbn in Self.isbns.unknown.prefix(20) {
            let client = try running.client()
            try client.send("GET \(Self.byISBN(isbn.isbn13)) HTTP/1.1\nHost: localhost\n\n")
            clients.append(client)
        }
        await services.asked.wait()
        #expect(try Self.works(try running.request("GET", Self.byISBN(Self.inCatalog))).count == 1)
        await running.server.stop()
        services.opened.raise()
    }

    @Test func `services that are silent for the time of a search end in PROVIDER_TIMEOUT`() async throws {
        let services = HeldTransport(isOpen: false)
        let running = try await Self.server(services) {
            ($0.searchTimeout, $0.searchTurn) = (1_000_000_001, 1_000_000_000)
        }
        let answer = try running.request("GET", Self.byISBN(Self.atServices.isbn13))
        #expect(answer.status == 504, "\(answer.text)")
        #expect(try RunningServer.error(answer)["code"] as? String == "PROVIDER_TIMEOUT")
        services.opened.raise()
        await running.server.stop()
    }

    @Test func `with faults no search finds a wrong book, and no service is asked again for an answer`()
        async throws
    {
        let names = FakeServices.names.map {
            // Silence ends with the time of a request.
            (
                $0,
                FakeFaults(
                    share: 0.1, kinds: FakeFaults.kinds(of: $0).filter { $0 != .silent && $0 != .dripping })
            )
        }
        let services = HeldTransport(Dictionary(uniqueKeysWithValues: names))
        let running = try await Self.server(services, Self.ofBooks)
        var answered: [ISBN] = []
        for isbn in Self.isbns.known + Self.isbns.unknown {
            let answer = try running.request("GET", Self.byISBN(isbn.isbn13))
            guard answer.status == 200 else { continue }
            answered.append(isbn)
            let book = FakeLibrary().book(isbn)
            let works = try Self.works(answer)
            #expect(works.allSatisfy { $0["title"] as? String == book?.title }, "\(answer.text)")
            #expect(try Self.isbns(answer) == (works.isEmpty ? [] : [isbn.isbn13]))
        }
        #expect(answered.contains { FakeLibrary().book($0) != nil })
        let count = services.count
        for isbn in answered { #expect(try running.request("GET", Self.byISBN(isbn.isbn13)).status == 200) }
        #expect(services.count == count)
        #expect(!FileManager.default.fileExists(atPath: running.store))
        await running.server.stop()
    }
}
