import System
import TestSupport
import Testing

@testable import Database

@Suite struct EarlyWritebackTests {
    @Test func `a file written back early has the same content and keeps its locks`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("early.sqlite")
        let connection = try Connection(path, .create)
        try connection.execute("PRAGMA cache_size = 10; CREATE TABLE t(b BLOB); BEGIN IMMEDIATE")
        let early = EarlyWriteback(connection)
        #expect(early.descriptor != nil)
        let other = try Connection(path, .readWrite, busyMilliseconds: 0)
        for _ in 0..<100 {
            try connection.execute("INSERT INTO t VALUES (randomblob(4000))")
            early.begin()
        }
        #expect(throws: ETLError.self) { try other.execute("BEGIN IMMEDIATE") }
        try connection.execute("COMMIT")
        #expect(try other.integer("SELECT count(*) FROM t") == 100)
        #expect(try other.string("PRAGMA integrity_check") == "ok")
    }

    @Test func `a reader delays the commit of a store, but not each inserted row`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("read.sqlite")
        // Waiting for the reader whenever the cache is full would take longer than any test may.
        let connection = try Connection(path, .create, busyMilliseconds: 600_000)
        try connection.execute("PRAGMA cache_size = 10; CREATE TABLE t(b BLOB)")
        let reader = try Connection(path, .reading)
        try reader.begin(isDeferred: true)
        #expect(try reader.integer("SELECT count(*) FROM t") == 0)
        try connection.begin()
        connection.failWhenBusy()
        for _ in 0..<100 { try connection.execute("INSERT INTO t VALUES (randomblob(4000))") }
        #expect(throws: ETLError.self) { try connection.commit() }
        try reader.commit()
        connection.waitWhenBusy(LockWaitPolicy())
        try connection.execute("COMMIT")
        #expect(try connection.integer("SELECT count(*) FROM t") == 100)
    }
}
