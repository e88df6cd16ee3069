import Database
import Foundation
import Queries
import Store
import System
import TestSupport
import Testing

@Suite struct StoreBackupTests {
    private static let table = "Title,Author\nDune,Frank Herbert\nEmma,Jane Austen\n"

    @Test func `a backup is the committed state, in one file that only its owner can read`() async throws {
        let library = try FilledStore()
        try await library.importing([Self.table], job: "first")
        let dump = try library.open().canonicalDump()
        let writer = try StoreFile.openForWriting(library.path)
        try writer.begin()
        try writer.execute("DELETE FROM entries")
        let path = library.folder.file("a 'b' ?#%.sqlite")
        let backup = try StoreBackup.write(try library.open(), to: path)
        writer.rollBack()
        #expect(backup.counts.works == 2 && backup.counts.entries == 2 && backup.counts.jobs == 1)
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        #expect(facts[.size] as? Int == backup.bytes && facts[.posixPermissions] as? Int == 0o600)
        let copy = try StoreFile.openForReading(path)
        #expect(try copy.canonicalDump() == dump)
        #expect(try copy.string("PRAGMA journal_mode") == "delete", "it needs no files next to it")
        #expect(try library.folder.names().filter { $0.hasPrefix("a 'b'") }.count == 1)
    }

    @Test func `a commit in the middle is not in the backup, and does not wait for it`() async throws {
        let library = try FilledStore()
        try await library.importing([Self.table], job: "first")
        let reader = try library.open()
        let path = library.folder.file("copy.sqlite")
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        let dump = try reader.canonicalDump()
        try reader.snapshot { () throws(ETLError) in
            _ = try reader.number("SELECT count(*) FROM entries")
            let writer = try StoreFile.openForWriting(library.path)
            writer.failWhenBusy()
            try writer.execute("DELETE FROM entries")
            try reader.copy(to: path)
        }
        #expect(try StoreFile.openForReading(path).canonicalDump() == dump)
        #expect(try library.open().number("SELECT count(*) FROM entries") == 0)
    }

    @Test func `a backup of a damaged store is not kept, and the last one stays`() async throws {
        let library = try FilledStore()
        try await library.importing([Self.table], job: "first")
        let path = library.folder.file("backup.sqlite")
        let before = try StoreBackup.write(try library.open(), to: path)
        let damaged = library.folder.file("damaged.sqlite")
        var bytes = try Data(contentsOf: URL(filePath: path))
        let root = try StoreFile.openForReading(path).number(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'works'")
        let page = Int(root - 1) * 16_384
        bytes.replaceSubrange(page + 8_000..<page + 16_384, with: repeatElement(0xFF, count: 8_384))
        try bytes.write(to: URL(filePath: damaged))
        let store = try Connection(damaged, .reading)
        let failure = #expect(throws: ETLError.self) { try StoreBackup.write(store, to: path) }
        #expect(failure?.kind == .inputOutput, "\(String(describing: failure))")
        #expect(try library.folder.names().allSatisfy { !$0.contains(".part") })
        #expect(try Data(contentsOf: URL(filePath: path)).count == before.bytes)
    }
}

extension TemporaryFolder {
    fileprivate func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path)
    }
}
