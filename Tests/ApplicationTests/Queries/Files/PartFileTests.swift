import Foundation
import System
import TestSupport
import Testing

@testable import Queries

@Suite struct PartFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("books.csv") }

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [false, true])
    func `those who create and those who clean up at the same time do not disturb each other`(isFolder: Bool)
    {
        let lost = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: 2_000) { _ in
            PartFile.removeAbandoned(besides: path, isFolder: isFolder)
            guard let part = PartFile.create(besides: path, isFolder: isFolder, mode: 0o700) else {
                return lost.withLock { $0 += 1 }
            }
            PartFile.removeAbandoned(besides: path, isFolder: isFolder)
            if remove(part.path) != 0 { lost.withLock { $0 += 1 } }
            close(part.descriptor)
        }
        #expect(lost.withLock { $0 } == 0)
        #expect(folder.names == [])
    }

    @Test func `a file is replaced as a whole, and nothing is left if that fails`() throws {
        _ = try folder.write("old", to: "books.csv")
        #expect(PartFile.replace(path, with: Array("new".utf8)) == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
        try FileManager.default.createDirectory(
            atPath: folder.file("taken"), withIntermediateDirectories: true)
        #expect(PartFile.replace(folder.file("taken"), with: [1]) == EISDIR)
        #expect(PartFile.replace(folder.file("missing/books.csv"), with: [1]) == ENOENT)
        #expect(Set(folder.names) == ["books.csv", "taken"])
    }
}
