import BooksTrack
import Contract
import FakeServices
import Foundation
import LinuxTransport
import System
import Testing

@testable import Server
@testable import TestSupport

/// Every method of the Swift client, against a running server.
@Suite struct ClientContractTests {
    private static let channels: [Set<EventChannel>] = [
        [.webSocket], [.stream], [.polling], [.webSocket, .stream, .polling],
    ]

    @Test(arguments: channels)
    func `an import is uploaded, followed and read`(channels: Set<EventChannel>) async throws {
        let server = try await RunningServer()
        let client = try server.app()
        let job = try await client.importFile(
            Data(try RunningServer.export.utf8), named: "library.csv", ImportOptions(library: "me"))
        let updates = try await client.updates(of: job, over: channels)
        #expect(updates.last?.kind == .completed && updates.last?.progress == 1)
        #expect(updates.filter(\.kind.isFinal).count == 1)
        let status = try await client.status(of: job)
        #expect(status.status == .completed && status.progress == 1)
        let results = try await client.results(of: job)
        #expect(!results.books.isEmpty && !results.errors.isEmpty)
        #expect(
            results.booksCreated + results.booksUpdated + results.duplicatesSkipped == results.books.count)
        if channels != [.polling] {
            #expect(updates.last?.summary?.successCount == results.books.count)
        }
        #expect(try await !client.rejectedRows(of: job).isEmpty)
        try await client.cancel(job)
        #expect(try await client.status(of: job).status == .completed)
        #expect(await client.tokenEnd(of: job) == job.expiresAt)
    }

    @Test func `rejected rows come back corrected`() async throws {
        let server = try await RunningServer()
        let client = try server.app()
        let job = try await client.importFile(
            Data("Title,Author\nReef,Ana Lee\n,Nobody\n".utf8), named: "a.csv")
        _ = try await client.updates(of: job, over: [.webSocket])
        let list = String(decoding: try await client.rejectedRows(of: job), as: UTF8.self)
        #expect(list.contains(",Nobody"))
        let corrected = try await client.importCorrections(
            Data(list.replacingOccurrences(of: ",Nobody", with: "Emma,Nobody").utf8), of: job)
        #expect(try await client.updates(of: corrected, over: [.webSocket]).last?.kind == .completed)
        #expect(try await client.results(of: job).books.map(\.title) == ["Reef", "Emma"])
    }

    @Test func `every method of the client is called here and over cut connections`() throws {
        var methods: Set<String> = []
        for folder in ["Requests", "Events"] {
            let path = "\(ProjectFiles.root)/Sources/Client/Sources/BooksTrack/\(folder)"
            for file in try FileManager.default.contentsOfDirectory(atPath: path) {
                let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
                methods.formUnion(
                    text.matches(of: #/public (?:nonisolated )?func (\w+)\(/#).map { String($0.1) })
            }
        }
        #expect(methods.count >= 13)
        for files in [["ClientContractTests", "RunningServer+Client"], ["CutConnectionsTests"]] {
            let text = try files.map {
                try String(
                    contentsOfFile: "\(ProjectFiles.root)/Tests/ServerTests/\($0).swift", encoding: .utf8)
            }.joined()
            for method in methods {
                let isCalled = [" ", "."].contains { text.contains("\($0)\(method)(") }
                #expect(isCalled, "\(files): \(method)")
            }
        }
    }

    @Test func `every code that the service sends is known to the client`() {
        for code in ErrorCode.allCases {
            #expect(ServiceError.Code(rawValue: code.rawValue) != nil, "\(code)")
        }
        for code in RunningServer.closeCodes {
            #expect(BooksTrackError.closed(.init(rawValue: code) ?? .unknown) != .closed(.unknown), "\(code)")
        }
    }

    @Test func `books are searched in every way`() async throws {
        let server = try await RunningServer(importing: true)
        let client = try server.app()
        let books = try await client.books("dune")
        let first = try #require(books.first { !$0.isbn.isEmpty })
        #expect(try await client.search(title: "dune").books.contains(first))
        #expect(try await !client.search(author: first.authors.first ?? "").books.isEmpty)
        #expect(try await !client.search(title: "dune", author: first.authors.first).books.isEmpty)
        #expect(try await client.search(isbn: first.isbn).editions.first?.isbns.contains(first.isbn) == true)
        #expect(try await client.book(isbn: first.isbn)?.title == first.title)
        #expect(try await client.book(isbn: "9780306406157") == nil)
        for search in [
            { try await client.similar(isbn: first.isbn).books },
            { try await client.books(about: "a desert") },
        ] {
            await #expect {
                try await search()
            } throws: {
                guard case .service(let error) = $0 as? BooksTrackError else { return false }
                return error.code == .invalidRequest
            }
        }
        await #expect {
            try await client.search(isbn: "12")
        } throws: {
            guard case BooksTrackError.service(let error) = $0 else { return false }
            return error.code == .invalidISBN && !error.isRetryable
        }
    }

    @Test func `one book is looked up, once for each key`() async throws {
        let server = try await RunningServer()
        let client = try server.app()
        let book = try #require(try await client.lookUp(barcode: "978-0-441-00731-8", key: "k"))
        #expect(book.work?.title == "The Left Hand of Darkness")
        #expect(book.edition?.isbns.contains("9780441007318") == true)
        #expect(book.authors?.map(\.name) == ["Ursula K. Le Guin"])
        #expect(try await client.lookUp(barcode: "9780441007318", key: "k")?.content == book.content)
        #expect(
            try await client.lookUp(barcode: "9780441007318", preferring: .isbndb)?.content == book.content)
        #expect(try await client.lookUp(barcode: "9780306406157") == nil)
        for (barcode, key, code) in [
            ("12", nil, ServiceError.Code.invalidISBN), ("9780306406157", "k", .invalidRequest),
        ] {
            await #expect {
                try await client.lookUp(barcode: barcode, key: key)
            } throws: {
                guard case BooksTrackError.service(let error) = $0 else { return false }
                return error.code == code && !error.isRetryable
            }
        }
    }

    @Test func `many books are looked up at once`() async throws {
        let server = try await RunningServer()
        let client = try server.app()
        let job = try await client.lookUp([RequestedBook(title: "Dune", author: "Frank Herbert")])
        #expect(try await client.updates(of: job, over: [.webSocket]).last?.kind == .completed)
        let found = try #require(try await client.foundBooks(of: job).first)
        #expect(found.work?.title.contains("Dune") == true)
        #expect(Book(found)?.authors.isEmpty == false)
    }

    private static func photo(_ json: String, _ name: String) -> ShelfPhoto {
        ShelfPhoto(Data(FakePhoto.png(json)), named: name)
    }

    private static let spines =
        #"[{"title":"Neuromancer","author":"William Gibson","confidence":0.9,"box":[0,0,900,50]},"#
        + #"{"title":"Zzyzx Unknown","confidence":0.95}]"#

    @Test(arguments: [[EventChannel.webSocket], [.stream], [.polling]] as [Set<EventChannel>], [1, 2])
    func `photos are read, and their progress is followed`(over channels: Set<EventChannel>, count: Int)
        async throws
    {
        let model = FakeTransport(FakeServices(), clock: ManualClock())
        let running = try await RunningServer.scanning(model)
        let client = try running.app()
        let photos = [
            Self.photo(Self.spines, "a \"quoted\" name.png"),
            Self.photo(#"{"fault":"safety","books":[]}"#, "b.png"),
        ]
        let job = try await client.scan(Array(photos.prefix(count)))
        let updates = try await client.updates(of: job, over: channels)
        #expect(updates.last?.kind == .completed && updates.last?.progress == 1)
        if channels != [.polling] {
            #expect(updates.first?.kind == .started)
            #expect(updates.contains { $0.text == "Processing image \(count) of \(count)" })
        }
        let results = try await client.scanResults(of: job)
        #expect(results.totalDetected == 2 && results.approved == 1 && results.needsReview == 1)
        #expect(results.books.map(\.title) == ["Neuromancer", "Zzyzx Unknown"])
        #expect(results.books.map(\.enrichmentStatus) == [.success, .notFound])
        #expect(results.books.map { $0.boundingBox?.height } == [0.9, nil])
        #expect(results.books[0].enrichment.authors.map(\.name) == ["William Gibson"])
        #expect(results.books.allSatisfy { !$0.isDuplicate })
        #expect(results.metadata.modelUsed == "gemini-2.0-flash-exp")
        await running.server.stop()
    }

    @Test func `a batch that nobody can read fails, and one that is canceled says so`() async throws {
        let model = HeldTransport()
        let running = try await RunningServer.scanning(model)
        let client = try running.app()
        let refused = [1, 2].map { Self.photo(#"{"fault":"safety","books":[\#($0)]}"#, "\($0).png") }
        let last = try await client.updates(of: try await client.scan(refused), over: [.webSocket]).last
        #expect(last?.kind == .failed && last?.error?.code == .batchScanError)
        let held = HeldTransport(isOpen: false)
        let waiting = try await RunningServer.scanning(held)
        let slow = try waiting.app()
        let job = try await slow.scan([Self.photo("[]", "a.png"), Self.photo("[]", "b.png")])
        await held.asked.wait()
        try await slow.cancel(job)
        #expect(try await slow.updates(of: job, over: [.webSocket]).last?.kind == .canceled)
        held.opened.raise()
        await waiting.server.stop()
        await running.server.stop()
    }

    @Test func `a service without a model says so`() async throws {
        let running = try await RunningServer()
        let client = try running.app(attempts: 1)
        await #expect {
            try await client.scan([Self.photo("[]", "a.png")])
        } throws: {
            guard case BooksTrackError.service(let error) = $0 else { return false }
            return error.status == 503
        }
        await running.server.stop()
    }

    @Test func `a wrong token is a typed error`() async throws {
        let server = try await RunningServer()
        let client = try server.app()
        let job = Job(id: "none", token: "wrong", expiresAt: Date(timeIntervalSince1970: 0))
        await #expect {
            try await client.status(of: job)
        } throws: {
            guard case BooksTrackError.service(let error) = $0 else { return false }
            return error.code == .unauthorized || error.code == .notFound
        }
    }

    @Test func `a server that is not there is a typed error, over each channel`() async throws {
        // The port stays ours, so no other test's server can have it, and nothing listens.
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isBound)
        let port = try #require(ListeningSocket.port(of: descriptor))
        let client = BooksTrackClient(
            .init(
                server: try #require(URL(string: "http://127.0.0.1:\(port)")),
                retries: RetryPolicy(attempts: 1)), transport: CurlTransport())
        func isUnreachable(_ error: any Error) -> Bool {
            if case BooksTrackError.unreachable = error { true } else { false }
        }
        await #expect {
            try await client.book(isbn: "9780441013593")
        } throws: {
            isUnreachable($0)
        }
        let job = Job(id: "none", token: "none", expiresAt: Date(timeIntervalSince1970: 0))
        for channel in EventChannel.allCases {
            await #expect {
                try await client.updates(of: job, over: [channel])
            } throws: {
                isUnreachable($0)
            }
        }
    }
}
