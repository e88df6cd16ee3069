import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import Server

/// Answers to requests with idempotency keys, on disk.
@Suite struct IdempotencyRecordTests {
    private let folder: TemporaryFolder
    private var store: String { folder.file("library.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private static func answer(
        _ key: String, owner: String = "", question: String = "q", body: String = "{}", expiresAt: Int64 = 100
    ) -> IdempotencyRecord {
        IdempotencyRecord(
            owner: owner, key: key, question: question, status: 200, body: Array(body.utf8),
            expiresAt: expiresAt)
    }

    @Test func `the first answer of a key stays, also for the next process, until it expires`() async throws {
        let first = Self.answer("k", body: "first")
        let queue = try JobQueue(store: store)
        #expect(try await queue.keep(first, now: 1) == first)
        #expect(try await queue.keep(Self.answer("k", question: "other", body: "later"), now: 2) == first)
        queue.release()
        let next = try JobQueue(store: store)
        #expect(try await next.idempotencyRecord(of: "", "k", now: 99) == first)
        #expect(try await next.idempotencyRecord(of: "anna", "k", now: 99) == nil)
        #expect(try await next.idempotencyRecord(of: "", "K", now: 99) == nil)
        #expect(try await next.idempotencyRecord(of: "", "k", now: 100) == nil)
        let later = Self.answer("k", question: "other", body: "later", expiresAt: 200)
        #expect(try await next.keep(later, now: 100) == later)
    }

    @Test func `a queue of another version is refused with advice`() async throws {
        try JobQueue(store: store).release()
        try Connection(JobQueue.path(of: store), .readWrite).execute("PRAGMA user_version = 0")
        let refusal = #expect(throws: ETLError.self) { try JobQueue(store: store) }
        #expect(refusal?.message.contains("another version of etl") == true)
        #expect(refusal?.advice != nil)
    }

    @Test func `what has expired is deleted, and the oldest of too many`() async throws {
        let queue = try JobQueue(store: store)
        for number in 0..<10 {
            _ = try await queue.keep(Self.answer("k\(number)", expiresAt: number < 2 ? 5 : 100), now: 1)
        }
        try await queue.purge(now: 5)
        #expect(try await queue.count == 8)
        try await queue.purgeIdempotencyRecords(now: 5, leaving: 3)
        #expect(try await queue.count == 3)
        #expect(try await queue.idempotencyRecord(of: "", "k6", now: 5) == nil)
        #expect(try await queue.idempotencyRecord(of: "", "k7", now: 5) != nil)
        try await queue.purgeIdempotencyRecords(now: 5, leaving: 3)
        #expect(try await queue.count == 3)
    }
}

extension JobQueue {
    fileprivate var count: Int64? {
        get throws { try connection.integer("SELECT count(*) FROM idempotency_records") }
    }
}
