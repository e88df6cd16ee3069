import Foundation
import TestSupport
import Testing

/// `etl errors` over one file and over several.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ErrorsCommandTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a row of several files is listed with its file`() throws {
        let text = "Title,Author\nReef,Ana\n,Bo\n"
        let files = try ["a.csv", "b.csv"].map { try folder.write(text.replacing("Reef", with: $0), to: $0) }
        #expect(try BuiltTool.ending(["import", "--db", store] + files).status == 0)
        let lines = try BuiltTool.ending(["errors", "--db", store]).output.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("file "))
        #expect(zip(lines.dropFirst(), files).allSatisfy { $0.hasPrefix("\($1)  ") })
    }

    @Test func `a row of one file needs no name`() throws {
        #expect(try importing("Title,Author\nReef,Ana\n,Bo\n").status == 0)
        let output = try BuiltTool.ending(["errors", "--db", store]).output
        #expect(output.hasPrefix("row") && !output.contains("export.csv"))
    }
}
