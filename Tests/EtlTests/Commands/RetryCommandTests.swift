import Foundation
import TestSupport
import Testing

/// `etl retry`: which jobs it continues.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct RetryCommandTests: ImportsByTool {
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

    @Test func `a job that was replaced by a restart stays canceled`() throws {
        #expect(try importing(Self.bad, "--max-errors", "0", "--job", "old").status == 4)
        #expect(try importing(Self.bad, "--restart").status == 0)
        #expect(try states()["old"] == "canceled")
        let ending = try BuiltTool.ending(["retry", "--offline", "--db", store])
        #expect(ending.status == 0)
        #expect(ending.errors.contains("1 canceled job"))
        #expect(try states()["old"] == "canceled")
        // Naming it resumes it anyway.
        #expect(try BuiltTool.ending(["resume", "--db", store, "old"]).status == 0)
        #expect(try states()["old"] == "completed")
    }

    /// Makes two jobs that failed over their error budgets; returns the file of the second one.
    private func twoThatFailed() throws -> String {
        let other = Self.bad.replacing("9780306406157", with: "9780140449136")
        for (name, text) in [("spring", Self.bad), ("autumn", other)] {
            let file = try folder.write(text, to: "\(name).csv")
            let line = ["import", "--db", store, "--max-errors", "0", "--job", name, file]
            #expect(try BuiltTool.run(line) == 4)
        }
        return folder.file("autumn.csv")
    }

    @Test func `events and metrics include every job, not only the last`() throws {
        _ = try twoThatFailed()
        let (events, metrics) = (folder.file("events"), folder.file("metrics"))
        _ = try folder.write("of an earlier run\n", to: "events")
        let line = ["retry", "--offline", "--db", store]
        #expect(try BuiltTool.run(line + ["--events", events, "--metrics", metrics]) == 0)
        let messages = try String(contentsOfFile: events, encoding: .utf8).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let ends = messages.filter { ["job_started", "job_complete"].contains($0["type"] as? String) }
        #expect(ends.map { $0["jobId"] as? String } == ["spring", "spring", "autumn", "autumn"])
        let text = try String(contentsOfFile: metrics, encoding: .utf8)
        for job in ["spring", "autumn"] {
            #expect(text.contains("etl_records{job_id=\"\(job)\",outcome=\"rejected\"} 1\n"))
            #expect(text.contains("etl_last_success{job_id=\"\(job)\"} 1\n"))
        }
        #expect(text.components(separatedBy: "# TYPE etl_records gauge\n").count == 2)
    }

    @Test(arguments: ["--events", "--metrics"])
    func `reports of earlier jobs do not overwrite the file of a later one`(option: String) throws {
        let last = try twoThatFailed()
        let before = try String(contentsOfFile: last, encoding: .utf8)
        let ending = try BuiltTool.ending(
            ["retry", "--offline", "--db", store, option, last])
        #expect(
            ending.status == 64
                && ending.errors.contains("`\(option) \(last)` would overwrite an input of the run"))
        #expect(try String(contentsOfFile: last, encoding: .utf8) == before)
        #expect(try states() == ["spring": "failed", "autumn": "failed"])
    }

    @Test func `a failed job continues, a canceled one only if it is named`() throws {
        #expect(try importing(Self.bad, "--max-errors", "0", "--job", "failed").status == 4)
        let retry = ["retry", "--offline", "--db", store]
        #expect(try BuiltTool.ending(retry).status == 0)
        #expect(try states() == ["failed": "completed"])
        let other = Self.bad.replacing("9780306406157", with: "9780140449136")
        #expect(try importing(other, "--max-errors", "0", "--job", "left").status == 4)
        #expect(try importing(other, "--restart", "--job", "left").status == 0)
        let left = try #require(try states().first { $0.value == "canceled" }).key
        #expect(try BuiltTool.ending(retry + [left]).status == 0)
        #expect(try states()[left] == "completed")
    }
}
