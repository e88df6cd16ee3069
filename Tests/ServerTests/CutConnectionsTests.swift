import BooksTrack
import Foundation
import LinuxTransport
import TestSupport
import Testing

@testable import Server

/// The client, and a server behind connections of which one in ten is cut.
@Suite struct CutConnectionsTests {
    /// An answer; nil if there is none and the error says that the connection is to blame.
    private static func attempt<Value>(_ body: () async throws -> Value) async throws -> Value? {
        do { return try await body() } catch BooksTrackError.unreachable { return nil }
    }

    @Test func `an answer that is cut is no answer, wherever it is cut`() async throws {
        let server = try await RunningServer()
        let proxy = try CuttingProxy(to: server.server.port) { $0 * 31 }
        let client = BooksTrackClient(
            .init(
                server: try #require(URL(string: "http://127.0.0.1:\(proxy.port)")), deadline: .seconds(300),
                retries: RetryPolicy(attempts: 1)), transport: CurlTransport())
        var (cut, whole) = (0, 0)
        while whole == 0, cut < 1_000 {
            if let book = try await Self.attempt({ try await client.book(isbn: "9780441007318") }) {
                whole += 1
                #expect(book?.title == "The Left Hand of Darkness")
            } else {
                cut += 1
            }
        }
        // Each attempt gets further, to the end of the answer.
        #expect(whole == 1 && cut > 20)
        proxy.stop()
        await server.server.stop()
    }

    @Test(arguments: [EventChannel.webSocket, .stream])
    func `events that are cut break off, wherever they are cut`(channel: EventChannel) async throws {
        let server = try await RunningServer()
        let proxy = try CuttingProxy(to: server.server.port) { $0 * 31 }
        func client(_ port: UInt16) throws -> BooksTrackClient {
            BooksTrackClient(
                .init(
                    server: try #require(URL(string: "http://127.0.0.1:\(port)")), deadline: .seconds(300),
                    retries: RetryPolicy(attempts: 1)), transport: CurlTransport())
        }
        let sure = try client(server.server.port)
        let job = try await sure.importFile(Data("Title\nReef\n".utf8), named: "a.csv")
        #expect(try await Self.end(of: job, sure) == .completed)
        let cut = try client(proxy.port)
        var (attempts, end) = (0, JobUpdate.Kind?.none)
        while end == nil, attempts < 1_000 {
            attempts += 1
            end = try await Self.end(of: job, cut, over: [channel])
        }
        // Each attempt gets further. One that has told something new is followed by another one at once.
        #expect(end == .completed && attempts > 10)
        proxy.stop()
        await server.server.stop()
    }

    /// The last event of a job; nil if its events break off.
    private static func end(
        of job: Job, _ client: BooksTrackClient, over channels: Set<EventChannel> = Set(EventChannel.allCases)
    ) async throws -> JobUpdate.Kind? {
        try await attempt {
            var last = JobUpdate.Kind.started
            for try await event in client.events(of: job, over: channels) { last = event.kind }
            return last
        }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `every method ends with the right answer or a typed error`(seed: UInt64) async throws {
        let server = try await RunningServer(importing: true)
        var random = SeededGenerator(seed: seed)
        // Heads of requests, answers, and bodies: most exchanges are a few kilobytes.
        let places = (0..<1_000).map { _ in
            Int.random(in: 0..<10, using: &random) == 0 ? Int.random(in: 0..<4_000, using: &random) : nil
        }
        let proxy = try CuttingProxy(to: server.server.port) { places[$0 % places.count] }
        func client(_ port: UInt16) throws -> BooksTrackClient {
            BooksTrackClient(
                .init(
                    server: try #require(URL(string: "http://127.0.0.1:\(port)")), deadline: .seconds(300),
                    retries: RetryPolicy(firstPause: .milliseconds(1)), pollInterval: .milliseconds(1)),
                transport: CurlTransport())
        }
        let (sure, cut) = (try client(server.server.port), try client(proxy.port))
        let isbn = "9780441007318"
        let searches = (
            try await sure.book(isbn: isbn), try await sure.search(isbn: isbn).content,
            try await sure.books("dune"),
            try await sure.search(title: "dune").content, try await sure.search(author: "Le Guin").content,
            try await sure.search(title: "dune", author: "herbert").content,
            try await sure.lookUp(barcode: isbn)?.content
        )
        var answers = 0
        func check<Value: Equatable>(_ found: Value?, _ right: Value, _ what: String) {
            if let found {
                answers += 1
                #expect(found == right, "\(what)")
            }
        }
        let rounds = 8
        for _ in 0..<rounds {
            check(try await Self.attempt { try await cut.book(isbn: isbn) }, searches.0, "book")
            check(try await Self.attempt { try await cut.search(isbn: isbn).content }, searches.1, "ISBN")
            // Without vectors: the refusal, or a connection that was cut.
            let similar = try await Self.attempt { try? await cut.similar(isbn: isbn).books }
            #expect(similar.flatMap { $0 } == nil)
            check(try await Self.attempt { try await cut.books("dune") }, searches.2, "words")
            check(try await Self.attempt { try await cut.search(title: "dune").content }, searches.3, "title")
            check(
                try await Self.attempt { try await cut.search(author: "Le Guin").content }, searches.4,
                "author")
            check(
                try await Self.attempt { try await cut.search(title: "dune", author: "herbert").content },
                searches.5,
                "both")
            check(
                try await Self.attempt { try await cut.lookUp(barcode: isbn)?.content }, searches.6, "barcode"
            )
        }
        // Three attempts fail in one of a thousand requests.
        #expect(answers >= 7 * rounds - 2)
        for number in 0..<3 {
            let rows = Data("Title,Author\nReef \(number),Ana Lee\n,Nobody\n".utf8)
            guard let job = try await Self.attempt({ try await cut.importFile(rows, named: "a.csv") }) else {
                continue
            }
            for channels in [[.webSocket], [.stream], Set(EventChannel.allCases)] {
                check(try await Self.end(of: job, cut, over: channels), .completed, "events")
            }
            check(try await Self.attempt { try await cut.status(of: job).status }, .completed, "status")
            check(
                try await Self.attempt { try await cut.results(of: job).books.map(\.title) },
                ["Reef \(number)"], "results")
            check(
                try await Self.attempt { try await cut.rejectedRows(of: job) },
                try await sure.rejectedRows(of: job), "rejects")
            #expect(await cut.tokenEnd(of: job) == job.expiresAt)
            let corrected = Data(
                String(decoding: try await sure.rejectedRows(of: job), as: UTF8.self)
                    .replacingOccurrences(of: ",Nobody", with: "Shoal \(number),Nobody").utf8)
            if let second = try await Self.attempt({ try await cut.importCorrections(corrected, of: job) }) {
                check(try await Self.end(of: second, cut), .completed, "corrections")
                check(
                    try await sure.results(of: job).books.map(\.title),
                    ["Reef \(number)", "Shoal \(number)"],
                    "corrected results")
            }
            _ = try await Self.attempt { try await cut.cancel(job) }
        }
        // Without a model: the refusal, or a connection that was cut.
        let scan = try await Self.attempt { try? await cut.scan([ShelfPhoto(Data(), named: "a.png")]) }
        #expect(scan.flatMap { $0 } == nil)
        let none = Job(id: "none", token: "", expiresAt: Date(timeIntervalSince1970: 0))
        #expect(try await Self.attempt { try? await cut.scanResults(of: none) }.flatMap { $0 } == nil)
        let books = [RequestedBook(isbn: isbn)]
        if let job = try await Self.attempt({ try await cut.lookUp(books) }) {
            check(try await Self.end(of: job, cut), .completed, "events")
            let found = try await sure.foundBooks(of: job)
            check(try await Self.attempt { try await cut.foundBooks(of: job) }, found, "found books")
        }
        #expect(proxy.cutCount > 0)
        proxy.stop()
        await server.server.stop()
    }
}

extension SearchResults {
    /// What is found. How and when differs from answer to answer.
    fileprivate var content: SearchResults {
        var content = self
        content.metadata = nil
        return content
    }
}

extension EnrichedBook {
    /// The same for a book.
    var content: EnrichedBook {
        var content = self
        content.metadata = nil
        return content
    }
}
