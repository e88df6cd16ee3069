import System
import TestSupport
import Testing

@testable import Database

@Suite struct ConnectionTests {
    private static let rows =
        "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 200000) "

    /// SQLite cannot write every size of a statement's journal to a file.
    @Test func `a statement that changes many pages of a temporary table succeeds`() throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(folder.file("s.sqlite"), .create)
        try connection.execute("PRAGMA temp_store = FILE")
        try connection.execute(
            "CREATE TEMP TABLE queue(a INTEGER, b INTEGER, PRIMARY KEY(a, b)) WITHOUT ROWID")
        for statement in [
            "DELETE FROM temp.queue", "DELETE FROM temp.queue WHERE b > 1", "DROP TABLE temp.queue",
        ] {
            try connection.execute("\(Self.rows) INSERT OR IGNORE INTO temp.queue SELECT 0, i FROM c")
            try connection.execute(statement)
        }
    }

    @Test func `statements are interrupted once a stop is raised, and only within the body`() throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(folder.file("s.sqlite"), .create)
        try connection.execute("CREATE TABLE t(a)")
        let stop = StopSignal()
        func fill() throws(ETLError) {
            try connection.transaction { () throws(ETLError) in
                try connection.execute("\(Self.rows) INSERT INTO t SELECT i FROM c")
            }
        }
        try connection.interrupting(at: stop) { () throws(ETLError) in try fill() }
        stop.raise()
        do throws(ETLError) {
            try connection.interrupting(at: stop) { () throws(ETLError) in try fill() }
            Issue.record("not interrupted")
        } catch {
            #expect(error.isInterrupt && error.kind == .temporary)
        }
        #expect(try connection.integer("SELECT count(*) FROM t") == 200_000)
        try fill()
        #expect(try connection.integer("SELECT count(*) FROM t") == 400_000)
    }

    @Test func `each commit that writes is observed, and no other`() throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(folder.file("s.sqlite"), .create)
        var commits = 0
        connection.observeCommits { commits += 1 }
        try connection.execute("CREATE TABLE t(a)")
        try connection.execute("INSERT INTO t VALUES (1)")
        try connection.transaction { () throws(ETLError) in
            try connection.execute("INSERT INTO t VALUES (2)")
        }
        _ = try connection.integer("SELECT count(*) FROM t")
        #expect(commits == 3)
    }
}
