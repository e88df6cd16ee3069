import Foundation
import System
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

    @Test(
        arguments: [
            ["import", "--metrics=", "a.csv"], ["import", "--events", "", "a.csv"],
            ["import", "--mapping=", "a.csv"], ["catalog", "build", "--out=", "dump.txt"],
            ["catalog", "build", "-o", "", "dump.txt"],
        ])
    func `an empty path is not a file`(arguments: [String]) throws {
        let ending = try BuiltTool.ending(arguments)
        #expect(ending.status == 64 && ending.errors.contains(": expected the path of a file"))
    }

    @Test(arguments: [214, 300])
    func `a name that is too long is refused, and nothing is left`(length: Int) throws {
        let file = try folder.write("Title\nReef\n", to: "export.csv")
        let long = folder.file(String(repeating: "é", count: length / 2))
        let stored = try BuiltTool.ending(["import", "--quiet", "--offline", "--db", long, file])
        #expect(stored.status == 73 && stored.errors.contains("is too long"), "\(stored)")
        let dump = try folder.write(
            "/type/work\t/works/OL1W\t1\t2020-01-01T00:00:00\t{\"title\":\"Reef\"}\n", to: "works.txt")
        #expect(try BuiltTool.run(["jobs", "--db", long]) == 66)
        let catalog = folder.file(String(repeating: "é", count: 118))
        let built = try BuiltTool.ending(["catalog", "build", "--quiet", "--out", catalog, dump])
        #expect(built.status == 73 && built.errors.contains("is too long"), "\(built)")
        #expect(Set(Folder.names(in: folder.path) ?? []) == ["export.csv", "works.txt"])
    }

    @Test func `a store with a name of the greatest length is used`() throws {
        let file = try folder.write("Title\nReef\n", to: "export.csv")
        let long = folder.file(String(repeating: "x", count: 212))
        #expect(try BuiltTool.run(["import", "--quiet", "--offline", "--db", long, file]) == 0)
        #expect(try BuiltTool.run(["import", "--quiet", "--offline", "--db", long, "--dry-run", file]) == 0)
        #expect(
            try BuiltTool.ending(["import", "--quiet", "--db", long, "-"], input: "Title\nReef\n").status == 0
        )
        #expect(try BuiltTool.run(["search", "--db", long, "reef"]) == 0)
    }

    /// Under its other name it would have another lock.
    @Test func `a store with two names is read, but not written`() throws {
        let file = try folder.write("Title\nReef\n", to: "export.csv")
        #expect(try BuiltTool.run(["import", "--db", store, file]) == 0)
        let other = folder.file("other.sqlite")
        try FileManager.default.linkItem(atPath: store, toPath: other)
        for path in [store, other] {
            let ending = try BuiltTool.ending(["import", "--db", path, "--restart", file])
            #expect(ending.status == 73 && ending.errors.contains("has another name (a hard link)"))
            #expect(try BuiltTool.run(["jobs", "--db", path]) == 0)
        }
        try FileManager.default.removeItem(atPath: other)
        #expect(try BuiltTool.run(["import", "--db", store, "--restart", file]) == 0)
    }

    @Test func `the files of a store named by a link are next to the store`() throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("real"), withIntermediateDirectories: true)
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real/s.sqlite")
        // The job stops, so its standard input is kept.
        let stopped = try BuiltTool.ending(
            ["import", "--db", link, "--max-errors", "0", "-"], input: "Title,Author\nReef,Ana\n,Bo\n")
        #expect(stopped.status == 4)
        #expect(try BuiltTool.run(["search", "title", "--db", link, "reef"]) == 0)
        var names = try FileManager.default.contentsOfDirectory(atPath: folder.file("real"))
        #expect(names.contains("s.sqlite.search") && names.contains { $0.hasSuffix(".stdin") })
        #expect(Set(folder.names) == ["link.sqlite", "real"])
        // Resumed under its other name, the job ends and the copy of standard input is deleted.
        let resumed = try BuiltTool.ending(["resume", "--db", folder.file("real/s.sqlite")])
        #expect(resumed.status == 0, "\(resumed.errors)")
        names = try FileManager.default.contentsOfDirectory(atPath: folder.file("real"))
        #expect(!names.contains { $0.hasSuffix(".stdin") })
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
