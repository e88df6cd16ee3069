import Foundation
import TestSupport
import Testing

/// The built tool's reports about a catalog's dumps.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct CatalogSessionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `trailing garbage after a compressed dump is reported`() throws {
        let author =
            "/type/author\t/authors/OL1A\t1\t2024-01-02T00:00:00\t"
            + #"{"key": "/authors/OL1A", "name": "Ada Example"}"# + "\n"
        let packed = GzipBytes.stored(Array(author.utf8))
        for garbage in [[], Array("<html>".utf8)] {
            let dump = try folder.write(packed + garbage, to: "dump.txt.gz")
            let ending = try BuiltTool.ending(
                ["catalog", "build", "--out", folder.file("catalog.sqlite"), dump])
            #expect(ending.status == 0)
            let explicit =
                "`\(dump)` has extra bytes after the end of its compressed data. They were ignored.   advice: If the file is "
                + "damaged, download it again and build the catalog with it."
            #expect(ending.errors.replacing("\n", with: " ").contains(explicit) == !garbage.isEmpty)
        }
    }

    @Test func `skipped parts of dumps are reported`() throws {
        func line(_ kind: String, _ key: String, _ json: String) -> String {
            "/type/\(kind)\t\(key)\t1\t2024-01-02T00:00:00\t{\"key\": \"\(key)\"\(json)}\n"
        }
        let isbns = (100...170).map { number in
            let digits = "978000000\(number)"
            let sum = zip(digits, 0...).reduce(0) {
                $0 + ($1.0.wholeNumberValue ?? 0) * ($1.1 % 2 == 0 ? 1 : 3)
            }
            return "\"\(digits)\((10 - sum % 10) % 10)\""
        }
        let files = [
            try folder.write(
                line("edition", "/books/OL1M", ", \"isbn_13\": [\(isbns.joined(separator: ", "))]"),
                to: "editions"),
            try folder.write(line("list", "/people/a/lists/OL1L", ""), to: "lists"),
            try folder.write("/works/OL1W\t\t5\t2024-01-02\n", to: "ol_dump_ratings.txt"),
        ]
        let ending = try BuiltTool.ending(
            ["catalog", "build", "--out", folder.file("catalog.sqlite")] + files)
        #expect(ending.status == 0)
        let errors = ending.errors.replacing("\n", with: " ")
        #expect(errors.contains("Skipping `\(files[2])`: this Open Library dump contains no books."))
        #expect(errors.contains("`\(files[1])` has no records for a catalog."))
        #expect(errors.contains("Skipped 7 ISBNs: an edition keeps at most 64 ISBNs."))

        let refused = try BuiltTool.ending(
            ["catalog", "build", "--out", folder.file("catalog.sqlite"), files[1]])
        #expect(refused.status == 65)
        #expect(
            try BuiltTool.ending(["catalog", "info", folder.file("catalog.sqlite")]).output.contains("64"))
    }
}
