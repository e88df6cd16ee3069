import Foundation
import TestSupport
import Testing

@testable import Application
@testable import Books

@Suite struct AbsolutePathTests {
    private let folder: TemporaryFolder
    private let real: String

    init() throws {
        folder = try TemporaryFolder()
        real = StorePath.real(folder.path)
        try FileManager.default.createDirectory(
            atPath: folder.file("shelf/deep"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.file("shelf/deep"))
    }

    @Test(arguments: [
        ("shelf/../lib.csv", "lib.csv"), ("shelf/deep/../../lib.csv", "lib.csv"), ("./lib.csv", "lib.csv"),
        ("link/../lib.csv", "shelf/lib.csv"), ("link", "link"), ("link/lib.csv", "shelf/deep/lib.csv"),
        ("shelf/..", ""),
    ])
    func `all spellings of a folder come to the same, and the file keeps its name`(
        path: String, expected: String
    ) {
        #expect(AbsolutePath.of(folder.file(path)) == (expected.isEmpty ? real : real + "/" + expected))
    }

    @Test func `a path from the present folder upwards leads where the system takes it`() {
        let here = StorePath.real(FileManager.default.currentDirectoryPath)
        let above = here.split(separator: "/").dropLast().joined(separator: "/")
        #expect(AbsolutePath.of("../lib.csv") == "/" + above + "/lib.csv")
        #expect(AbsolutePath.of("lib.csv") == here + "/lib.csv")
    }

    @Test func `where there is no such folder the path stays as it is spelled`() {
        #expect(AbsolutePath.of(folder.file("nowhere/lib.csv")) == folder.file("nowhere/lib.csv"))
        #expect(AbsolutePath.of("nowhere-at-all/lib.csv").hasSuffix("/nowhere-at-all/lib.csv"))
    }
}
