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
            let explicit =
                "\(dump) holds other bytes behind the end of its packed data; they were ignored. If it was damaged on "
                + "its way, download it again and build the catalog with it."
            #expect(ending.errors.replacing("\n", with: " ").contains(explicit) == !garbage.isEmpty)
        }
    }

    @Test func `what of the dumps is not taken is told of`() throws {
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
        #expect(errors.contains("\(files[2]) is left out: it is a dump of Open Library that holds no books."))
        #expect(errors.contains("\(files[1]) holds no record that a catalog has a use for."))
        #expect(errors.contains("7 ISBNs left out: of one edition the first 64 are taken."))

        let refused = try BuiltTool.ending(
            ["catalog", "build", "--out", folder.file("catalog.sqlite"), files[1]])
        #expect(refused.status == 65)
        #expect(
            try BuiltTool.ending(["catalog", "info", folder.file("catalog.sqlite")]).output.contains("64"))
    }
}
