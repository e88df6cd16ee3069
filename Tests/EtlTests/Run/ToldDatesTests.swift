import Foundation
import TestSupport
import Testing

/// `--dates`, the reader's own word on how dates are meant, through the built tool.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ToldDatesTests: ImportsByTool {
    private static let header = "Book Id,Title,Author,ISBN13,Date Read\n"
    private static let open = header + "1,T,A,9780306406157,9/2/2020\n"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The stored library as a table.
    private func library() throws -> String {
        try BuiltTool.ending(["export", "--db", store, "--format", "csv"]).output
    }

    @Test func `the warning names the way out, and who takes it is not warned`() throws {
        let file = try folder.write(Self.open, to: "a.csv")
        for command in [["import", "--dry-run", "--db", store], ["plan"], ["inspect"]] {
            let ending = try BuiltTool.ending(command + [file])
            #expect(ending.status == 0)
            #expect(ending.errors.contains("9/2/2020 was read as 2020-02-09"), "\(command)")
            #expect(ending.errors.contains("import the file with --dates month-first"), "\(command)")
            for order in ["day-first", "month-first"] {
                let told = try BuiltTool.ending(command + ["--dates", order, file])
                #expect(told.status == 0)
                #expect(!told.errors.contains("9/2/2020"), "\(command) \(order)")
            }
        }
        let next = try BuiltTool.ending(["plan", "--dates", "month-first", file]).output
        #expect(next.contains("--dates month-first"))
    }

    @Test func `what was stored wrongly is put right as the warning says`() throws {
        #expect(try importing(Self.open).errors.contains("and with --replace if it was imported already"))
        #expect(try library().contains("2020-02-09"))
        let again = try importing(Self.open, "--dates", "month-first", "--replace")
        #expect(again.status == 0)
        #expect(again.errors.isEmpty)
        let right = try library()
        #expect(right.contains("2020-09-02") && !right.contains("2020-02-09"))
    }

    @Test func `inspect shows that it was told`() throws {
        let file = try folder.write(Self.open + "2,S,B,,10/16/2020\n", to: "a.csv")
        let table = try BuiltTool.ending(["inspect", "--dates", "day-first", file]).output
        #expect(table.contains("As told, but for what can only be read in the other way, as 10/16/2020."))
        #expect(table.contains("Next: etl import --dates day-first "))
        let json = try BuiltTool.ending(["inspect", "--json", "--dates", "day-first", file]).output
        #expect(json.contains(#""dateOrder":"day-first","dateOrderTold":true"#))
        #expect(try BuiltTool.ending(["inspect", "--dates", "american", file]).status == 64)
    }

    @Test func `a mapping file says it too, and the option goes before`() throws {
        let mapping = try folder.write(
            "name: mine\ncolumns: { title: Title, dateRead: Date Read }\ndates: month-first\n", to: "m.yaml")
        let line = [
            "inspect", "--json", "--mapping", mapping, try folder.write(Self.open, to: "a.csv"),
        ]
        let mapped = try BuiltTool.ending(line).output
        #expect(mapped.contains(#""dateOrder":"month-first","dateOrderTold":true"#))
        let overruled = try BuiltTool.ending(line + ["--dates", "day-first"]).output
        #expect(overruled.contains(#""dateOrder":"day-first","dateOrderTold":true"#))
    }

    @Test func `a job that is gone on with keeps to it, and refuses the other`() throws {
        let rows = Self.open + "2,,,,\n3,S,B,9780441007318,3/4/2020\n"
        #expect(try importing(rows, "--dates", "month-first", "--max-errors", "0").status == 4)
        let other = try importing(rows, "--dates", "day-first")
        #expect(other.status == 78)
        #expect(
            other.errors.contains("begun with --dates month-first and cannot go on with --dates day-first"))
        let rest = try BuiltTool.ending(["resume", "--db", store])
        #expect(rest.status == 0)
        #expect(!rest.errors.contains("9/2/2020"))
        let stored = try library()
        #expect(stored.contains("2020-09-02") && stored.contains("2020-03-04"))
    }
}
