import Foundation
import TestSupport
import Testing

/// Reports of the built tool at the end of a run, and commands about jobs.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ToolReportsTests: ImportsByTool {
    private static let header = "Book Id,Title,Author,ISBN13,My Rating\n"
    private static let sound = header + "1,T,A,9780306406157,3\n"
    private static let odd = header + "1,T,A,9780306406158,3\n2,,B,,0\n"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Without a command

    @Test func `without a command it shows the short help and fails`() throws {
        let ending = try BuiltTool.ending([])
        #expect(ending.status == 64)
        #expect(ending.output.contains("import "))
        #expect(ending.output.contains("etl help COMMAND"))
        #expect(ending.errors.isEmpty)
    }

    // MARK: Closing reports

    @Test func `quiet prints nothing on success except requested JSON`() throws {
        let quiet = try importing(Self.sound, "--quiet")
        #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
        #expect(try importing(Self.sound, "--quiet", "--json").output.hasPrefix("{"))
    }

    @Test func `an import without providers suggests a catalog, unless providers were excluded`() throws {
        #expect(try importing(Self.sound).output.contains("etl catalog build"))
        #expect(!(try importing(Self.sound, "--providers", "none").output.contains("etl catalog build")))
    }

    @Test func `warnings are counted in the report`() throws {
        let ending = try importing(Self.odd, "--job", "spring")
        #expect(ending.output.contains("\nisbn13_check_digit "))
        #expect(ending.output.contains("etl errors --warnings --db \(store) spring"))
        #expect(ending.output.hasPrefix("Imported "))
    }

    @Test func `the headline states the result`() throws {
        #expect(try importing(Self.odd).status == 0)
        let again = try importing(Self.odd)
        #expect(
            again.output.contains(": 2 records read"), "a repeated reject is not new either")
        let empty = try importing(Self.header)
        #expect(empty.status == 0)
        #expect(empty.output.contains("contains no records: nothing to import."))
        #expect(!empty.errors.contains("no records"))
        let bad = try importing(Self.header + "7,,C,,0\n")
        #expect(bad.output.contains("Nothing imported from "))
        #expect(bad.output.contains("1 record rejected"))
    }

    @Test func `warnings about a file are reported by every command that reads it`() throws {
        let file = try folder.write(
            "Book Id,Title,Author,ISBN13,Date Added\n1,T,A,9780306406157,9/2/2020\n2,S", to: "cut.csv")
        for command in [
            ["import", "--db", store], ["import", "--dry-run", "--db", store], ["plan"], ["inspect"],
        ] {
            let ending = try BuiltTool.ending(command + [file])
            #expect(ending.status == 0)
            #expect(
                ending.errors.contains(
                    "cut.csv` is truncated: it ends in the middle of row 3 (line 3)."))
            #expect(ending.errors.contains("9/2/2020 was read as 2020-02-09"), "\(command)")
        }
        let order = try folder.write("Title,Date Read\nA,9/2/2020\nB,10/16/2020\n", to: "months.csv")
        let table = try BuiltTool.ending(["inspect", order]).output
        #expect(table.contains("month first"))
        #expect(table.contains("10/16/2020 can only be read this way."))
        let json = try BuiltTool.ending(["inspect", "--json", order]).output
        #expect(json.contains(#""dateOrder":"month-first""#))
    }

    @Test func `targets without data are not missed, and empty sections have no heading`() throws {
        let alone = try importing(Self.sound)
        #expect(!alone.output.contains("ISBNs matched"))
        #expect(!alone.output.contains("missed"))
        let empty = try importing(Self.header)
        for heading in ["quality", "stage", "service"] { #expect(!empty.output.contains(heading)) }
    }

    @Test func `a resumed run reports its own part`() throws {
        let first = try importing(Self.odd, "--max-errors", "0")
        #expect(first.status == 4)
        #expect(!first.output.contains("--rejects"), "an unfinished job accepts no corrections")
        let rest = try BuiltTool.ending(["resume", "--db", store])
        #expect(rest.status == 0)
        #expect(rest.output.contains("--rejects"))
        #expect(rest.output.contains("2 records, 0 in this run"))
    }

    @Test func `standard input is reported by name`() throws {
        let line = ["import", "--db", store, "--job", "piped", "-"]
        let ending = try BuiltTool.ending(line + ["--max-errors", "0"], input: Self.odd)
        #expect(ending.status == 4)
        #expect(ending.output.contains(" of standard input; "))
        let damaged = try BuiltTool.ending(["import", "--db", store, "-"], input: "<html>")
        #expect(damaged.errors.contains("standard input"))
        for said in [
            ending, damaged, try BuiltTool.ending(["jobs", "--db", store]),
            try BuiltTool.ending(["status", "--db", store]),
        ] { #expect(!(said.output + said.errors).contains(".stdin")) }
    }

    @Test func `records set aside are reported separately`() throws {
        let film = "Title,Author,ISBN,Media\nBook,A,,Paperback\nFilm,B,,DVD\n,C,,Paperback\n"
        let ending = try importing(film, "--format", "librarything", "--job", "films")
        #expect(ending.output.contains("\nset aside  "))
        let status = try BuiltTool.ending(["status", "--db", store])
        #expect(status.output.contains("\nrejected   1\n"))
        #expect(status.output.contains("\nset aside  1 ("))
        #expect(try BuiltTool.ending(["jobs", "--db", store]).output.contains("set aside"))
    }

    @Test func `a usage error is reported as one even if only the store reveals it`() throws {
        #expect(try importing(Self.sound, "--job", "spring").status == 0)
        let taken = try importing(Self.odd, "--job", "spring")
        #expect(taken.status == 64)
        #expect(taken.errors.contains("--job"))
        #expect(try BuiltTool.ending(["explain", "--db", store, "9780306406158"]).status == 64)
        #expect(try BuiltTool.ending(["explain", "--db", store, "9780441013593"]).status == 66)
    }

    @Test func `errors can be requested as JSON with either option`() throws {
        #expect(try importing(Self.odd).status == 0)
        let json = try BuiltTool.ending(["errors", "--db", store, "--json"])
        #expect(json.output.hasPrefix("["))
        #expect(json.output == (try BuiltTool.ending(["errors", "--db", store, "--format", "json"]).output))
        #expect(try BuiltTool.ending(["errors", "--db", store, "--json", "--to", "csv"]).status == 64)
    }

    @Test func `a missing catalog is reported with the command to build it`() throws {
        let ending = try importing(Self.sound, "--catalog", "nowhere.sqlite")
        #expect(ending.status == 66)
        #expect(ending.errors.contains("There is no catalog `nowhere.sqlite` in `/"))
        #expect(ending.errors.contains("etl catalog build --output nowhere.sqlite"))
    }

    @Test func `the next step after inspect has the given options`() throws {
        let file = try folder.write("T;A\nBook;Ann\n", to: "my table.csv")
        let ending = try BuiltTool.ending(["inspect", "--map", "title=T,author=A", "--delimiter", ";", file])
        #expect(
            ending.output.hasSuffix("Next: etl import --map title=T,author=A --delimiter ';' '\(file)'\n"))
    }

    @Test
    func `the next step after a plan has the given options, and the plan reports that no service is used`()
        throws
    {
        let file = try folder.write("Title,Author\nBook,Ann\n", to: "my table.csv")
        let plan = ["plan", "--db", store, "--limit", "5", "--offline", "--format", "generic", file]
        let ending = try BuiltTool.ending(plan)
        #expect(ending.output.contains("No catalog or service is configured"))
        #expect(
            ending.output.hasSuffix(
                "Next: etl import --db \(store) --limit 5 --offline --from generic '\(file)'\n"))
    }

    @Test func `records that are not books are set aside, and the row of rejects is omitted`() throws {
        let text = "Title,Author,Binding\nBook,Ann,Paperback\nFilm,Bob,DVD\nTitle,Author,Binding\n"
        let ending = try importing(text, "--job", "spring")
        #expect(ending.output.contains("set aside"))
        #expect(ending.output.split(separator: "\n").allSatisfy { !$0.hasPrefix("rejected  ") })
        #expect(ending.output.contains("repeated_header") && ending.output.contains("not_a_book"))
        let status = try BuiltTool.ending(["status", "--db", store, "spring"]).output
        #expect(status.contains("\nset aside") && !status.contains("\nrejected"))
    }

    @Test func `an ISBN with a wrong check digit is reported with the right one`() throws {
        let ending = try BuiltTool.ending(["search", "isbn", "978-0-441-17271-8", "--db", store])
        #expect(ending.status == 64)
        #expect(ending.errors.contains("9780441172719"))
        #expect(try !BuiltTool.ending(["search", "isbn", "12", "--db", store]).errors.contains("last digit"))
    }

    @Test func `a row of several jobs is reported as the newest job's`() throws {
        #expect(try importing(Self.sound, "--job", "spring").status == 0)
        #expect(try importing(Self.odd, "--job", "autumn").status == 0)
        let explained = try BuiltTool.ending(["explain", "--db", store, "row:2"])
        #expect(
            explained.output.hasPrefix(
                "This is row 2 of the newest job, autumn. These jobs also have a row 2: spring.\n"))
        #expect(
            !(try BuiltTool.ending(["explain", "--db", store, "--job", "autumn", "row:2"]).output.contains(
                "Other jobs")))
        #expect(try importing(Self.header, "--job", "winter").status == 0)
        #expect(
            try BuiltTool.ending(["explain", "--db", store, "row:3"]).errors.contains(
                "Job `autumn` has a row 3"))
    }

    @Test func `a table fits COLUMNS`() throws {
        #expect(try importing(Self.odd).status == 0)
        var environment = ProcessInfo.processInfo.environment
        environment["COLUMNS"] = "60"
        let narrow = try BuiltTool.ending(["errors", "--db", store], environment: environment)
        #expect(narrow.output.split(separator: "\n").allSatisfy { $0.count <= 60 })
    }

    @Test(arguments: ["", "  "])
    func `a library needs a name`(name: String) throws {
        let ending = try importing(Self.sound, "--library", name)
        #expect(ending.status == 64)
        #expect(ending.errors.contains("--library"))
        #expect(!FileManager.default.fileExists(atPath: store))
    }

    // MARK: Jobs

    @Test func `a job can be given by a unique prefix of its name`() throws {
        #expect(try importing(Self.odd, "--job", "spring-2025").status == 0)
        #expect(try importing(Self.odd, "--job", "spring-2026").status == 0)
        #expect(try importing(Self.odd, "--job", "autumn").status == 0)
        for command in ["status", "errors", "results"] {
            #expect(try BuiltTool.ending([command, "--db", store, "aut"]).status == 0, "\(command)")
            #expect(try BuiltTool.ending([command, "--db", store, "spring-2025"]).status == 0)
            let several = try BuiltTool.ending([command, "--db", store, "spring"])
            #expect(several.status == 64, "\(command)")
            #expect(several.errors.contains("spring-2026, spring-2025"), "\(command)")
            #expect(try BuiltTool.ending([command, "--db", store, "winter"]).status == 66)
        }
        #expect(try BuiltTool.ending(["explain", "--db", store, "--job", "aut", "row:3"]).status == 0)
        #expect(try BuiltTool.ending(["cancel", "--db", store, "aut"]).errors.contains("nothing to cancel"))
        let list = try folder.write("Title,_etl_row\nFound,3\n", to: "corrected.csv")
        let budget = try BuiltTool.ending([
            "import", "--db", store, "--rejects", list, "--job", "aut", "--max-errors", "1",
        ])
        #expect(budget.status == 64, "a budget applies to whole files only")
        let corrected = try BuiltTool.ending(["import", "--db", store, "--rejects", list, "--job", "aut"])
        #expect(corrected.output.hasPrefix("Corrected 1 record of job autumn"))
    }

    // MARK: Checks

    @Test func `mistakes in a definition's structure and names are reported together`() throws {
        let file = try folder.write(
            "name: a\nsnik: 1\nsource: { stage: ReadLibary }\nsink: { stage: WriteResults, settings: { x: 1 } }\n",
            to: "broken.yaml")
        let ending = try BuiltTool.ending(["check", file])
        #expect(ending.status == 78)
        #expect(ending.errors.contains("snik"))
        #expect(ending.errors.contains("Did you mean `ReadLibrary`?"))
        #expect(ending.errors.contains("`x`"))
    }

    @Test func `the doctor reports problems first`() throws {
        let ending = try BuiltTool.ending([
            "doctor", "--settings", "--db", store, "--catalog", folder.file("gone.sqlite"),
        ])
        #expect(ending.status == 78)
        let lines = ending.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("1 problem found") == true)
        #expect(lines.dropFirst().first?.hasPrefix("error") == true)
        let settings = try #require(lines.firstIndex { $0.hasPrefix("setting ") })
        #expect(lines[..<settings].allSatisfy { !$0.contains("run.window") })
    }
}
