import Foundation
import TestSupport
import Testing

/// Output of exports and conversions, and files that they leave alone.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct LayoutOutputTests: ImportsByTool {
    let folder: TemporaryFolder
    private static let table = "Title,Author,My Rating\nDune,Frank Herbert,4.5\nEmma,Jane Austen,3\n"

    init() throws { folder = try TemporaryFolder() }

    /// A store with two books.
    private func filled(_ name: String = "library.sqlite") throws -> String {
        let table = try folder.write(Self.table, to: "books.csv")
        let path = folder.file(name)
        #expect(try BuiltTool.run(["import", "--quiet", "--offline", "--db", path, table]) == 0)
        return path
    }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    @Test func `the list of losses overwrites neither the store nor the input`() throws {
        let store = try filled()
        let (before, input) = (try bytes(store), folder.file("books.csv"))
        let export = try BuiltTool.ending([
            "export", "--db", store, "--format", "goodreads", "--loss", "\(folder.path)/./library.sqlite",
        ])
        #expect(export.status == 64 && export.errors.contains("would overwrite the store"))
        #expect(try bytes(store) == before)
        let convert = try BuiltTool.ending(["convert", "--to", "goodreads", "--loss", input, input])
        #expect(convert.status == 64 && convert.errors.contains("would overwrite the input"))
        #expect(try bytes(input) == Data(Self.table.utf8))
    }

    @Test func `a list of losses that cannot be written leaves the one before`() throws {
        let list = try folder.write("mine", to: "losses.csv")
        let words = ["export", "--db", try filled(), "--format", "bookwyrm", "--loss", list]
        #expect(try BuiltTool.ending(words).status == 0)
        let complete = try bytes(list)
        #expect(complete.starts(with: Data("field,value".utf8)))
        // As on a full disk.
        let full = try BuiltTool.ending(words.dropLast() + ["/dev/full"])
        #expect(full.status == 74 && full.errors.contains("No space left"), "\(full.errors)")
        #expect(try bytes(list) == complete)
    }

    @Test func `the list of losses is kept if nothing can be converted`() throws {
        let list = try folder.write("mine", to: "losses.csv")
        let missing = ["convert", "--to", "goodreads", "--loss", list, folder.file("missing.csv")]
        #expect(try BuiltTool.ending(missing).status == 66)
        #expect(try bytes(list) == Data("mine".utf8))
    }

    @Test func `no output overwrites a store, even another one`() throws {
        let (store, other) = (try filled(), try filled("other.sqlite"))
        let before = try bytes(other)
        for words in [
            ["report", "--html", other, "--db", store],
            ["export", "--format", "xlsx", "--output", other, "--db", store],
            ["export", "--format", "goodreads", "--loss", other, "--db", store],
        ] {
            let ending = try BuiltTool.ending(words)
            #expect(ending.status == 64 && ending.errors.contains("would overwrite a store"), "\(words)")
        }
        #expect(try bytes(other) == before)
    }

    @Test func `a conversion warns in the words of an import, on standard error`() throws {
        let table = try folder.write(
            "Title,Author,ISBN\nEmma,Jane Austen,1234567890\nDune,Frank Herbert,0441172717\nNi", to: "cut.csv"
        )
        let path = folder.file("library.sqlite")
        let imported = try BuiltTool.ending(["import", "--offline", "--db", path, table])
        let converted = try BuiltTool.ending(["convert", "--to", "bookwyrm", table])
        #expect(converted.status == 0 && !converted.output.contains("warning"))
        let warnings = (imported.errors.split(separator: "\n") + imported.output.split(separator: "\n"))
            .filter {
                $0.contains("is truncated") || $0.hasPrefix("isbn10_")
            }
        #expect(warnings.count == 2, "\(imported.errors)\(imported.output)")
        for warning in warnings { #expect(converted.errors.contains(warning), "\(converted.errors)") }
        #expect(try BuiltTool.ending(["convert", "--quiet", "--to", "bookwyrm", table]).errors.isEmpty)
    }

    @Test func `with --strict, a file that is not read completely is not converted`() throws {
        let table = try folder.write(Self.table + ",Nobody,3\n", to: "damaged.csv")
        let lenient = try BuiltTool.ending(["convert", "--to", "bookwyrm", table])
        #expect(lenient.status == 0 && lenient.output.contains("Emma"))
        let strict = try BuiltTool.ending(["convert", "--strict", "--to", "bookwyrm", table])
        #expect(strict.status == 3 && strict.output.isEmpty, "\(strict.errors)")
        #expect(strict.errors.contains("could not be read"))
    }

    @Test func `books that nothing identifies in the target are counted`() throws {
        let log = try folder.write(
            "Work Id,Edition Id,Bookshelf\nOL1W,,Currently Reading\nOL2W,OL2M,Already Read\n", to: "log.csv")
        let foreign = try BuiltTool.ending(["convert", "--to", "goodreads", log])
        #expect(
            foreign.status == 0 && foreign.errors.contains("2 books have neither a title nor an ISBN"),
            "\(foreign.errors)")
        let own = try BuiltTool.ending(["convert", "--to", "openlibrary", log])
        #expect(own.status == 0 && !own.errors.contains("neither"), "\(own.errors)")
    }

    @Test func `- is standard output, not a file of that name`() throws {
        let page = try BuiltTool.ending(["report", "--html", "-", "--db", filled()])
        #expect(page.status == 0 && page.output.hasPrefix("<!DOCTYPE html>"), "\(page.errors)")
        let losses = try BuiltTool.ending([
            "convert", "--to", "bookwyrm", "--loss", "-", folder.file("books.csv"),
        ])
        #expect(losses.status == 0 && losses.output.hasPrefix("field,value,written"), "\(losses.errors)")
        #expect(!FileManager.default.fileExists(atPath: "-"))
    }
}
