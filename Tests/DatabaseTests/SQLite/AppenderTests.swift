import System
import TestSupport
import Testing

@testable import Database

@Suite struct AppenderTests {
    private struct Pair: AppendedRow {
        let id: Int64
        func put<Row: RowValues & ~Copyable>(into row: inout Row, from factor: Int64) { row.add(id * factor) }
    }

    @Test(arguments: [0, 1, 15, 16, 17, 32, 100])
    func `any number of rows is appended once and in order`(count: Int) throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(folder.file("rows.sqlite"), .create)
        try connection.execute("CREATE TABLE t(key INTEGER PRIMARY KEY, value INTEGER)")
        let rows = try Appender<Pair>(connection, table: "t", columns: ["key", "value"])
        for key in 0..<count { rows.append(Pair(id: Int64(key))) }
        try rows.flush(from: 3)
        #expect(try connection.integer("SELECT count(*) FROM t") == Int64(count))
        #expect(try connection.integer("SELECT count(*) FROM t WHERE value = 3 * key") == Int64(count))
        // Flushed rows are not flushed again.
        try rows.flush(from: 3)
        #expect(try connection.integer("SELECT count(*) FROM t") == Int64(count))
    }

    @Test(arguments: [1, 15, 16, 17, 40])
    func `the conflict clause applies to single rows and to groups`(count: Int) throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(folder.file("rows.sqlite"), .create)
        try connection.execute("CREATE TABLE t(key INTEGER PRIMARY KEY, value INTEGER)")
        let rows = try Appender<Pair>(
            connection, table: "t", columns: ["key", "value"],
            conflict: "ON CONFLICT(key) DO UPDATE SET value = excluded.value WHERE excluded.value > value")
        for factor: Int64 in [2, 7, 3] {
            for key in 1...count { rows.append(Pair(id: Int64(key))) }
            try rows.flush(from: factor)
        }
        #expect(try connection.integer("SELECT count(*) FROM t WHERE value = 7 * key") == Int64(count))
    }

    @Test func `a row that cannot be stored throws an error`() throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(folder.file("rows.sqlite"), .create)
        try connection.execute("CREATE TABLE t(key INTEGER PRIMARY KEY, value INTEGER)")
        let rows = try Appender<Pair>(connection, table: "t", columns: ["key", "value"])
        for key in [1, 2, 1] { rows.append(Pair(id: Int64(key))) }
        #expect(throws: ETLError.self) { try rows.flush(from: 1) }
    }
}
