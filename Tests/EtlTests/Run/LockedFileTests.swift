import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct LockedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func own(_ name: String) throws -> LockedFile {
        try LockedFile(at: { folder.file(name) }, orElse: { CommandFailure(.cannotCreate, $0) })
    }

    @Test func `only the owner can access the file, and it stays while the owner lives`() throws {
        let file = try own("s.sqlite.1.owner")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        LockedFile.removeAbandoned(file.path) { unlink($0) }
        #expect(folder.names == ["s.sqlite.1.owner"])
        close(file.descriptor)
        LockedFile.removeAbandoned(file.path) { unlink($0) }
        #expect(folder.names == [])
    }

    @Test func `only copies of dry runs are removed beside a store`() throws {
        let store = folder.file("s.sqlite")
        for name in ["notes", "notes.owner", "0a1b2c3d", "0a1b2c3d.owner", "0a1b2c3d-wal", "0a1b2c3dx.owner"]
        {
            _ = try folder.write("", to: "s.sqlite.dry-run-\(name)")
        }
        DryRunLock.removeAbandoned(of: store)
        #expect(
            folder.names == [
                "s.sqlite.dry-run-0a1b2c3dx.owner", "s.sqlite.dry-run-notes", "s.sqlite.dry-run-notes.owner",
            ])
    }

    @Test func `an existing file is not used, and links are not followed`() throws {
        _ = try folder.write("notes", to: "taken")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.file("elsewhere"))
        for name in ["taken", "link", "nowhere/file"] {
            let refusal = #expect(throws: CommandFailure.self) { try own(name) }
            #expect(refusal?.message.isEmpty == false)
        }
        LockedFile.removeAbandoned(folder.file("link")) { unlink($0) }
        LockedFile.removeAbandoned(folder.file("gone")) { unlink($0) }
        #expect(folder.names == ["link", "taken"])
    }

    @Test func `without file locks it fails, and if another process locked the file a new one is made`()
        throws
    {
        var tries = 0
        func refusal(_ code: Int32) throws -> LockedFile {
            tries = 0
            return try LockedFile(
                at: { folder.file("\(tries)") },
                lockedBy: { descriptor in
                    tries += 1
                    if tries > 1 { return flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
                    errno = code
                    return false
                }, orElse: { CommandFailure(.cannotCreate, $0) })
        }
        let none = #expect(throws: CommandFailure.self) { try refusal(ENOLCK) }
        #expect(none?.message == String(cString: strerror(ENOLCK)))
        #expect(folder.names == [] && tries == 1)
        #expect(try refusal(EWOULDBLOCK).path == folder.file("1"))
        #expect(folder.names == ["0", "1"], "the first file belongs to the other process")
    }

    @Test func `paths are found by prefix and suffix`() throws {
        for name in ["s.a.owner", "s..owner", "s.owner", "t.a.owner", "s.a.other", ".owner"] {
            _ = try folder.write("", to: name)
        }
        let found = LockedFile.paths(from: folder.file("s."), ending: ".owner").sorted { $0.path < $1.path }
        #expect(found.map(\.path) == [folder.file("s..owner"), folder.file("s.a.owner")])
        #expect(found.map(\.middle) == ["", "a"])
        #expect(LockedFile.paths(from: folder.file("nowhere/s."), ending: "").isEmpty)
    }
}
