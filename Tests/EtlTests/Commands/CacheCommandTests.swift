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
        #expect(try BuiltTool.ending(["cache", command, "--db", store]).status == 0)
    }
}
