import TestSupport
import Testing

@testable import Stages

@Suite struct EarlyWritingTests {
    @Test func `a file that is written early is the same, and its locks stay`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("early.sqlite")
        let connection = try Connection(path, .create)
        try connection.execute("PRAGMA cache_size = 10; CREATE TABLE t(b BLOB); BEGIN IMMEDIATE")
        let early = EarlyWriting(connection)
        let other = try Connection(path, .readWrite, busyMilliseconds: 0)
        for _ in 0..<100 {
            try connection.execute("INSERT INTO t VALUES (randomblob(4000))")
            early.begin()
        }
        #expect(throws: SQLiteError.self) { try other.execute("BEGIN IMMEDIATE") }
        try connection.execute("COMMIT")
        #expect(try other.integer("SELECT count(*) FROM t") == 100)
        #expect(try other.string("PRAGMA integrity_check") == "ok")
    }
}
