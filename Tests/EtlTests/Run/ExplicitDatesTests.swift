import Foundation
import TestSupport
import Testing

/// `--dates`, an explicit date order, with the built tool.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ExplicitDatesTests: ImportsByTool {
    private static let header = "Book Id,Title,Author,ISBN13,Date Read\n"
    private static let open = header + "1,T,A,9780306406157,9/2/2020\n"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The stored library as a table.
    private func library() throws -> String {
        try BuiltTool.ending(["export", "--db", store, "--format", "csv"]).output
    }

    @Test func `the warning names the option, which silences it`() throws {
        let file = try folder.write(Self.open, to: "a.csv")
        for command in [["import", "--dry-run", "--db", store], ["plan"], ["inspect"]] {
            let ending = try BuiltTool.ending(command + [file])
            #expect(ending.status == 0)
            #expect(ending.errors.contains("9/2/2020 was read as 2020-02-09"), "\(command)")
            #expect(ending.errors.contains("import the file with --dates month-first"), "\(command)")
            for order in ["day-first", "month-first"] {
                let explicit = try BuiltTool.ending(command + ["--dates", order, file])
                #expect(explicit.status == 0)
                #expect(!explicit.errors.contains("9/2/2020"), "\(command) \(order)")
            }
        }
        let next = try BuiltTool.ending(["plan", "--dates", "month-first", file]).output
        #expect(next.contains("--dates month-first"))
    }

    @Test func `wrongly stored dates are corrected as the warning says`() throws {
        #expect(try importing(Self.open).errors.contains("--dates month-first --restart"))
        #expect(try library().contains("2020-02-09"))
        let again = try importing(Self.open, "--dates", "month-first", "--restart")
        #expect(again.status == 0)
        #expect(again.errors.isEmpty)
        let right = try library()
        #expect(right.contains("2020-09-02") && !right.contains("2020-02-09"))
    }

    @Test func `inspect shows that the order was given`() throws {
        let file = try folder.write(Self.open + "2,S,B,,10/16/2020\n", to: "a.csv")
        let table = try BuiltTool.ending(["inspect", "--dates", "day-first", file]).output
        #expect(
            table.contains(
                "As specified, except for dates such as 10/16/2020, which can only be read as month first."))
        #expect(table.contains("Next: etl import --dates day-first "))
        let json = try BuiltTool.ending(["inspect", "--json", "--dates", "day-first", file]).output
        #expect(json.contains(#""dateOrder":"day-first","dateOrderTold":true"#))
        #expect(try BuiltTool.ending(["inspect", "--dates", "american", file]).status == 64)
    }

    @Test func `a mapping file can set it, and the option overrides that`() throws {
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

    @Test func `a resumed job keeps its order and rejects another`() throws {
        let rows = Self.open + "2,,,,\n3,S,B,9780441007318,3/4/2020\n"
        #expect(try importing(rows, "--dates", "month-first", "--max-errors", "0").status == 4)
        let other = try importing(rows, "--dates", "day-first")
        #expect(other.status == 78)
        #expect(
            other.errors.contains("started with dates month-first and cannot continue with dates day-first"))
        #expect(
            other.errors.contains(
                "To start over, run `etl import --restart --dates day-first --db \(store) FILE`."))
        // Other options do not change it: the job keeps its order.
        let limited = try importing(rows, "--limit", "1")
        #expect(limited.status == 78)
        #expect(limited.errors.contains("`etl import --restart --dates month-first --db"))
        let rest = try BuiltTool.ending(["resume", "--db", store])
        #expect(rest.status == 0)
        #expect(!rest.errors.contains("9/2/2020"))
        let stored = try library()
        #expect(stored.contains("2020-09-02") && stored.contains("2020-03-04"))
    }

    // MARK: Restart

    private static let latest =
        header + "1,T,A,9780306406157,1/12/2020\n2,,,,\n3,S,B,9780441007318,3/4/2020\n"

    @Test func `a stopped job restarts with the new order`() throws {
        #expect(try importing(Self.latest, "--max-errors", "0").status == 4)
        let refused = try importing(Self.latest, "--dates", "month-first")
        #expect(refused.status == 78)
        #expect(refused.errors.contains("`etl import --restart --dates month-first --db \(store) "))
        let again = try importing(Self.latest, "--restart", "--dates", "month-first")
        #expect(again.status == 0)
        #expect(!again.errors.contains("older"))
        let stored = try library()
        #expect(stored.contains("2020-01-12") && stored.contains("2020-03-04"))
        #expect(!stored.contains("2020-12-01"))
    }

    @Test func `a changed file restarts with the order of its job`() throws {
        #expect(try importing(Self.latest, "--dates", "month-first", "--max-errors", "0").status == 4)
        _ = try folder.write(Self.latest.replacing("T,A", with: "U,A"), to: "export.csv")
        let resumed = try BuiltTool.ending(["resume", "--db", store])
        #expect(resumed.status == 65)
        #expect(resumed.errors.contains("`etl import --restart --dates month-first --db"))
    }

    // MARK: Corrections

    /// A list of rejects as a US spreadsheet rewrites it.
    private func corrected(_ name: String, _ dates: [String]) throws -> String {
        let rows = dates.enumerated().map { "\($0 + 2),Book \($0),Ann Lee,,\($1),,,\($0 + 2)\n" }.joined()
        return try folder.write(
            Self.header.dropLast() + ",_etl_reason,_etl_detail,_etl_row\n" + rows, to: name)
    }

    private func importCorrections(_ list: String, _ options: String...) throws -> BuiltTool.Ending {
        try BuiltTool.ending(["import", "--db", store, "--rejects", list, "--job", "j"] + options)
    }

    private static let untitled =
        header + "2,,Ann Lee,,2026/04/02\n3,,Ann Lee,,2026/10/16\n4,,Ann Lee,,2026/05/06\n"

    @Test func `a corrected list with ambiguous dates is not guessed at`() throws {
        #expect(try importing(Self.untitled, "--job", "j").status == 0)
        let list = try corrected("m.csv", ["4/2/2026", "2026-10-16", "5/6/2026"])
        let first = try importCorrections(list)
        #expect(first.status == 0)
        #expect(
            first.errors.contains(
                "`\(list)` has 2 ambiguous dates. No date shows the order. Their rows stay rejected."),
            "\(first.errors)")
        #expect(
            first.errors.contains(
                "Specify the order: `etl import --rejects FILE --job j --dates month-first "
                    + "--db \(store)`, or --dates day-first."), "\(first.errors)")
        #expect(first.output.contains("Corrected 1 record of job j"))
        #expect(first.output.contains(", 2 still rejected."))
        #expect(first.output.contains("date_ambiguous"))
        // Corrections are not lost: the list shows the corrected values.
        let listed = try BuiltTool.ending(["errors", "--db", store, "--format", "csv", "j"]).output
        #expect(listed.contains("2,Book 0,Ann Lee,,4/2/2026,date_ambiguous,"))
        #expect(try library().contains("2026-10-16"))
        #expect(try !library().contains("Book 0"))

        #expect(first.output.contains("etl import --rejects corrections.csv --job j --db"))
        // Rows that are still wrong are listed with their new values: the dates need the option again.
        let wrong = try folder.write(
            Self.header.dropLast() + ",_etl_reason,_etl_detail,_etl_row\n2,,Ann Lee,,4/2/2026,,,2\n",
            to: "u.csv")
        let untitled = try importCorrections(wrong, "--dates", "month-first")
        #expect(
            untitled.output.contains("etl import --rejects corrections.csv --job j --dates month-first --db"))
        let explicit = try importCorrections(list, "--dates", "month-first")
        #expect(explicit.status == 0)
        #expect(!explicit.errors.contains("ambiguous date"))
        let stored = try library()
        #expect(stored.contains("2026-04-02") && stored.contains("2026-05-06"))
        // Rows that are corrected give no more warnings.
        let again = try importCorrections(list)
        #expect(again.status == 0)
        #expect(!again.errors.contains("ambiguous date"))
        #expect(try library() == stored)
    }

    @Test func `one unambiguous date in a corrected list determines the others`() throws {
        #expect(try importing(Self.untitled, "--job", "j").status == 0)
        let ending = try importCorrections(try corrected("m.csv", ["4/2/2026", "10/16/2026", "5/6/2026"]))
        #expect(ending.status == 0 && !ending.errors.contains("ambiguous date"))
        let stored = try library()
        #expect(
            stored.contains("2026-04-02") && stored.contains("2026-10-16") && stored.contains("2026-05-06"))
    }

    @Test func `a corrected list that contradicts the dates of its file is not guessed at`() throws {
        let rows = Self.untitled.replacing("2026/05/06", with: "16/10/2026")
        #expect(try importing(rows, "--job", "j").status == 0)
        // The list is month-first, its file is day-first.
        let list = try corrected("m.csv", ["4/2/2026", "10/16/2026"])
        let contrary = try importCorrections(list)
        #expect(
            contrary.errors.contains(
                "`\(list)` has 1 ambiguous date. 10/16/2026 contradicts the dates of the imported file."
            ), "\(contrary.errors)")
        #expect(try importCorrections(list, "--dates", "day-first").status == 0)
        let stored = try library()
        #expect(stored.contains("2026-02-04") && stored.contains("2026-10-16"))
    }

    @Test func `a corrected list is read in the explicit order of its job`() throws {
        #expect(try importing(Self.untitled, "--job", "j", "--dates", "month-first").status == 0)
        let ending = try importCorrections(try corrected("m.csv", ["4/2/2026"]))
        #expect(ending.status == 0 && !ending.errors.contains("ambiguous date"))
        #expect(try library().contains("2026-04-02"))
        // The list can still set its own order.
        #expect(
            try importCorrections(try corrected("n.csv", ["", "5/6/2026"]), "--dates", "day-first").status
                == 0)
        #expect(try library().contains("2026-06-05"))
    }
}
