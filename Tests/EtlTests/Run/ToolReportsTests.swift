import Foundation
import TestSupport
import Testing

/// What the built tool tells, and what it does not: the reports of a run, and the commands that look at jobs.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ToolReportsTests: ImportsByTool {
    private static let header = "Book Id,Title,Author,ISBN13,My Rating\n"
    private static let sound = header + "1,T,A,9780306406157,3\n"
    private static let odd = header + "1,T,A,9780306406158,3\n2,,B,,0\n"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: The tool alone

    @Test func `without a command it shows the short help, and the line was wrong all the same`() throws {
        let ending = try BuiltTool.ending([])
        #expect(ending.status == 64)
        #expect(ending.output.contains("import "))
        #expect(ending.output.contains("etl help COMMAND"))
        #expect(ending.errors.isEmpty)
    }

    // MARK: Closing reports

    @Test func `quiet says nothing where all is well, and JSON where that was asked for`() throws {
        let quiet = try importing(Self.sound, "--quiet")
        #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
        #expect(try importing(Self.sound, "--quiet", "--json").output.hasPrefix("{"))
    }

    @Test func `who asks nobody is told how to get more, once and not where nobody was to be asked`() throws {
        #expect(try importing(Self.sound).output.contains("etl catalog build"))
        #expect(!(try importing(Self.sound, "--providers", "none").output.contains("etl catalog build")))
    }

    @Test func `warnings are counted in the report`() throws {
        let ending = try importing(Self.odd, "--job", "spring")
        #expect(ending.output.contains("\nisbn13_check_digit "))
        #expect(ending.output.contains("etl errors --warnings spring"))
        #expect(ending.output.hasPrefix("Imported "))
    }

    @Test func `the headline says what came of it`() throws {
        #expect(try importing(Self.odd).status == 0)
        let again = try importing(Self.odd)
        #expect(again.output.contains("holds nothing new: 2 records"), "a reject in it is nothing new either")
        let empty = try importing(Self.header)
        #expect(empty.status == 0)
        #expect(empty.output.contains("holds no records: there was nothing to import."))
        #expect(empty.errors.contains("holds a header and no records"))
        let bad = try importing(Self.header + "7,,C,,0\n")
        #expect(bad.output.contains("Nothing of "))
        #expect(bad.output.contains("1 record turned away"))
    }

    @Test(arguments: ["", "  "])
    func `a library needs a name`(name: String) throws {
        let ending = try importing(Self.sound, "--library", name)
        #expect(ending.status == 64)
        #expect(ending.errors.contains("--library"))
        #expect(!FileManager.default.fileExists(atPath: store))
    }

    // MARK: Jobs

    @Test func `a job goes by the beginning of its id where that is one job's only`() throws {
        #expect(try importing(Self.odd, "--job", "spring-2025").status == 0)
        #expect(try importing(Self.odd, "--job", "spring-2026").status == 0)
        #expect(try importing(Self.odd, "--job", "autumn").status == 0)
        for command in ["status", "errors", "results"] {
            #expect(try BuiltTool.ending([command, "--db", store, "aut"]).status == 0, "\(command)")
            #expect(try BuiltTool.ending([command, "--db", store, "spring-2025"]).status == 0)
            let several = try BuiltTool.ending([command, "--db", store, "spring"])
            #expect(several.status == 78, "\(command)")
            #expect(several.errors.contains("spring-2026, spring-2025"), "\(command)")
            #expect(try BuiltTool.ending([command, "--db", store, "winter"]).status == 66)
        }
        #expect(try BuiltTool.ending(["explain", "--db", store, "--job", "aut", "row:3"]).status == 0)
        #expect(try BuiltTool.ending(["cancel", "--db", store, "aut"]).errors.contains("nothing to cancel"))
        let list = try folder.write("Title,_etl_row\nFound,3\n", to: "mend.csv")
        let budget = try BuiltTool.ending([
            "import", "--db", store, "--rejects", list, "--job", "aut", "--max-errors", "1",
        ])
        #expect(budget.status == 64, "A budget is for whole files.")
        let mended = try BuiltTool.ending(["import", "--db", store, "--rejects", list, "--job", "aut"])
        #expect(mended.output.hasPrefix("1 record of job autumn mended"))
    }

    // MARK: Checks

    @Test func `a definition's structure and names are told in one go`() throws {
        let file = try folder.write(
            "name: a\nsnik: 1\nsource: { stage: ReadLibary }\nsink: { stage: WriteResults, settings: { x: 1 } }\n",
            to: "broken.yaml")
        let ending = try BuiltTool.ending(["check", file])
        #expect(ending.status == 78)
        #expect(ending.errors.contains("snik"))
        #expect(ending.errors.contains("Did you mean `ReadLibrary`?"))
        #expect(ending.errors.contains("`x`"))
    }

    @Test func `the doctor tells first what is wrong`() throws {
        let ending = try BuiltTool.ending([
            "doctor", "--db", store, "--catalog", folder.file("gone.sqlite"),
        ])
        #expect(ending.status == 78)
        let lines = ending.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("1 thing wrong") == true)
        #expect(lines.dropFirst(2).first?.hasPrefix("WRONG") == true)
        let settings = try #require(lines.firstIndex { $0.hasPrefix("setting ") })
        #expect(lines[..<settings].allSatisfy { !$0.contains("run.window") })
    }
}
