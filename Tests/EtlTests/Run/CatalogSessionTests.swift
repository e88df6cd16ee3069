import Foundation
import TestSupport
import Testing

/// What the built tool tells of a catalog's dumps.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct CatalogSessionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `bytes behind the packed data of a dump are told of`() throws {
        let author =
            "/type/author\t/authors/OL1A\t1\t2024-01-02T00:00:00\t"
            + #"{"key": "/authors/OL1A", "name": "Ada Example"}"# + "\n"
        let packed = GzipBytes.stored(Array(author.utf8))
        for garbage in [[], Array("<html>".utf8)] {
            let dump = try folder.write(packed + garbage, to: "dump.txt.gz")
            let ending = try BuiltTool.ending(
                ["catalog", "build", "--out", folder.file("catalog.sqlite"), dump])
            #expect(ending.status == 0)
            let told =
                "\(dump) holds other bytes behind the end of its packed data; they were ignored. If it was damaged on "
                + "its way, download it again and build the catalog with it."
            #expect(ending.errors.replacing("\n", with: " ").contains(told) == !garbage.isEmpty)
        }
    }
}
