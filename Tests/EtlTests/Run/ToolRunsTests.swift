import Foundation
import TestSupport
import Testing

/// The built tool as scripts meet it: exit status, streams, what goes on and what is refused.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ToolRunsTests {
    private static let sound = "Book Id,Title,Author,ISBN13,My Rating\n1,T,A,9780306406157,3\n"
    private static let bad = "Book Id,Title,Author,ISBN13,My Rating\n1,T,A,9780306406157,3\n2,,A,,0\n"

    private let folder: TemporaryFolder
    private var store: String { folder.file("s.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func importing(_ text: String, _ options: String...) throws -> BuiltTool.Ending {
        let file = try folder.write(text, to: "export.csv")
        return try BuiltTool.ending(["import", "--db", store] + options + [file])
    }

    @Test func aSpentBudgetIsFourThoughAllWasReadInOneBatch() throws {
        let ending = try importing(Self.bad, "--max-errors", "0")
        #expect(ending.status == 4)
        #expect(ending.errors.contains("budget"))
    }

    @Test func rejectsAreThreeOnlyWhereTheyAreNotAllowed() throws {
        #expect(try importing(Self.bad).status == 0)
        #expect(try importing(Self.bad, "--strict").status == 3)
    }

    @Test func aReaderWhoGoesAwayMakesNoSuccessOfAFailure() throws {
        let file = try folder.write(Self.bad, to: "export.csv")
        let line = ["import", "--db", store, "--events", "-"]
        #expect(try BuiltTool.ending(line + ["--max-errors", "0", file], outputIsClosed: true).status == 4)
        #expect(try BuiltTool.ending(line + ["--strict", file], outputIsClosed: true).status == 3)
        #expect(try BuiltTool.ending(line + [file], outputIsClosed: true).status == 0)
    }

    @Test func figuresThatCannotBeWrittenHideNoFailure() throws {
        let metrics = ["--metrics", folder.file("nowhere/m.prom")]
        let file = try folder.write(Self.bad, to: "export.csv")
        let failed = try BuiltTool.ending(["import", "--db", store, "--max-errors", "0"] + metrics + [file])
        #expect(failed.status == 4)
        #expect(failed.errors.contains("--metrics"))
        #expect(failed.errors.contains("budget"))
        #expect(failed.output.contains("rejected"))
        let completed = try BuiltTool.ending(["import", "--db", store] + metrics + [file])
        #expect(completed.status == 73)
    }

    @Test func aJobIsNotResumedWithOtherOptions() throws {
        #expect(try importing(Self.bad, "--max-errors", "0", "--job", "spring").status == 4)
        let refused = try BuiltTool.ending(["resume", "--db", store, "--limit", "1"])
        #expect(refused.status == 78)
        #expect(refused.errors.contains("--limit"))
        #expect(refused.errors.contains("spring"))
        #expect(try BuiltTool.ending(["resume", "--db", store, "--restart"]).status == 64)
        #expect(try BuiltTool.ending(["resume", "--db", store, "--strict", "--quiet"]).status == 3)
        let nothing = try BuiltTool.ending(["resume", "--db", store])
        #expect(nothing.status == 0)
        #expect(nothing.errors.contains("nothing to resume"))
    }
}
