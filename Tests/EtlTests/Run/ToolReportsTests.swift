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

    @Test func `what is doubtful of a file is told by whatever reads it`() throws {
        let file = try folder.write(
            "Book Id,Title,Author,ISBN13,Date Added\n1,T,A,9780306406157,9/2/2020\n2,S", to: "cut.csv")
        for command in [
            ["import", "--db", store], ["import", "--dry-run", "--db", store], ["plan"], ["inspect"],
        ] {
            let ending = try BuiltTool.ending(command + [file])
            #expect(ending.status == 0)
            #expect(ending.errors.contains("cut.csv ends within record 3 (line 3): it was probably cut off."))
            #expect(ending.errors.contains("9/2/2020 was read as 2020-02-09"), "\(command)")
        }
        let order = try folder.write("Title,Date Read\nA,9/2/2020\nB,10/16/2020\n", to: "months.csv")
        let table = try BuiltTool.ending(["inspect", order]).output
        #expect(table.contains("month first"))
        #expect(table.contains("10/16/2020 can be read in no other way."))
        let json = try BuiltTool.ending(["inspect", "--json", order]).output
        #expect(json.contains(#""dateOrder":"month-first""#))
    }

    @Test func `what nobody was asked is no target missed, and what is empty has no heading`() throws {
        let alone = try importing(Self.sound)
        #expect(!alone.output.contains("ISBNs matched"))
        #expect(!alone.output.contains("missed"))
        let empty = try importing(Self.header)
        for heading in ["quality", "stage", "service"] { #expect(!empty.output.contains(heading)) }
    }

    @Test func `a run that goes on tells what was its own`() throws {
        let first = try importing(Self.odd, "--max-errors", "0")
        #expect(first.status == 4)
        #expect(!first.output.contains("--rejects"), "a job that is not finished takes no mended list")
        let rest = try BuiltTool.ending(["resume", "--db", store])
        #expect(rest.status == 0)
        #expect(rest.output.contains("--rejects"))
        #expect(rest.output.contains("2 records in all, 0 of them in this run"))
    }

    @Test func `standard input goes by its name`() throws {
        let line = ["import", "--db", store, "--job", "piped", "-"]
        let ending = try BuiltTool.ending(line + ["--max-errors", "0"], input: Self.odd)
        #expect(ending.status == 4)
        #expect(ending.output.contains(" of <stdin>; "))
        let damaged = try BuiltTool.ending(["import", "--db", store, "-"], input: "<html>")
        #expect(damaged.errors.contains("<stdin>"))
        for said in [
            ending, damaged, try BuiltTool.ending(["jobs", "--db", store]),
            try BuiltTool.ending(["status", "--db", store]),
        ] { #expect(!(said.output + said.errors).contains(".stdin")) }
    }

    @Test func `what was set aside is told apart`() throws {
        let film = "Title,Author,ISBN,Media\nBook,A,,Paperback\nFilm,B,,DVD\n,C,,Paperback\n"
        let ending = try importing(film, "--format", "librarything", "--job", "films")
        #expect(ending.output.contains("\nset aside  "))
        let status = try BuiltTool.ending(["status", "--db", store])
        #expect(status.output.contains("\nrejected     1\n"))
        #expect(status.output.contains("\nset aside    1, "))
        #expect(try BuiltTool.ending(["jobs", "--db", store]).output.contains("set aside"))
    }

    @Test func `what is wrong with the line is told as that though only the store knows`() throws {
        #expect(try importing(Self.sound, "--job", "spring").status == 0)
        let taken = try importing(Self.odd, "--job", "spring")
        #expect(taken.status == 64)
        #expect(taken.errors.contains("--job"))
        #expect(try BuiltTool.ending(["explain", "--db", store, "9780306406158"]).status == 64)
        #expect(try BuiltTool.ending(["explain", "--db", store, "9780441013593"]).status == 66)
    }

    @Test func `errors as JSON by either word`() throws {
        #expect(try importing(Self.odd).status == 0)
        let json = try BuiltTool.ending(["errors", "--db", store, "--json"])
        #expect(json.output.hasPrefix("["))
        #expect(json.output == (try BuiltTool.ending(["errors", "--db", store, "--format", "json"]).output))
        #expect(try BuiltTool.ending(["errors", "--db", store, "--json", "--format", "csv"]).status == 64)
    }

    @Test func `a catalog that is not there is told with the way to one`() throws {
        let ending = try importing(Self.sound, "--catalog", "nowhere.sqlite")
        #expect(ending.status == 66)
        #expect(ending.errors.contains("There is no catalog nowhere.sqlite, looked for in /"))
        #expect(ending.errors.contains("etl catalog build --out nowhere.sqlite"))
    }

    @Test func `the step after inspect has the options that were given`() throws {
        let file = try folder.write("T;A\nBook;Ann\n", to: "my table.csv")
        let ending = try BuiltTool.ending(["inspect", "--map", "title=T,author=A", "--delimiter", ";", file])
        #expect(
            ending.output.hasSuffix("Next: etl import --map title=T,author=A --delimiter ';' '\(file)'\n"))
    }

    @Test func `the step after a plan has the options that were given, and says where nobody would be asked`()
        throws
    {
        let file = try folder.write("Title,Author\nBook,Ann\n", to: "my table.csv")
        let plan = ["plan", "--db", store, "--limit", "5", "--offline", "--format", "generic", file]
        let ending = try BuiltTool.ending(plan)
        #expect(ending.output.contains("Nobody would be asked"))
        #expect(
            ending.output.hasSuffix(
                "Next: etl import --db \(store) --limit 5 --offline --format generic '\(file)'\n"))
    }

    @Test func `what is no book is set aside, and no row says that none was rejected`() throws {
        let text = "Title,Author,Binding\nBook,Ann,Paperback\nFilm,Bob,DVD\nTitle,Author,Binding\n"
        let ending = try importing(text, "--job", "spring")
        #expect(ending.output.contains("set aside"))
        #expect(ending.output.split(separator: "\n").allSatisfy { !$0.hasPrefix("rejected  ") })
        #expect(ending.output.contains("repeated_header") && ending.output.contains("not_a_book"))
        let status = try BuiltTool.ending(["status", "--db", store, "spring"]).output
        #expect(status.contains("\nset aside") && !status.contains("\nrejected"))
    }

    @Test func `an ISBN with a wrong check digit is told with the right one`() throws {
        let ending = try BuiltTool.ending(["search", "isbn", "978-0-441-17271-8", "--db", store])
        #expect(ending.status == 64)
        #expect(ending.errors.contains("9780441172719"))
        #expect(try !BuiltTool.ending(["search", "isbn", "12", "--db", store]).errors.contains("last digit"))
    }

    @Test func `a row that several jobs have is the last one's, and that is said`() throws {
        #expect(try importing(Self.sound, "--job", "spring").status == 0)
        #expect(try importing(Self.odd, "--job", "autumn").status == 0)
        let explained = try BuiltTool.ending(["explain", "--db", store, "row:2"])
        #expect(
            explained.output.hasPrefix(
                "This is record 2 of the newest job, autumn. Other jobs have one too: spring.\n"))
        #expect(
            !(try BuiltTool.ending(["explain", "--db", store, "--job", "autumn", "row:2"]).output.contains(
                "Other jobs")))
        #expect(try importing(Self.header, "--job", "winter").status == 0)
        #expect(
            try BuiltTool.ending(["explain", "--db", store, "row:3"]).errors.contains("Job autumn has one"))
    }

    @Test func `a table keeps within COLUMNS where it is said`() throws {
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

    @Test func `a job goes by the beginning of its id where that is one job's only`() throws {
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
        let list = try folder.write("Title,_etl_row\nFound,3\n", to: "mend.csv")
        let budget = try BuiltTool.ending([
            "import", "--db", store, "--rejects", list, "--job", "aut", "--max-errors", "1",
        ])
        #expect(budget.status == 64, "A budget is for whole files.")
        let corrected = try BuiltTool.ending(["import", "--db", store, "--rejects", list, "--job", "aut"])
        #expect(corrected.output.hasPrefix("1 record of job autumn mended"))
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
