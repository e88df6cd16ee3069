import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Books
@testable import Database

@Suite struct StoreCopyTests {
    private let folder: TemporaryFolder
    private var store: String { folder.file("library.sqlite") }
    /// What the first schema's store is copied to before its schema is changed.
    private var backup: String { store + ".before-" + Schema.migrations[1].name }

    init() throws { folder = try TemporaryFolder() }

    /// Makes a store as the first version did, with something on many pages in it.
    private func makeOldStore() throws {
        let connection = try Connection(store, .create)
        try connection.execute("PRAGMA page_size = 4096")
        try connection.execute(Schema.migrations[0].sql)
        try connection.execute(
            """
            INSERT INTO answers(service, key, version, fetched_at, body) VALUES ('s', 'k', 1, 1, zeroblob(400000));
            PRAGMA application_id = \(Schema.applicationID);
            PRAGMA user_version = 1;
            """)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `a copy is its owner's alone, whatever the mask`() throws {
        _ = try StoreFile.openForWriting(store)
        try StoreFile.copy(store, to: folder.file("copy.sqlite"))
        #expect(try mode(folder.file("copy.sqlite")) == 0o600)
    }

    @Test func `a file that is there is not copied over`() throws {
        _ = try StoreFile.openForWriting(store)
        let other = try folder.write("mine", to: "other.sqlite")
        #expect(throws: StageFailure.self) { try StoreFile.copy(store, to: other) }
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
    }

    @Test func `an older store is kept, whole and its owner's alone, before its schema is changed`() throws {
        try makeOldStore()
        // What a run leaves that was killed as it made the copy.
        _ = try folder.write("half a copy", to: "library.sqlite.before-\(Schema.migrations[1].name).part")
        _ = try folder.write(
            "its journal", to: "library.sqlite.before-\(Schema.migrations[1].name).part-journal")
        let connection = try StoreFile.openForWriting(store)
        #expect(try connection.integer("PRAGMA user_version") == Int64(Schema.migrations.count))
        #expect(try mode(backup) == 0o600)
        let kept = try Connection(backup, .readOnly)
        #expect(try kept.integer("PRAGMA user_version") == 1)
        #expect(try kept.integer("SELECT length(body) FROM answers") == 400_000)
        #expect(!folder.names.contains { $0.contains(".part") })
    }

    @Test func `a copy is kept beside the store itself, not beside a link to it`() throws {
        try makeOldStore()
        let files = FileManager.default
        try files.createDirectory(atPath: folder.file("desk"), withIntermediateDirectories: false)
        try files.createSymbolicLink(
            atPath: folder.file("desk/linked.sqlite"), withDestinationPath: "../library.sqlite")
        _ = try StoreFile.openForWriting(folder.file("desk/linked.sqlite"))
        #expect(try Connection(backup, .readOnly).integer("PRAGMA user_version") == 1)
        #expect(try files.contentsOfDirectory(atPath: folder.file("desk")) == ["linked.sqlite"])
    }

    @Test func `half a copy is never taken for one`() throws {
        try makeOldStore()
        // Pages in the middle are spoiled: copying begins well and fails.
        let file = try FileHandle(forUpdating: URL(filePath: store))
        try file.seek(toOffset: try file.seekToEnd() / 2)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 40_960))
        try file.close()
        #expect(throws: StageFailure.self) { try StoreFile.openForWriting(store) }
        #expect(!folder.names.contains { $0.contains(".before-") })
        #expect(try Connection(store, .readOnly).integer("PRAGMA user_version") == 1)
    }
}
