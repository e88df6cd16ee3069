import Foundation
import TestSupport
import Testing

/// `etl enrich --missing` as its users meet it: which jobs it goes on with.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct EnrichCommandTests: ImportsByTool {
    private static let bad = "Book Id,Title,Author,ISBN13,My Rating\n1,T,A,9780306406157,3\n2,,A,,0\n"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func states() throws -> [String: String] {
        let data = try BuiltTool.output(["jobs", "--db", store, "--json"]).data
        let jobs = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        var states: [String: String] = [:]
        for job in jobs {
            if let name = job["jobId"] as? String { states[name] = job["status"] as? String }
        }
        return states
    }

    @Test func `a job that was begun anew stays forgotten`() throws {
        #expect(try importing(Self.bad, "--max-errors", "0", "--job", "old").status == 4)
        #expect(try importing(Self.bad, "--restart").status == 0)
        #expect(try states()["old"] == "canceled")
        let ending = try BuiltTool.ending(["enrich", "--missing", "--offline", "--db", store])
        #expect(ending.status == 0)
        #expect(ending.errors.contains("1 canceled job"))
        #expect(try states()["old"] == "canceled")
        // Who names it means it.
        #expect(try BuiltTool.ending(["resume", "--db", store, "old"]).status == 0)
        #expect(try states()["old"] == "completed")
    }

    @Test func `a job that failed goes on, and so does a canceled one that is named`() throws {
        #expect(try importing(Self.bad, "--max-errors", "0", "--job", "failed").status == 4)
        let enrich = ["enrich", "--missing", "--offline", "--db", store]
        #expect(try BuiltTool.ending(enrich).status == 0)
        #expect(try states() == ["failed": "completed"])
        let other = Self.bad.replacing("9780306406157", with: "9780140449136")
        #expect(try importing(other, "--max-errors", "0", "--job", "left").status == 4)
        #expect(try importing(other, "--restart", "--job", "left").status == 0)
        let left = try #require(try states().first { $0.value == "canceled" }).key
        #expect(try BuiltTool.ending(enrich + ["--job", left]).status == 0)
        #expect(try states()[left] == "completed")
    }
}
