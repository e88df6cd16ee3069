import Foundation
import TestSupport
import Testing

/// Books that are named by their title.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ExplainCommandTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let books = "Title,Author\nDune,Frank Herbert\nDune Messiah,Frank Herbert\nReef,Ana\n"

    @Test func `a book is explained by its title, or by the only title that begins so`() throws {
        _ = try importing(Self.books)
        let dune = try BuiltTool.ending(["explain", "--db", store, "dune"])
        #expect(dune.status == 0, "\(dune.errors)")
        #expect(
            dune.output.hasPrefix("No book has the key `dune`; found by title: Dune, Frank Herbert (`"),
            "\(dune.output)")
        #expect(try BuiltTool.ending(["explain", "--db", store, "dune mes"]).output.contains("Dune Messiah"))
        let several = try BuiltTool.ending(["explain", "--db", store, "dun"])
        #expect(several.status == 66 && several.errors.contains("Found by title: Dune, Frank Herbert (`"))
        #expect(several.errors.contains("Dune Messiah, Frank Herbert (`"))
        #expect(try BuiltTool.ending(["explain", "--db", store, "100%"]).status == 66)
    }

    @Test func `an explanation says a sentence once`() throws {
        _ = try importing("Title,Author,Publisher,Number of Pages\nReef,Ana,Ace,100\n")
        let text = try BuiltTool.ending(["explain", "--db", store, "reef"]).output
        let sentence = "It is the only value."
        #expect(text.components(separatedBy: sentence).count <= 3, "\(text)")
    }

    @Test func `a book is set by its whole title, and its shelf in the words of any program`() throws {
        _ = try importing(Self.books)
        let edit = try BuiltTool.ending(["set", "--db", store, "reef", "shelf=reading"])
        #expect(edit.status == 0, "\(edit.errors)")
        #expect(edit.errors.contains("No book has the key `reef`; found by title: Reef, Ana (`"))
        #expect(edit.output.contains("currently-reading"), "\(edit.output)")
        let part = try BuiltTool.ending(["set", "--db", store, "ree", "rating=4"])
        #expect(part.status == 66, "the beginning of a title is not enough to change a book")
        let json = try BuiltTool.ending(["set", "--json", "--db", store, "dune", "rating=4"])
        #expect(json.status == 0 && !json.output.contains("found by title"))
    }
}
