import Foundation
import TestSupport
import Testing

/// `etl embed`, `etl similar` and `etl search --semantic` as users run them.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct EmbedCommandTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ words: String...) throws -> BuiltTool.Ending { try BuiltTool.ending(words) }

    @Test func `vectors are computed, and similar books are found with them`() throws {
        #expect(try importing(TopicLibrary.export()).status == 0)
        let model = try TinyModel.write(to: folder.file("model"))
        let none = try run("similar", "--db", store, "9780000000057")
        #expect(none.status == 66 && none.errors.contains("etl embed"))
        let unset = try run("embed", "--db", store)
        #expect(unset.status == 78 && unset.errors.contains("--model"))
        let dry = try run("embed", "--db", store, "--model", model, "--dry-run", "--json")
        #expect(dry.output.contains("\"new\":10"))
        let embedded = try run("embed", "--db", store, "--model", model)
        #expect(embedded.status == 0 && embedded.output.contains("computed"))
        #expect(try run("embed", "--db", store, "--json").output.contains("\"current\":10"))
        let similar = try run("similar", "--db", store, "--limit", "1", "9780000000057")
        #expect(similar.status == 0 && similar.output.contains("A Mystery Crime"))
        #expect(similar.output.contains("same author; 1934–1936"))
        let json = try run("similar", "--db", store, "--json", "murder and the detective")
        #expect(json.output.contains("\"similarity\":"))
        let more = ["11,Detective of the Clue,Dan Dill,9780000000118,4,2020/01/11,read,1935"]
        #expect(try importing(TopicLibrary.export(TopicLibrary.rows + more)).status == 0)
        let current = try run("similar", "--db", store, "9780000000057")
        #expect(current.output.contains("Detective of the Clue"))
        #expect(current.errors.contains("Computed 1 vector of books that are new or have changed."))
        let found = try run("search", "--db", store, "--semantic", "loss and memory in japan")
        #expect(found.errors.isEmpty)
        #expect(found.output.split(separator: "\n").dropFirst().first?.contains("Quiet Grief") == true)
    }

    @Test func `a model that is damaged is refused in one sentence, and the vectors stay`() throws {
        #expect(try importing(TopicLibrary.export()).status == 0)
        let model = try TinyModel.write(to: folder.file("model"))
        #expect(try run("embed", "--db", store, "--model", model).status == 0)
        try TinyModel.write(to: folder.file("cut"), table: Array(TinyModel.table().prefix(9_000)))
        let refused = try run("embed", "--db", store, "--model", folder.file("cut/tiny.safetensors"))
        #expect(refused.status == 65 && refused.errors.contains("it is cut off"))
        #expect(try run("similar", "--db", store, "9780000000057").status == 0)
    }
}
