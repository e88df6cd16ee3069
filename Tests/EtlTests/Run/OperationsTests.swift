import FakeServices
import Foundation
import System
import TestSupport
import Testing

/// Output of runs for other programs: logs, pings, metrics, reports, sample units.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct OperationsTests: ImportsByTool {
    private static let books = "Book Id,Title,Author,ISBN13,My Rating\n1,T,A,9780306406157,3\n2,,A,,0\n"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a log has every message with time, level and job, and rejected records with their row`()
        throws
    {
        let path = folder.file("log")
        #expect(
            try importing(Self.books, "--quiet", "--job", "spring", "--log", path, "--log-format", "json")
                .status == 0)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.allSatisfy { $0["time"] is String && $0["level"] is String })
        let rejected = try #require(
            lines.first { ($0["message"] as? String)?.hasPrefix("rejected 1") == true })
        #expect(rejected["job"] as? String == "spring" && rejected["row"] as? Int == 3)
        #expect(rejected["message"] as? String == "rejected 1: no_title_or_isbn")
        // The next run appends, also as text.
        #expect(try importing(Self.books, "--quiet", "--strict", "--restart", "--log", path).status == 3)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("info job=") && text.split(separator: "\n").count > lines.count)
    }

    @Test func `a run pings its start and its success or failure`() throws {
        let seen = Guarded<[String]>([])
        let server = try FakeServer { request in
            seen.withLock { $0.append(request.path + " " + String(decoding: request.body, as: UTF8.self)) }
            return .json("{}")
        }
        defer { server.stop() }
        let url = "\(server.url)/uuid"
        #expect(try importing(Self.books, "--quiet", "--job", "good", "--ping-url", url).status == 0)
        #expect(try importing("x\n1\n", "--quiet", "--ping-url", url).status == 65)
        server.stop()
        let pings = seen.withLock { $0 }
        #expect(
            pings == [
                "/uuid/start ", "/uuid exit status 0, job good", "/uuid/start ", "/uuid/fail exit status 65",
            ])
        // The server has stopped listening: the run succeeds nevertheless.
        let ending = try importing(Self.books, "--restart", "--ping-url", url)
        #expect(ending.status == 0 && ending.errors.contains("The ping to"))
    }

    @Test func `a job is reported as text, JSON and Markdown`() throws {
        #expect(try importing(Self.books, "--quiet", "--job", "spring").status == 0)
        let report = ["report", "--db", store]
        let text = try BuiltTool.ending(report).output
        #expect(text.contains("no_title_or_isbn") && text.contains("created"))
        let markdown = try BuiltTool.ending(report + ["--format", "markdown", "spring"]).output
        #expect(markdown.hasPrefix("# Job `spring`") && markdown.contains("| created | 1 |"))
        let data = Data(try BuiltTool.ending(report + ["--json"]).output.utf8)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["jobId"] as? String == "spring" && object["booksCreated"] as? Int == 1)
        #expect((object["changes"] as? [String: [String: Int]])?["entry"]?["created"] == 1)
        #expect(try BuiltTool.ending(report + ["none"]).status == 66)
    }

    @Test func `metrics have series for each stage`() throws {
        let path = folder.file("metrics")
        #expect(try importing(Self.books, "--quiet", "--metrics", path).status == 0)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("etl_stage_records{stage=\"ValidateISBN\",direction=\"out\"} 1\n"))
        #expect(
            text.contains("# TYPE etl_last_run_timestamp_seconds gauge\netl_last_run_timestamp_seconds 1"))
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze"), "needs systemd"))
    func `systemd accepts the sample units`() throws {
        let units = [
            "Pipelines/nightly/etl-enrich.service", "Pipelines/nightly/etl-enrich.timer", ".ci/etl.service",
        ]
        for unit in units {
            let text = try String(contentsOfFile: "\(ProjectFiles.root)/\(unit)", encoding: .utf8)
            let name = (unit as NSString).lastPathComponent
            _ = try folder.write(text.replacing("/usr/bin/etl", with: ProjectFiles.tool), to: name)
        }
        let process = try ChildProcess(
            "/usr/bin/systemd-analyze",
            ["verify", "--man=no"] + units.map { folder.file(($0 as NSString).lastPathComponent) },
            errors: .pipe)
        let errors = process.errors?.readDataToEndOfFile() ?? Data()
        #expect(try process.wait().status == 0, "\(String(decoding: errors, as: UTF8.self))")
    }

    @Test func `the lines of the sample crontab and unit are valid commands`() throws {
        for name in ["etl-enrich.service", "etl.crontab"] {
            let text = try String(
                contentsOfFile: "\(ProjectFiles.root)/Pipelines/nightly/\(name)", encoding: .utf8)
            let line = try #require(
                text.split(separator: "\n").first { $0.contains("etl enrich") && !$0.hasPrefix("#") })
            let words = line[(try #require(line.firstRange(of: "etl enrich"))).upperBound...].split(
                separator: " ")
            let options = words.prefix { $0 != "||" && $0 != "--db" }.map(String.init)
            #expect(try importing(Self.books, "--quiet", "--restart").status == 0)
            let ending = try BuiltTool.ending(["enrich", "--db", store] + options)
            // Nobody is configured to be asked; the options are accepted.
            #expect(
                ending.status == 78 && ending.errors.contains("No catalog or service is configured"),
                "\(ending.errors)")
        }
    }
}
