import Foundation
import TestSupport
import Testing

@testable import Queries

@Suite struct NewFolderTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("library") }

    init() throws { folder = try TemporaryFolder() }

    @Test func `the folder appears with all files when it is finished`() throws {
        let new = try NewFolder(path)
        try new.write([1], to: "Jane Austen/Emma/metadata.opf")
        try new.write([2], to: "index")
        #expect(!FileManager.default.fileExists(atPath: path))
        try new.finish()
        #expect(folder.names == ["library"])
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: path).sorted() == [
                "Jane Austen", "Jane Austen/Emma", "Jane Austen/Emma/metadata.opf", "index",
            ])
    }

    @Test func `what is given up leaves nothing`() throws {
        do {
            let new = try NewFolder(path)
            try new.write([1], to: "index")
        }
        #expect(folder.names == [])
    }

    @Test func `what a killed export has left is removed, and nothing else`() throws {
        let files = FileManager.default
        let left = "\(path).\(UUID().uuidString).part"
        try files.createDirectory(atPath: left + "/Jane Austen", withIntermediateDirectories: true)
        for name in ["library.mine.part", "other.\(UUID().uuidString).part"] {
            try files.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
        }
        let file = "library.\(UUID().uuidString).part"
        _ = try folder.write("a list that is being written", to: file)
        let others = Set(folder.names).subtracting([URL(fileURLWithPath: left).lastPathComponent])
        let living = try NewFolder(path)
        #expect(!files.fileExists(atPath: left))
        let second = try NewFolder(path)
        try living.write([1], to: "index")
        try living.finish()
        #expect(Set(folder.names).isSuperset(of: others.union(["library"])))
        withExtendedLifetime(second) {}
    }
}
