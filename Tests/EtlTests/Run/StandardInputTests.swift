import Foundation
import TestSupport
import Testing

@testable import etl

private let spool = "x/library.sqlite.dc83c9eb-6815-408f-b93e-c6d3845ec958.stdin"

@Suite struct StandardInputTests {
    @Test(arguments: [
        ("\(spool) is empty.", "<stdin> is empty."),
        ("In “\(spool)”: no.", "In “<stdin>”: no."),
        ("\(spool):17 (record 3)", "<stdin>:17 (record 3)"),
        ("a.csv, \(spool), b.csv", "a.csv, <stdin>, b.csv"),
        ("my.stdin holds nothing", "my.stdin holds nothing"),
        ("library.sqlite.mine.stdin", "library.sqlite.mine.stdin"),
        ("", ""),
    ])
    func `a spool goes by the name of standard input, and nothing else does`(text: String, named: String) {
        #expect(SpoolName.replaced(in: text) == named)
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
    func `a command that is refused leaves nothing of standard input behind`() throws {
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
