import Foundation
import TestSupport
import Testing

@testable import System

/// Folders whose names need not be UTF-8.
@Suite struct FolderTests {
    private static let name = FileName.text(of: [0x61, 0xE9])

    @Test func `a folder of any name is made with those it is in, listed, and removed with its files`() throws
    {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/\(Self.name)/b/\(Self.name)"
        #expect(Folder.make(path, mode: 0o700) == 0)
        #expect(Folder.make(path, mode: 0o700) == 0, "it is there")
        let descriptor = FileSystem.open(path + "/\(Self.name).txt", O_WRONLY | O_CREAT, 0o600)
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(Folder.names(in: path) == ["\(Self.name).txt"])
        #expect(Folder.names(in: folder.path) == [Self.name])
        #expect(Folder.remove("\(folder.path)/\(Self.name)") == 0)
        #expect(Folder.names(in: folder.path) == [])
    }

    @Test func `a slash before a combining mark separates as any other`() throws {
        let folder = try TemporaryFolder()
        #expect(Folder.make("\(folder.path)/a/\u{301}b/\u{301}c", mode: 0o700) == 0)
        #expect(Folder.names(in: "\(folder.path)/a/\u{301}b") == ["\u{301}c"])
    }

    @Test func `links are removed, and what they name stays`() throws {
        let folder = try TemporaryFolder()
        #expect(Folder.make("\(folder.path)/kept/in", mode: 0o700) == 0)
        #expect(Folder.make("\(folder.path)/gone", mode: 0o700) == 0)
        #expect(symlink("\(folder.path)/kept", "\(folder.path)/gone/link") == 0)
        #expect(Folder.remove("\(folder.path)/gone") == 0)
        #expect(Folder.names(in: "\(folder.path)/kept") == ["in"])
    }

    @Test func `a failure is the system's`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "file")
        #expect(Folder.make(file + "/a", mode: 0o700) == ENOTDIR)
        #expect(Folder.make(file, mode: 0o700) == ENOTDIR)
        #expect(symlink(folder.path + "/none", folder.path + "/dangling") == 0)
        #expect(Folder.make(folder.path + "/dangling", mode: 0o700) == ENOENT)
        #expect(symlink(folder.path, folder.path + "/link") == 0)
        #expect(Folder.make(folder.path + "/link", mode: 0o700) == 0)
        #expect(Folder.remove(folder.path + "/none") == ENOENT)
        #expect(Folder.names(in: file) == nil && errno == ENOTDIR)
    }
}
