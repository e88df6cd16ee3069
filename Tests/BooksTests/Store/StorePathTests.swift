import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Database

@Suite struct StorePathTests {
    private let folder: TemporaryFolder
    /// The folder without links: where temporary files are may itself be one.
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

    @Test func `a file that is not there yet is where it will be`() throws {
        #expect(StorePath.real(folder.file("s.sqlite")) == place + "/s.sqlite")
        #expect(StorePath.real(folder.file("./s.sqlite")) == place + "/s.sqlite")
        try link("to.sqlite", to: "s.sqlite")
        #expect(StorePath.real(folder.file("to.sqlite")) == place + "/s.sqlite")
        try link("farther.sqlite", to: folder.file("to.sqlite"))
        #expect(StorePath.real(folder.file("farther.sqlite")) == place + "/s.sqlite")
    }

    @Test func `a name alone is in the folder one is in`() {
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
    func `the folder of a path, however short that is`(path: String, folder: String) {
        #expect(FolderPath.of(path) == folder)
    }

    @Test func `a name of one letter is a name`() {
        #expect(StorePath.real("§") == StorePath.real(".") + "/§")
    }

    @Test func `a path that leads nowhere, or in a circle, comes to an end`() throws {
        #expect(StorePath.real(folder.file("none/s.sqlite")) == folder.file("none/s.sqlite"))
        #expect(StorePath.real("") != "/")
        try link("a.sqlite", to: "b.sqlite")
        try link("b.sqlite", to: "a.sqlite")
        #expect(!StorePath.real(folder.file("a.sqlite")).isEmpty)
        try link("lost.sqlite", to: "none/s.sqlite")
        #expect(StorePath.real(folder.file("lost.sqlite")) == place + "/none/s.sqlite")
    }

    @Test func `a store is made where a link leads`() throws {
        try link("linked.sqlite", to: "s.sqlite")
        _ = try StoreFile.openForWriting(folder.file("linked.sqlite"))
        #expect(folder.names.contains("s.sqlite"))
        #expect(
            try StoreFile.openForReading(folder.file("s.sqlite")).integer("SELECT count(*) FROM jobs") == 0)
        try link("lost.sqlite", to: "none/s.sqlite")
        #expect(throws: StageFailure.self) { try StoreFile.openForWriting(folder.file("lost.sqlite")) }
    }
}
