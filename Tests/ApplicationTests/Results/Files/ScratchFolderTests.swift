import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Application

@Suite struct ScratchFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `only the user can read it, and it is removed with its files`() throws {
        let scratch = try ScratchFolder(in: folder.path)
        let mode = try FileManager.default.attributesOfItem(atPath: scratch.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        try Data([1]).write(to: URL(fileURLWithPath: "\(scratch.path)/store.sqlite"))
        scratch.remove()
        #expect(folder.names == [])
    }

    @Test func `what a killed process has left is removed, and nothing else`() throws {
        let living = try ScratchFolder(in: folder.path)
        for name in [
            "etl.\(UUID().uuidString).part/store", "etl.mine.part", "other.\(UUID().uuidString).part",
        ] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: true)
        }
        ScratchFolder.removeAbandoned(in: folder.path)
        #expect(folder.names.count == 3)
        #expect(FileManager.default.fileExists(atPath: living.path))
        living.remove()
    }

    @Test func `a folder that does not exist is named`() {
        let failure = #expect(throws: StageFailure.self) { try ScratchFolder(in: folder.file("missing")) }
        #expect(failure?.kind == .cannotCreate)
        #expect(failure?.message.contains(folder.file("missing")) == true)
    }
}
