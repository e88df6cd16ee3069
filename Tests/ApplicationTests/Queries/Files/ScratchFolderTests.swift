import Foundation
import System
import TestSupport
import Testing

@testable import Queries

@Suite struct ScratchFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `only the user can read it, and it is removed with its files`() throws {
        func use() throws {
            let scratch = try ScratchFolder(in: folder.path, advice: "")
            let path = scratch.path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            try Data([1]).write(to: URL(fileURLWithPath: "\(path)/store.sqlite"))
            ScratchFolder.removeAbandoned(in: folder.path)
            #expect(FileManager.default.fileExists(atPath: "\(path)/store.sqlite"))
        }
        try use()
        #expect(folder.names == [])
    }

    @Test func `what a killed process has left is removed, and nothing else`() throws {
        let living = try ScratchFolder(in: folder.path, advice: "")
        for name in [
            "etl.\(UUID().uuidString).part/store", "etl.mine.part", "other.\(UUID().uuidString).part",
        ] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: true)
        }
        ScratchFolder.removeAbandoned(in: folder.path)
        #expect(folder.names.count == 3)
        #expect(FileManager.default.fileExists(atPath: living.path))
    }

    @Test func `a folder that does not exist is named`() {
        let failure = #expect(throws: ETLError.self) {
            _ = try ScratchFolder(in: folder.file("missing"), advice: "Set TMPDIR.")
        }
        #expect(failure?.kind == .cannotCreate)
        #expect(failure?.message.contains(folder.file("missing")) == true)
    }
}
