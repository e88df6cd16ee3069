import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Application
@testable import Database

/// Answers to requests with idempotency keys, on disk.
@Suite struct KeptAnswerTests {
    private let folder: TemporaryFolder
    private var store: String { folder.file("library.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private static func answer(
        _ key: String, owner: String = "", question: String = "q", body: String = "{}", expiresAt: Int64 = 100
    ) -> KeptAnswer {
        KeptAnswer(
            owner: owner, key: key, question: question, status: 200, body: Array(body.utf8),
            expiresAt: expiresAt)
    }

    @Test func `the first answer of a key stays, also for the next process, until it expires`() async throws {
        let first = Self.answer("k", body: "first")
        let book = try OrderBook(store: store)
        #expect(try await book.keep(first, now: 1) == first)
        #expect(try await book.keep(Self.answer("k", question: "other", body: "later"), now: 2) == first)
        book.release()
        let next = try OrderBook(store: store)
        #expect(try await next.answer(of: "", "k", now: 99) == first)
        #expect(try await next.answer(of: "anna", "k", now: 99) == nil)
        #expect(try await next.answer(of: "", "K", now: 99) == nil)
        #expect(try await next.answer(of: "", "k", now: 100) == nil)
        let later = Self.answer("k", question: "other", body: "later", expiresAt: 200)
        #expect(try await next.keep(later, now: 100) == later)
    }

    @Test func `what has expired is deleted, and the oldest of too many`() async throws {
        let book = try OrderBook(store: store)
        for number in 0..<10 {
            _ = try await book.keep(Self.answer("k\(number)", expiresAt: number < 2 ? 5 : 100), now: 1)
        }
        try await book.purge(now: 5)
        #expect(try await book.count == 8)
        try await book.purgeAnswers(now: 5, leaving: 3)
        #expect(try await book.count == 3)
        #expect(try await book.answer(of: "", "k6", now: 5) == nil)
        #expect(try await book.answer(of: "", "k7", now: 5) != nil)
        try await book.purgeAnswers(now: 5, leaving: 3)
        #expect(try await book.count == 3)
    }
}

extension OrderBook {
    fileprivate var count: Int64? {
        get throws { try connection.integer("SELECT count(*) FROM answers") }
    }
}
