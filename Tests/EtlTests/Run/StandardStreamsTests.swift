import Foundation
import TestSupport
import Testing

/// The built tool, started with standard streams closed.
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

    @Test func `standard input that is closed is no input, and nothing waits for it`() throws {
        for command in ["import --db '\(folder.file("s.sqlite"))' -", "inspect -", "plan -"] {
            let ending = try BuiltTool.shell("\"$ETL\" \(command) <&-")
            #expect([66, 74].contains(ending.status), "\(command): \(ending.errors)")
            #expect(!ending.errors.isEmpty)
        }
    }

    @Test(arguments: ["2>&-", "<&- 2>&-"])
    func `an import whose complaints nobody hears imports all the same`(closed: String) throws {
        let store = folder.file("s.sqlite")
        let ending = try BuiltTool.shell("\"$ETL\" import --verbose --db '\(store)' '\(library)' \(closed)")
        #expect(ending.status == 0)
        #expect(try BuiltTool.ending(["status", "--db", store]).output.contains("completed"))
    }

    @Test(arguments: [">&- 2>&-", "<&- >&- 2>&-"])
    func `what is wrong has its own status, whoever hears of it`(closed: String) throws {
        #expect(try BuiltTool.shell("\"$ETL\" import /nothing/at/all.csv \(closed)").status == 66)
    }
}
