import Foundation
import Glibc
import System
import TestSupport
import Testing

@testable import Database

/// Foreign files in the place of a sidecar file are neither followed, nor emptied, nor waited for.
@Suite struct SidecarFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("store.lock") }

    init() throws { folder = try TemporaryFolder() }

    private func failure(_ flags: Int32 = O_RDWR | O_CREAT) -> ETLError? {
        do throws(ETLError) {
            if let descriptor = try SidecarFile.open(path, flags) { close(descriptor) }
            return nil
        } catch {
            return error
        }
    }

    @Test func `a new file is for the user only, and is opened again`() throws {
        #expect(failure() == nil)
        #expect(failure() == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test(arguments: [true, false])
    func `a symbolic link is not followed, whether its target exists or not`(exists: Bool) throws {
        let target = folder.file("precious")
        if exists { _ = try folder.write("data", to: "precious") }
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        #expect(failure()?.message.contains("is a symbolic link") == true)
        #expect(FileManager.default.fileExists(atPath: target) == exists)
    }

    @Test func `a hard link, a folder and a pipe are refused at once`() throws {
        try FileManager.default.linkItem(atPath: folder.write("data", to: "precious"), toPath: path)
        #expect(failure()?.message.contains("hard link") == true)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(failure()?.message.contains("not a regular file") == true)
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        for flags in [O_RDONLY, O_WRONLY, O_RDWR] {
            #expect(failure(flags)?.message.contains("not a regular file") == true)
        }
    }

    @Test func `a file that does not exist is the system's error`() throws {
        #expect(try SidecarFile.open(folder.file("absent"), O_RDONLY) == nil)
        #expect(errno == ENOENT)
    }

    @Test func `a file's header says what it contains`() throws {
        #expect(SidecarFile.content(of: path) == .missing)
        _ = try folder.write("", to: "store.lock")
        #expect(SidecarFile.content(of: path) == .empty)
        for text in ["a diary", String(repeating: "a diary that is longer than a header ", count: 9)] {
            _ = try folder.write(text, to: "store.lock")
            #expect(SidecarFile.content(of: path) == .other)
        }
        _ = try folder.write(String(repeating: "\0", count: 8_192), to: "store.lock")
        #expect(SidecarFile.content(of: path) == .blank)
        try FileManager.default.removeItem(atPath: path)
        let database = try Connection(path, .create)
        try database.execute("CREATE TABLE t(x)")
        #expect(SidecarFile.content(of: path) == .database(applicationID: 0))
        try database.execute("PRAGMA application_id = \(0x6574_6C53)")
        #expect(SidecarFile.content(of: path) == .database(applicationID: 0x6574_6C53))
        #expect(symlink(path, folder.file("link")) == 0)
        #expect(SidecarFile.content(of: folder.file("link")) == .other)
    }

    // MARK: Databases

    @Test func `a database's file is made, and found again`() throws {
        #expect(try SidecarFile.makeDatabase(path) && SidecarFile.makeDatabase(path))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try !SidecarFile.makeDatabase(folder.file("none/store.search")))
    }

    @Test func `what is in the place of a database is refused`() throws {
        let other = folder.file("other")
        for (make, complaint) in [
            (
                {
                    _ = try folder.write("data", to: "other")
                    _ = symlink(other, path)
                }, "is a symbolic link"
            ),
            ({ _ = link(other, path) }, "has another name"),
            ({ _ = mkfifo(path, 0o600) }, "is not a regular file"),
            ({ _ = mkdir(path, 0o700) }, "is not a regular file"),
        ] as [(() throws -> Void, String)] {
            try make()
            let failure = #expect(throws: ETLError.self) { try SidecarFile.makeDatabase(path) }
            #expect(failure?.message.contains(complaint) == true)
            _ = remove(path)
        }
    }

    /// Closing a descriptor would end them.
    @Test func `the locks of a connection outlast a second look at its file`() throws {
        #expect(try SidecarFile.makeDatabase(path))
        let connection = try Connection(path, .readWrite)
        try connection.execute("CREATE TABLE numbers(number)")
        try connection.begin()
        #expect(try SidecarFile.makeDatabase(path))
        let other = try ChildProcess(
            "/usr/bin/env",
            [
                "python3", "-c",
                "import sqlite3,sys\ntry: sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')\nexcept sqlite3.OperationalError: sys.exit(9)",
                path,
            ])
        #expect(try other.wait().status == 9)
        try connection.commit()
    }
}
