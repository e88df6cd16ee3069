import Foundation
import TestSupport
import Testing

/// `etl cache` with names of services.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct CacheCommandTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["purge", "export"])
    func `an unknown service is rejected with the nearest name`(command: String) throws {
        #expect(try importing("Title\nReef\n").status == 0)
        let near = try BuiltTool.ending(["cache", command, "--db", store, "openlibary"])
        #expect(near.status == 64 && near.output.isEmpty)
        #expect(near.errors.contains("`openlibrary`"))
        let strange = try BuiltTool.ending(["cache", command, "--db", store, "x"])
        #expect(strange.status == 64 && strange.errors.contains("`wikidata`"))
        #expect(try BuiltTool.ending(["cache", command, "--db", store, "wikidata"]).status == 0)
    }

    @Test func `everything is deleted only on request`() throws {
        let folder = try TemporaryFolder()
        let store = folder.file("s.sqlite")
        let answers = try folder.write("", to: "answers.ndjson")
        #expect(try BuiltTool.run(["cache", "import", "--db", store, answers]) == 0)
        let unclear = try BuiltTool.ending(["cache", "purge", "--db", store])
        #expect(unclear.status == 64 && unclear.errors.contains("needs to know what to delete"))
        let both = try BuiltTool.ending(["cache", "purge", "--all", "--db", store, "wikidata"])
        #expect(both.status == 64 && both.errors.contains("exclude each other"))
        let (json, again) = (
            ["--json", "--db", store], ["cache", "import", "--json", "--db", store, answers]
        )
        #expect(try BuiltTool.ending(again).output == "{\"imported\":0,\"known\":0}\n")
        #expect(try BuiltTool.ending(["cache", "purge", "--all"] + json).output == "{\"deleted\":0}\n")
        for words in [["--all"], ["--stale"], ["wikidata"], ["--stale", "wikidata"]] {
            #expect(try BuiltTool.run(["cache", "purge", "--db", store] + words) == 0)
        }
    }
}
