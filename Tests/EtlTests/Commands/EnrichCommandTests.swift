import Foundation
import TestSupport
import Testing

/// `etl enrich`: choices of books, dry runs, exit statuses.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct EnrichCommandTests: ImportsByTool {
    private static let books = """
        Book Id,Title,Author,ISBN13,My Rating
        1,The Left Hand of Darkness,Ursula K. Le Guin,9780441007318,5
        2,Unknown,Nobody,9780306406157,3

        """

    let folder: TemporaryFolder
    private var catalog: String { folder.file("c.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func importing() throws {
        let build = ["catalog", "build", "--quiet", "--out", catalog] + ProjectFiles.catalogSources
        #expect(try BuiltTool.run(build) == 0)
        #expect(try importing(Self.books, "--quiet").status == 0)
    }

    private func enriching(_ options: String...) throws -> BuiltTool.Ending {
        try BuiltTool.ending(["enrich", "--db", store] + options)
    }

    @Test func `a dry run shows each change and stores none`() throws {
        try importing()
        let table = try enriching("--catalog", catalog, "--dry-run")
        #expect(table.status == 0 && table.output.contains("covers.openlibrary.org"))
        let csv = try enriching("--catalog", catalog, "--dry-run", "--format", "csv").output
        #expect(csv.contains("workCover,,https://covers.openlibrary.org"))
        let lines = try enriching("--catalog", catalog, "--dry-run", "--format", "ndjson").output
        for line in lines.split(separator: "\n") {
            #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
        }
        #expect(
            !(try BuiltTool.ending(["export", "--db", store, "--what", "all"]).output.contains("covers")))
        #expect(!(try BuiltTool.ending(["log", "--db", store]).output.contains("refresh")))
    }

    @Test func `the books of a newer catalog are refreshed, shown and undone`() throws {
        try importing()
        let dump = ["export", "--db", store, "--what", "all"]
        let before = try BuiltTool.ending(dump).output
        let ending = try enriching("--catalog", catalog, "--job", "night")
        #expect(ending.status == 0 && ending.output.contains("Refreshed 2 books"), "\(ending.output)")
        let again = try enriching("--catalog", catalog)
        #expect(again.output.contains("The library is unchanged."))
        #expect(try BuiltTool.ending(["diff", "--db", store, "night"]).output.contains("openlibrary"))
        let log = try BuiltTool.ending(["log", "--db", store]).output
        #expect(log.components(separatedBy: "refresh of stored books").count == 2)
        #expect(try BuiltTool.run(["undo", "--quiet", "--db", store, "night"]) == 0)
        #expect(try BuiltTool.ending(dump).output == before)
    }

    @Test func `the summary in JSON counts changed and unchanged books`() throws {
        try importing()
        let ending = try enriching("--catalog", catalog, "--json")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
        #expect(object["pipeline"] as? String == "batch_enrichment")
        #expect(object["booksUpdated"] as? Int == 1 && object["duplicatesSkipped"] as? Int == 1)
        #expect(object["totalProcessed"] as? Int == 2 && object["status"] as? String == "completed")
    }

    @Test func `no catalog and no service is an error, no due book is not`() throws {
        try importing()
        #expect(try enriching("--offline").status == 78)
        let nothing = try enriching("--catalog", catalog, "--where", "title = 'No such title'")
        #expect(nothing.status == 0 && nothing.errors.contains("nothing to do"))
        #expect(try enriching("--catalog", catalog, "--library", "anna").status == 66)
    }

    @Test func `rows of an import are processed again, and only they change`() throws {
        try importing()
        let dump = ["export", "--db", store, "--what", "all"]
        let before = try BuiltTool.ending(dump).output
        func redoing(_ options: String...) throws -> BuiltTool.Ending {
            try BuiltTool.ending(["redo", "--db", store] + options)
        }
        let shown = try redoing("--rows", "2-3", "--catalog", catalog, "--dry-run", "--format", "csv")
        #expect(shown.status == 0 && shown.output.contains("workCover,,https://covers.openlibrary.org"))
        #expect(try BuiltTool.ending(dump).output == before)
        // The second row is not in the catalog.
        for (row, changed) in [("3", 0), ("2", 1)] {
            let ending = try redoing("--rows", row, "--catalog", catalog, "--json")
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
            #expect(object["totalProcessed"] as? Int == 1 && object["booksUpdated"] as? Int == changed)
        }
        #expect(try BuiltTool.run(["undo", "--quiet", "--db", store, "--last"]) == 0)
        #expect(try BuiltTool.ending(dump).output == before)
        // Without a catalog or service, stored data is matched again.
        #expect(try redoing("--rows", "2-3").output.contains("Nothing new: 2 books"))
        #expect(try redoing("--rows", "9").errors.contains("nothing to do"))
        for rows in ["0", "9-2", "x", "1-", "1-20000"] {
            #expect(try redoing("--rows", rows).status == 64, "\(rows)")
        }
        #expect(try redoing().errors.contains("`--rows`"))
    }

    @Test(arguments: [
        (["--where", "languge = fr"], "column 1"), (["--stale", "soon"], "a duration"),
        (["--missing", "covers"], "cover"), (["--all", "--stale", "3d"], "cannot be combined"),
        (["--missing", "--max-calls", "3"], "`--missing` without fields"),
        (["--format", "csv"], "`--dry-run`"), (["--mode", "all"], "fill, replace"),
    ])
    func `wrong options are explained`(options: [String], words: String) throws {
        let ending = try BuiltTool.ending(["enrich", "--db", store] + options)
        #expect(ending.status == 64 && ending.errors.contains(words), "\(ending.errors)")
    }
}
