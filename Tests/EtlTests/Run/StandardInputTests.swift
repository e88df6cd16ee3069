import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

private let spool = "x/library.sqlite.dc83c9eb-6815-408f-b93e-c6d3845ec958.stdin"

@Suite struct StandardInputTests {
    @Test(arguments: [
        ("`\(spool)` is empty.", "standard input is empty."),
        ("\(spool) is empty.", "standard input is empty."),
        ("In “\(spool)”: no.", "In “standard input”: no."),
        ("\(spool):17 (record 3)", "standard input:17 (record 3)"),
        ("a.csv, \(spool), b.csv", "a.csv, standard input, b.csv"),
        ("my.stdin holds nothing", "my.stdin holds nothing"),
        ("library.sqlite.mine.stdin", "library.sqlite.mine.stdin"),
        ("", ""),
    ])
    func `only the name of a spool is replaced by standard input`(text: String, named: String) {
        #expect(SpoolName.replaced(in: text) == named)
    }

    @Test func `the spool of another store shows the store's path`() throws {
        let other = "/books/my shelf & co/büc.sqlite"
        let spool = "x/library.sqlite." + SpoolName.fresh(from: other, beside: "x/library.sqlite")
        #expect(!spool.contains(" ") && spool.utf8.count < 255)
        #expect(SpoolName.replaced(in: "`\(spool)` is empty.") == "`\(other)` is empty.")
        #expect(SpoolName.replaced(in: "\(spool):17") == "\(other):17")
        #expect(
            SpoolName.isSpool(spool.dropFirst("x/library.sqlite.".count).dropLast(SpoolName.ending.count)))
        let deep = SpoolName.fresh(from: String(repeating: "/ä", count: 90) + "/b.sqlite", beside: "s")
        #expect(SpoolName.replaced(in: "s.\(deep)") == "b.sqlite")
        let long = SpoolName.fresh(from: String(repeating: "ä", count: 120), beside: "s")
        #expect(SpoolName.replaced(in: "s.\(long)") == "standard input")
        #expect(!SpoolName.isSpool("sqlite.dc83c9eb-6815-408f-b93e-c6d3845ec958"))
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
    func `a rejected command leaves no copy of standard input`() throws {
        let folder = try TemporaryFolder()
        let store = folder.file("s.sqlite")
        let events = folder.file("events")
        let line = ["import", "--db", store, "-"]
        let refused: [(arguments: [String], environment: [String: String], status: Int32)] = [
            (line, ["ETL_ISBNDB_KEY": "k", "ETL_ISBNDB_RATE": "fast"], 78),
            (line + ["--require", "catalog"], [:], 69),
            (line + ["--events", events, "--metrics", events], [:], 64),
            (line + ["--events", folder.file("nowhere/events")], [:], 73),
            (["import", "--db", store, "-", folder.file("gone*.csv")], [:], 66),
            (["import", "--db", store, "-", folder.file("gone.csv")], [:], 66),
        ]
        for (arguments, environment, status) in refused {
            let ending = try BuiltTool.ending(arguments, input: "Title\nDune\n", environment: environment)
            #expect(ending.status == status, "\(arguments): \(ending.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "\(arguments)")
        }
    }
}

/// The built tool with closed standard streams.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct StandardStreamsTests {
    private let folder: TemporaryFolder
    private let library: String

    init() throws {
        folder = try TemporaryFolder()
        library = try folder.write(
            "Book Id,Title,Author,ISBN13,My Rating\n1,T,A,9780306406157,3\n", to: "library.csv")
    }

    @Test func `a closed standard input is an error and is not waited for`() throws {
        for command in ["import --db '\(folder.file("s.sqlite"))' -", "inspect -", "plan -"] {
            let ending = try BuiltTool.shell("\"$ETL\" \(command) <&-")
            #expect([66, 74].contains(ending.status), "\(command): \(ending.errors)")
            #expect(!ending.errors.isEmpty)
        }
    }

    @Test(arguments: ["2>&-", "<&- 2>&-"])
    func `an import with closed standard error completes`(closed: String) throws {
        let store = folder.file("s.sqlite")
        let ending = try BuiltTool.shell("\"$ETL\" import --verbose --db '\(store)' '\(library)' \(closed)")
        #expect(ending.status == 0)
        #expect(try BuiltTool.ending(["status", "--db", store]).output.contains("completed"))
    }

    @Test(arguments: [">&- 2>&-", "<&- >&- 2>&-"])
    func `a failure keeps its status with closed output`(closed: String) throws {
        #expect(try BuiltTool.shell("\"$ETL\" import /nothing/at/all.csv \(closed)").status == 66)
    }
}
