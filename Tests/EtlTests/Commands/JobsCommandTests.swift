import Foundation
import TestSupport
import Testing

/// Short names of jobs, and the commands at the end of a report.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct JobsCommandTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a job is named by its number wherever a job is named`() throws {
        #expect(try importing("Title,Author\nReef,Ana\n,Bo\n").output.contains("etl errors --db"))
        #expect(try BuiltTool.ending(["jobs", "--db", store]).output.contains("\nj1\t"))
        for line in [
            ["errors"], ["status"], ["report"], ["diff"], ["log"], ["results"], ["review"], ["undo", "-n"],
            ["cancel"], ["resume"], ["retry"], ["explain", "row:2", "--job"],
        ] {
            let ending = try BuiltTool.ending(line + ["j1", "--db", store])
            #expect(ending.status == 0, "\(line): \(ending.errors)")
        }
        let missing = try BuiltTool.ending(["status", "--db", store, "j2"])
        #expect(missing.status == 66 && missing.errors.contains("There is no job `j2`"))
        #expect(
            try BuiltTool.ending(["undo", "--db", store, "j1"]).output.contains("etl undo --db \(store) j2"))
    }

    @Test func `corrected rows are imported into a job by its number`() throws {
        _ = try importing("Title,Author\nReef,Ana\n,Bo\n")
        let list = try BuiltTool.ending(["errors", "--to", "csv", "--db", store, "j1"]).output
        let file = try folder.write(list.replacing("\n,Bo", with: "\nSea,Bo"), to: "corrections.csv")
        let ending = try BuiltTool.ending(["import", "--rejects", file, "--job", "j1", "--db", store])
        #expect(ending.status == 0 && ending.output.hasPrefix("Corrected 1 record of job j1"), "\(ending)")
    }

    @Test
    func `after an import come the commands that a newcomer wants, without the store that ETL_DB names`()
        throws
    {
        let file = try folder.write("Title\nReef\n", to: "export.csv")
        let environment = ["HOME": folder.path, "ETL_DB": store]
        let output = try BuiltTool.ending(["import", file], environment: environment).output
        let commands = output.split(separator: "\n").filter { $0.hasPrefix("etl ") }
            .map { $0.split(separator: "  ")[0] }
        #expect(
            commands.prefix(5) == [
                "etl list", "etl stats", "etl stats --html library.html", "etl serve", "etl duplicates",
            ])
        let other = try BuiltTool.ending(
            ["import", "--db", folder.file("o.sqlite"), file], environment: environment)
        #expect(other.output.contains("etl list --db \(folder.file("o.sqlite"))"))
    }
}
