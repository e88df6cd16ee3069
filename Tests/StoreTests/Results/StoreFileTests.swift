import Books
import Foundation
import System
import TestSupport
import Testing

@testable import Bytes
@testable import Database
@testable import Store

@Suite struct StoreFileTests {
    /// The files of a store whose first run was killed during a transaction.
    private func killedStore(in folder: TemporaryFolder) throws -> String {
        let path = folder.file("live.sqlite")
        let connection = try StoreFile.openForWriting(path)
        // With almost no cache, SQLite writes pages of the open transaction to the file.
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

    @Test(arguments: [
        ("libary.sqlite", "library.sqlite"), ("library.sqlit", "library.sqlite"),
        ("library.db", "library.sqlite"),
        ("library", "library.sqlite"), ("other.sqlite", nil), ("books.db", nil),
    ])
    func `a mistyped store is told from those beside it`(name: String, meant: String?) throws {
        let folder = try TemporaryFolder()
        for name in ["library.sqlite", "library.sqlite.lock", "2024.sqlite"] {
            _ = try folder.write("x", to: name)
        }
        #expect(StoreFile.similar(to: folder.file(name)) == meant.map { folder.file($0) })
        guard let meant else { return }
        let error = #expect(throws: ETLError.self) { try StoreFile.openForReading(folder.file(name)) }
        let advice = error?.advice?.description ?? ""
        #expect(advice.hasPrefix("Did you mean `\(folder.file(meant))`?"))
    }

    @Test func `a store whose first run was killed is read in its last committed state`() throws {
        let folder = try TemporaryFolder()
        let path = try killedStore(in: folder)
        #expect(throws: ETLError.self, "a hot journal cannot be rolled back without writing") {
            try Connection(path, .readOnly).integer("SELECT count(*) FROM sqlite_schema")
        }
        let connection = try StoreFile.openForReading(path)
        #expect(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'unfinished'") == 0)
        #expect(try connection.integer("SELECT count(*) FROM jobs") == 0)
    }

    @Test func `an empty file left by a killed run is not a store and becomes one in the next run`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "library.sqlite")
        #expect(try StoreFile.openIfStarted(path)?.path == nil)
        #expect(throws: ETLError.self) { try StoreFile.openForReading(path) }
        #expect(try StoreFile.openForWriting(path).integer("SELECT count(*) FROM jobs") == 0)
        #expect(try StoreFile.openIfStarted(path)?.path == path)
        #expect(try StoreFile.openIfStarted(folder.file("none.sqlite"))?.path == nil)
    }

    @Test func `a new store that admits readers is read while its first transaction holds it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("library.sqlite")
        let writer = try StoreFile.openForWriting(path, admittingReaders: true)
        #expect(try writer.string("PRAGMA journal_mode") == "wal")
        // As strong as the lock of a large transaction that has outgrown its cache.
        try writer.execute("BEGIN EXCLUSIVE")
        #expect(try StoreFile.openIfStarted(path)?.integer("SELECT count(*) FROM jobs") == 0)
        try writer.execute("ROLLBACK")
        #expect(
            try StoreFile.openForWriting(folder.file("alone.sqlite")).string("PRAGMA journal_mode")
                == "persist")
    }

    @Test func `a copy is an independent store`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("library.sqlite")
        _ = try StoreFile.openForWriting(path)
        try StoreFile.copy(path, to: folder.file("copy's.sqlite"))
        let copy = try StoreFile.openForReading(folder.file("copy's.sqlite"))
        #expect(try copy.integer("SELECT count(*) FROM jobs") == 0)
    }

    @Test func `a connection for reading cannot write`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("library.sqlite")
        _ = try StoreFile.openForWriting(path)
        let connection = try StoreFile.openForReading(path)
        #expect(throws: ETLError.self) { try connection.execute("DELETE FROM jobs") }
    }

    @Test func `a store in a read-only folder is read without its log`() throws {
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

    @Test func `only the owner can access a new store`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("library.sqlite")
        _ = try StoreFile.openForWriting(path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `other files are rejected and left unchanged`() throws {
        let folder = try TemporaryFolder()
        let other = folder.file("other.sqlite")
        try Connection(other, .create).execute("CREATE TABLE t (x)")
        let text = try folder.write("title,author\n", to: "books.csv")
        #expect(throws: ETLError.self) { try StoreFile.openForWriting(other) }
        #expect(throws: ETLError.self) { try StoreFile.openForReading(other) }
        #expect(throws: ETLError.self) { try StoreFile.openForWriting(text) }
        #expect(throws: ETLError.self) { try StoreFile.openForReading(folder.file("none.sqlite")) }
        #expect(try Connection(other, .readOnly).integer("SELECT count(*) FROM sqlite_schema") == 1)
        #expect(try String(contentsOfFile: text, encoding: .utf8) == "title,author\n")
    }

    @Test func `a store of a newer version is not changed`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("library.sqlite")
        try StoreFile.openForWriting(path).execute("PRAGMA user_version = 999")
        let refusal = #expect(throws: ETLError.self) { try StoreFile.openForWriting(path) }
        #expect(refusal?.kind == .configuration)
        #expect(refusal?.message.contains("newer version") == true)
    }
}

@Suite struct StorePathTests {
    private let folder: TemporaryFolder
    /// The folder without symbolic links: the temporary folder may itself be one.
    private let place: String

    init() throws {
        folder = try TemporaryFolder()
        let real = try #require(realpath(folder.path, nil))
        defer { free(real) }
        place = String(cString: real)
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
    }

    @Test func `a missing file resolves to its future path`() throws {
        #expect(StorePath.real(folder.file("s.sqlite")) == place + "/s.sqlite")
        #expect(StorePath.real(folder.file("./s.sqlite")) == place + "/s.sqlite")
        try link("to.sqlite", to: "s.sqlite")
        #expect(StorePath.real(folder.file("to.sqlite")) == place + "/s.sqlite")
        try link("farther.sqlite", to: folder.file("to.sqlite"))
        #expect(StorePath.real(folder.file("farther.sqlite")) == place + "/s.sqlite")
    }

    @Test func `a bare name resolves to the current folder`() {
        let here = StorePath.real(".")
        #expect(here.hasPrefix("/"))
        #expect(StorePath.real("no-such-store.sqlite") == here + "/no-such-store.sqlite")
        #expect(FolderPath.of("no-such-store.sqlite") == ".")
        #expect(StorePath.real("/no-such-store.sqlite") == "/no-such-store.sqlite")
        #expect(FolderPath.of("/no-such-store.sqlite") == "/")
    }

    @Test(arguments: [
        ("", "."), ("s", "."), ("é", "."), ("/", "/"), ("/s", "/"), ("s/", "."), ("a/s", "a"), ("a//s", "a"),
        ("/a/b/s", "/a/b"), ("./s", "."), ("../s", ".."),
    ])
    func `the folder of any path is found`(path: String, folder: String) {
        #expect(FolderPath.of(path) == folder)
    }

    @Test func `a one-character name is resolved`() {
        #expect(StorePath.real("§") == StorePath.real(".") + "/§")
    }

    @Test func `dangling and circular links end`() throws {
        #expect(StorePath.real(folder.file("none/s.sqlite")) == folder.file("none/s.sqlite"))
        #expect(StorePath.real("") != "/")
        try link("a.sqlite", to: "b.sqlite")
        try link("b.sqlite", to: "a.sqlite")
        #expect(!StorePath.real(folder.file("a.sqlite")).isEmpty)
        try link("lost.sqlite", to: "none/s.sqlite")
        #expect(StorePath.real(folder.file("lost.sqlite")) == place + "/none/s.sqlite")
    }

    @Test func `a store is created at the target of a link`() throws {
        try link("linked.sqlite", to: "s.sqlite")
        _ = try StoreFile.openForWriting(folder.file("linked.sqlite"))
        #expect(folder.names.contains("s.sqlite"))
        #expect(
            try StoreFile.openForReading(folder.file("s.sqlite")).integer("SELECT count(*) FROM jobs") == 0)
        try link("lost.sqlite", to: "none/s.sqlite")
        #expect(throws: ETLError.self) { try StoreFile.openForWriting(folder.file("lost.sqlite")) }
    }
}

@Suite struct StoreCopyTests {
    private let folder: TemporaryFolder
    private var store: String { folder.file("library.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `only the owner can access a copy, whatever the umask`() throws {
        _ = try StoreFile.openForWriting(store)
        try StoreFile.copy(store, to: folder.file("copy.sqlite"))
        #expect(try mode(folder.file("copy.sqlite")) == 0o600)
    }

    @Test func `an existing file is not overwritten by a copy`() throws {
        _ = try StoreFile.openForWriting(store)
        let other = try folder.write("mine", to: "other.sqlite")
        #expect(throws: ETLError.self) { try StoreFile.copy(store, to: other) }
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
    }

    @Test(arguments: [-1, Int32.min])
    func `a negative schema version is damage, not a crash`(version: Int32) throws {
        try StoreFile.openForWriting(store).execute("PRAGMA user_version = \(version)")
        let reading = #expect(throws: ETLError.self) { _ = try StoreFile.openForReading(store) }
        let writing = #expect(throws: ETLError.self) { _ = try StoreFile.openForWriting(store) }
        #expect(reading?.kind == .inputOutput && writing?.kind == .inputOutput)
    }

    @Test(arguments: [0, 1, Schema.version - 1])
    func `a store of an earlier build is refused and stays as it is`(version: Int64) throws {
        try StoreFile.openForWriting(store).execute(
            "PRAGMA journal_mode = DELETE; DROP TABLE rules; PRAGMA user_version = \(version)")
        let bytes = try Data(contentsOf: URL(filePath: store))
        for open in [
            { _ = try StoreFile.openForReading(store) }, { _ = try StoreFile.openForWriting(store) },
        ] {
            let failure = #expect(throws: ETLError.self) { try open() }
            #expect(failure?.kind == .configuration)
            #expect(
                failure?.message == "`\(store)` was made by an earlier build of etl (schema \(version)).")
            #expect(failure?.advice?.refers(to: UserCommand.exportTable) == true)
        }
        #expect(try Data(contentsOf: URL(filePath: store)) == bytes)
    }
}
