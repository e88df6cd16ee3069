import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Books
@testable import Database

@Suite struct StoreFileTests {
    /// The files of a store whose first run was killed in the middle of a transaction.
    private func killedStore(in folder: TemporaryFolder) throws -> String {
        let path = folder.file("live.sqlite")
        let connection = try StoreFile.openForWriting(path)
        // With no cache to speak of, SQLite writes pages of the open transaction to the file.
        try connection.execute(
            """
            PRAGMA cache_size = 1;
            BEGIN;
            CREATE TABLE unfinished (filler);
            INSERT INTO unfinished SELECT zeroblob(200000) FROM sqlite_schema;
            """)
        let copy = folder.file("killed ?#%.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try FileManager.default.copyItem(atPath: path + "-journal", toPath: copy + "-journal")
        return copy
    }

    @Test func aStoreWhoseFirstRunWasKilledIsReadAsItLastWas() throws {
        let folder = try TemporaryFolder()
        let path = try killedStore(in: folder)
        #expect(throws: SQLiteError.self, "the journal is hot: without writing it cannot be taken back") {
            try Connection(path, .readOnly).integer("SELECT count(*) FROM sqlite_schema")
        }
        let connection = try StoreFile.openForReading(path)
        #expect(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'unfinished'") == 0)
        #expect(try connection.integer("SELECT count(*) FROM jobs") == 0)
    }

    @Test func aStoreThatARunWasKilledMakingIsNoneYetAndIsMadeByTheNext() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "library.sqlite")
        #expect(try StoreFile.openIfBegun(path)?.path == nil)
        #expect(throws: StageFailure.self) { try StoreFile.openForReading(path) }
        #expect(try StoreFile.openForWriting(path).integer("SELECT count(*) FROM jobs") == 0)
        #expect(try StoreFile.openIfBegun(path)?.path == path)
        #expect(try StoreFile.openIfBegun(folder.file("none.sqlite"))?.path == nil)
    }

    @Test func aCopyIsAStoreOfItsOwn() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("library.sqlite")
        _ = try StoreFile.openForWriting(path)
        try StoreFile.copy(path, to: folder.file("copy's.sqlite"))
        let copy = try StoreFile.openForReading(folder.file("copy's.sqlite"))
        #expect(try copy.integer("SELECT count(*) FROM jobs") == 0)
    }

    @Test func aReaderWritesNothing() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("library.sqlite")
        _ = try StoreFile.openForWriting(path)
        let connection = try StoreFile.openForReading(path)
        #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM jobs") }
    }

    @Test func aStoreInAFolderThatCannotBeWrittenIsReadWithoutItsLog() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("what? #1 100%.sqlite")
        do {
            let connection = try StoreFile.openForWriting(path)
            try StoreFile.finishFilling(connection)
        }
        let connection = try Connection(path, .immutable)
        #expect(try connection.integer("SELECT count(*) FROM jobs") == 0)
        #expect(folder.names == ["what? #1 100%.sqlite"])
    }

    @Test func aNewStoreIsItsOwnersAlone() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("library.sqlite")
        _ = try StoreFile.openForWriting(path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func whatIsNoStoreIsRefusedAndLeftAlone() throws {
        let folder = try TemporaryFolder()
        let other = folder.file("other.sqlite")
        try Connection(other, .create).execute("CREATE TABLE t (x)")
        let text = try folder.write("title,author\n", to: "books.csv")
        #expect(throws: StageFailure.self) { try StoreFile.openForWriting(other) }
        #expect(throws: StageFailure.self) { try StoreFile.openForReading(other) }
        #expect(throws: StageFailure.self) { try StoreFile.openForWriting(text) }
        #expect(throws: StageFailure.self) { try StoreFile.openForReading(folder.file("none.sqlite")) }
        #expect(try Connection(other, .readOnly).integer("SELECT count(*) FROM sqlite_schema") == 1)
        #expect(try String(contentsOfFile: text, encoding: .utf8) == "title,author\n")
    }

    @Test func aStoreOfANewerProgramIsNotTouched() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("library.sqlite")
        try StoreFile.openForWriting(path).execute("PRAGMA user_version = 999")
        let refusal = #expect(throws: StageFailure.self) { try StoreFile.openForWriting(path) }
        #expect(refusal?.kind == .configuration)
        #expect(refusal?.message.contains("newer version") == true)
    }
}
