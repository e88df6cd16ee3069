import System
import TestSupport
import Testing

@testable import Database

@Suite struct SQLiteValueTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(":memory:", .create)
        try connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, value)")
    }

    @Test func `values are bound in their order, with their types`() throws {
        let none: String? = nil
        let types = try #require(
            try connection.row(
                """
                SELECT typeof(?1), typeof(?2), typeof(?3), typeof(?4), typeof(?5), typeof(?6), typeof(?7), typeof(?8)
                """, 1 as Int64, 2, true, 0.5, "", [] as [UInt8], ArraySlice<UInt8>([1]), none))
        #expect(
            (0..<8).map { types.string($0) } == [
                "integer", "integer", "integer", "real", "text", "blob", "blob", "null",
            ])
    }

    @Test func `a statement runs again with other values`() throws {
        let insert = try connection.prepare("INSERT INTO t VALUES (?1, ?2)")
        for id in 1...3 { try insert.run(id, "\(id)") }
        try connection.execute("UPDATE t SET value = ?2 WHERE id = ?1", 2, nil as String?)
        let read = try connection.prepare("SELECT value FROM t WHERE id = ?1")
        var found: [String?] = []
        for id in 1...4 where try read.first(id) {
            found.append(read.optionalString(0))
            read.reset()
        }
        #expect(found == ["1", nil, "3"])
        #expect(try connection.row("SELECT value FROM t WHERE id = ?1", 4) == nil)
        let rest = try connection.query("SELECT id FROM t WHERE id > ?1 ORDER BY id", 1)
        var ids: [Int64] = []
        while try rest.next() { ids.append(rest.integer(0)) }
        #expect(ids == [2, 3])
    }
}
