import Foundation
import TestSupport
import Testing

/// `etl diff` of few and of many changes.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct DiffCommandTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `many changes are a summary, and the list is one option away`() throws {
        let books = (1...30).map { "\(1_000 + $0),Book \($0),3" }
        _ = try importing("Book Id,Title,My Rating\n" + books.joined(separator: "\n") + "\n")
        let newer = books.map { $0.replacing(",3", with: ",4") }
        _ = try importing("Book Id,Title,My Rating\n" + newer.joined(separator: "\n") + "\n")
        let summary = try BuiltTool.ending(["diff", "--db", store]).output
        #expect(!summary.contains("Book 7") && summary.contains("entry  rating"), "\(summary)")
        #expect(summary.contains("`etl diff --all --db \(store) j2`"))
        let list = try BuiltTool.ending(["diff", "--all", "--db", store]).output
        #expect(list.contains("Book 7") && list.contains("Book 30"))
        let few = try BuiltTool.ending(["set", "--db", store, "id:1007", "rating=5"])
        #expect(few.status == 0, "\(few.errors)")
        #expect(try BuiltTool.ending(["diff", "--db", store]).output.contains("Book 7"))
    }
}
