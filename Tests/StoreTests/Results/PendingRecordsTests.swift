import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Store
@testable import System

@Suite struct PendingRecordsTests {
    private let folder: TemporaryFolder
    private let connection: Connection

    init() throws {
        folder = try TemporaryFolder()
        connection = try StoreFile.openForWriting(folder.file("s.sqlite"))
    }

    /// The reasons a record is pending for after it was asked for again.
    private func renewed(_ before: String, _ answers: [(String, LookupOutcome)]) throws -> String? {
        try connection.execute("INSERT OR REPLACE INTO pending VALUES (1, 0, 7, '\(before)')")
        let open = PendingRecord(
            place: RecordPlace(file: 0, row: 7),
            unanswered: answers.map { UnansweredQuery(row: 0, service: $0.0, outcome: $0.1) })
        try PendingRecords(connection).renew([open], ofJob: 1)
        return try connection.string("SELECT reasons FROM pending WHERE job = 1 AND file = 0 AND row = 7")
    }

    @Test func `a pending record has the reasons of the last attempt`() throws {
        #expect(try renewed("a:timeout", [("a", .quota)]) == "a:quota")
        #expect(try renewed("a:timeout,b:down", [("b", .quota), ("a", .quota)]) == "a:quota,b:quota")
        #expect(try renewed("a:timeout,b:down", [("b", .down)]) == "b:down")
    }

    @Test func `a service that was not asked keeps its reason`() throws {
        #expect(try renewed("a:quota", [("a", .skipped)]) == "a:quota")
        #expect(try renewed("a:quota,b:down", [("a", .skipped), ("b", .timeout)]) == "a:quota,b:timeout")
        #expect(try renewed("a:quota", [("a", .skipped), ("a", .down)]) == "a:down")
        #expect(try renewed("a:quota", [("b", .skipped)]) == "b:skipped")
    }

    @Test func `a decided review stays pending`() throws {
        #expect(try renewed("review:decided", [("a", .quota)]) == "a:quota,review:decided")
        #expect(try renewed("review:decided", [("a", .skipped)]) == "review:decided")
        #expect(try renewed("a:down,review:decided", [("a", .quota)]) == "a:quota,review:decided")
    }

    @Test func `no record becomes pending`() throws {
        let open = PendingRecord(
            place: RecordPlace(file: 0, row: 8),
            unanswered: [UnansweredQuery(row: 0, service: "a", outcome: .down)])
        try PendingRecords(connection).renew([open], ofJob: 1)
        #expect(try connection.integer("SELECT count(*) FROM pending") == 0)
    }
}
