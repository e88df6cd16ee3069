import Foundation
import TestSupport
import Testing

/// Reports about impossible paths and about file names with terminal control characters.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct StorePlacesTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["import", "results", "jobs"])
    func `an empty path is not a store`(command: String) throws {
        let file = try folder.write("Title\nReef\n", to: "export.csv")
        let ending = try BuiltTool.ending([command, "--db="] + (command == "import" ? [file] : []))
        #expect(ending.status == 64 && ending.errors.contains("for `--db`: expected the path of a file"))
    }

    @Test(arguments: [false, true])
    func `a missing folder is reported`(isFromStandardInput: Bool) throws {
        let text = "Title\nReef\n"
        let file = isFromStandardInput ? "-" : try folder.write(text, to: "export.csv")
        let nowhere = folder.file("no/such")
        let ending = try BuiltTool.ending(
            ["import", "--db", "\(nowhere)/s.sqlite", file], input: isFromStandardInput ? text : nil)
        #expect(ending.status == 73)
        #expect(ending.errors.contains("there is no folder `\(nowhere)`."), "\(ending.errors)")
        #expect(ending.errors.contains("Create the folder"))
    }

    @Test func `control characters in a file name are not written`() throws {
        let file = try folder.write("Title,Author\nReef,Ana\n,Bo\n", to: "a\u{1B}[31m\u{7}.csv")
        let ending = try BuiltTool.ending(["import", "--db", store, file])
        #expect(ending.status == 0)
        #expect(ending.output.contains("a\u{FFFD}[31m\u{FFFD}.csv"))
        let seen = try BuiltTool.ending(["inspect", file])
        #expect(seen.status == 0)
        let said = ending.output + ending.errors + seen.output + seen.errors
        #expect(!said.contains("\u{1B}") && !said.contains("\u{7}"))
    }
}
