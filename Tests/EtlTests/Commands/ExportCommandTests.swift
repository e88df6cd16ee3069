import Foundation
import TestSupport
import Testing

/// `etl export` into a file.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ExportCommandTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `the ending of the file names the format`() throws {
        _ = try importing("Title,Author\nReef,Ana\n")
        for name in ["y.csv", "y.json", "y.ndjson", "Y.CSV"] {
            let file = folder.file(name)
            let ending = try BuiltTool.ending(["export", "--db", store, "-o", file])
            #expect(ending.status == 0 && ending.output.isEmpty, "\(ending.errors)")
            #expect(ending.errors.contains("Wrote `\(file)`."))
            let format = name.lowercased().split(separator: ".")[1]
            let text = try BuiltTool.ending(["export", "--db", store, "--to", String(format)]).output
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        }
        let workbook = folder.file("y.xlsx")
        #expect(try BuiltTool.run(["export", "--db", store, "--output", workbook]) == 0)
        #expect(FileManager.default.fileExists(atPath: workbook))
    }

    @Test func `a refused export leaves the file, and the store is not overwritten`() throws {
        _ = try importing("Title,Author,Publisher\nReef,Ana,Ace\n")
        let file = try folder.write("old", to: "y.csv")
        let line = ["export", "--db", store, "--to", "isbn-list", "--strict", "-o", file]
        let ending = try BuiltTool.ending(line)
        #expect(ending.status == 3 || ending.status == 64, "\(ending)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
        #expect(try BuiltTool.ending(["export", "--to", "csv", "--db", store, "-o", store]).status == 64)
    }
}
