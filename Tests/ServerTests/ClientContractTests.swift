import BooksTrackClient
import Foundation
import TestSupport
import Testing

@testable import Server

/// Every method of the Swift client, against a running server.
@Suite struct ClientContractTests {
    private func client(_ server: RunningServer) throws -> BooksTrackClient {
        BooksTrackClient(.init(server: try #require(URL(string: "http://127.0.0.1:\(server.server.port)"))))
    }

    @Test func `an import is uploaded, followed and read`() async throws {
        let server = try await RunningServer()
        let client = try client(server)
        let job = try await client.importFile(
            Data(try RunningServer.export.utf8), named: "library.csv", ImportOptions(library: "me"))
        var events: [JobUpdate] = []
        for try await event in client.events(of: job) { events.append(event) }
        #expect(events.last?.kind == .completed)
        let status = try await client.status(of: job)
        #expect(status.status == .completed && status.progress == 1)
        let results = try await client.results(of: job)
        #expect(!results.books.isEmpty && !results.errors.isEmpty)
        #expect(
            results.booksCreated + results.booksUpdated + results.duplicatesSkipped == results.books.count)
        #expect(try await !client.rejectedRows(of: job).isEmpty)
        try await client.cancel(job)
        #expect(try await client.status(of: job).status == .completed)
    }

    @Test func `books are searched in every way`() async throws {
        let server = try await RunningServer(importing: true)
        let client = try client(server)
        let books = try await client.books("dune")
        let first = try #require(books.first { !$0.isbn.isEmpty })
        #expect(try await client.search(title: "dune").books.contains(first))
        #expect(try await !client.search(author: first.authors.first ?? "").books.isEmpty)
        #expect(try await !client.search(title: "dune", author: first.authors.first).books.isEmpty)
        #expect(try await client.search(isbn: first.isbn).editions.first?.isbns.contains(first.isbn) == true)
        #expect(try await client.book(isbn: first.isbn)?.title == first.title)
        #expect(try await client.book(isbn: "9780306406157") == nil)
        await #expect {
            try await client.search(isbn: "12")
        } throws: {
            guard case BooksTrackError.service(let error) = $0 else { return false }
            return error.code == .invalidISBN && !error.isRetryable
        }
    }

    @Test func `one book is looked up, once for each key`() async throws {
        let server = try await RunningServer()
        let client = try client(server)
        let book = try #require(try await client.enrichedBook(barcode: "978-0-441-00731-8", key: "k"))
        #expect(book.work?.title == "The Left Hand of Darkness")
        #expect(book.edition?.isbns.contains("9780441007318") == true)
        #expect(book.authors?.map(\.name) == ["Ursula K. Le Guin"])
        #expect(try await client.enrichedBook(barcode: "9780441007318", key: "k") == book)
        #expect(try await client.enrichedBook(barcode: "9780441007318", preferring: "isbndb") == book)
        #expect(try await client.enrichedBook(barcode: "9780306406157") == nil)
        for (barcode, key, code) in [
            ("12", nil, ServiceError.Code.invalidISBN), ("9780306406157", "k", .invalidRequest),
        ] {
            await #expect {
                try await client.enrichedBook(barcode: barcode, key: key)
            } throws: {
                guard case BooksTrackError.service(let error) = $0 else { return false }
                return error.code == code && !error.isRetryable
            }
        }
    }

    @Test func `many books are looked up at once`() async throws {
        let server = try await RunningServer()
        let client = try client(server)
        let job = try await client.lookUp([RequestedBook(title: "Dune", author: "Frank Herbert")])
        var last: JobUpdate.Kind?
        for try await event in client.events(of: job) { last = event.kind }
        #expect(last == .completed)
    }

    @Test func `a wrong token and a server that is gone are typed errors`() async throws {
        let server = try await RunningServer()
        let client = try client(server)
        let job = Job(jobId: "none", token: "wrong", expiresAt: Date(timeIntervalSince1970: 0))
        await #expect {
            try await client.status(of: job)
        } throws: {
            guard case BooksTrackError.service(let error) = $0 else { return false }
            return error.code == .unauthorized || error.code == .notFound
        }
        await server.server.stop()
        await #expect(throws: BooksTrackError.self) { try await client.book(isbn: "9780441013593") }
    }
}
