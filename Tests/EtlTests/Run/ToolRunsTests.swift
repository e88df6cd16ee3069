import Foundation
import TestSupport
import Testing

/// The built tool as scripts use it: exit status, streams, what is resumed and what is rejected.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ToolRunsTests: ImportsByTool {
    private static let sound = "Book Id,Title,Author,ISBN13,My Rating\n1,T,A,9780306406157,3\n"
    private static let bad = "Book Id,Title,Author,ISBN13,My Rating\n1,T,A,9780306406157,3\n2,,A,,0\n"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a spent budget exits with 4, even after a single batch`() throws {
        let ending = try importing(Self.bad, "--max-errors", "0")
        #expect(ending.status == 4)
        #expect(ending.errors.contains("budget"))
    }

    @Test func `rejects exit with 3 only with --strict`() throws {
        #expect(try importing(Self.bad).status == 0)
        #expect(try importing(Self.bad, "--strict").status == 3)
    }

    @Test func `a closed output does not turn a failure into success`() throws {
        let file = try folder.write(Self.bad, to: "export.csv")
        let line = ["import", "--db", store, "--events", "-"]
        #expect(try BuiltTool.ending(line + ["--max-errors", "0", file], outputIsClosed: true).status == 4)
        #expect(try BuiltTool.ending(line + ["--strict", file], outputIsClosed: true).status == 3)
        #expect(try BuiltTool.ending(line + [file], outputIsClosed: true).status == 0)
    }

    @Test(arguments: ["nowhere/m.prom", ""])
    func `metrics that cannot be written are refused before the run`(name: String) throws {
        let file = try folder.write(Self.sound, to: "export.csv")
        let refused = try BuiltTool.ending(["import", "--db", store, "--metrics", folder.file(name), file])
        #expect(refused.status == 73 && refused.errors.contains("--metrics") && refused.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: store))
        #expect(
            !(try FileManager.default.contentsOfDirectory(atPath: folder.path)).contains {
                $0.hasSuffix(".part")
            })
    }

    @Test func `metrics that cannot be written at the end do not hide a failure`() throws {
        let metrics = ["--metrics", "/dev/full"]
        let file = try folder.write(Self.bad, to: "export.csv")
        let failed = try BuiltTool.ending(["import", "--db", store, "--max-errors", "0"] + metrics + [file])
        #expect(failed.status == 4)
        #expect(failed.errors.contains("--metrics"))
        #expect(failed.errors.contains("budget"))
        #expect(failed.output.contains("rejected"))
        let completed = try BuiltTool.ending(["import", "--db", store] + metrics + [file])
        #expect(completed.status == 74)
    }

    @Test func `a completed job's name given again does nothing, or says what to do`() throws {
        #expect(try importing(Self.sound, "--job", "spring").status == 0)
        let again = try importing(Self.sound, "--job", "spring")
        #expect(again.status == 0 && again.output.isEmpty, "\(again.errors)")
        #expect(
            again.errors.contains(
                "Job `spring` has already imported \(folder.file("export.csv")): nothing to do."))
        let summary = try importing(Self.sound, "--job", "spring", "--json")
        #expect(
            summary.status == 0
                && summary.output.contains(
                    "\"jobId\":\"spring\",\"pipeline\":\"csv_import\",\"status\":\"completed\"")
        )
        for (text, option) in [(Self.bad, "--strict"), (Self.sound, "--restart")] {
            let other = try importing(text, "--job", "spring", option)
            #expect(other.status == 64 && other.errors.contains("Specify another name, or leave out --job."))
        }
        let library = try importing(Self.sound, "--job", "spring", "--library", "friend")
        #expect(library.status == 64)
    }

    @Test func `an import that cannot begin tells it to --events and --json`() throws {
        let file = try folder.write("a,b\n1,2\n", to: "export.csv")
        let events = folder.file("events.ndjson")
        let ending = try BuiltTool.ending([
            "import", "--db", store, "--job", "spring", "--json", "--events", events, file,
        ])
        #expect(ending.status == 65)
        let message = try String(contentsOfFile: events, encoding: .utf8)
        #expect(
            message.contains("\"type\":\"error\",\"jobId\":\"spring\"") && message.contains("No column of"))
        #expect(message.split(separator: "\n").count == 1)
        #expect(ending.output.hasPrefix("{\"success\":false,\"data\":null,"))
    }

    @Test func `a job is not resumed with other options`() throws {
        #expect(try importing(Self.bad, "--max-errors", "0", "--job", "spring").status == 4)
        let refused = try BuiltTool.ending(["resume", "--db", store, "--limit", "1"])
        #expect(refused.status == 78)
        #expect(refused.errors.contains("limit 1"))
        #expect(refused.errors.contains("spring"))
        #expect(try BuiltTool.ending(["resume", "--db", store, "--restart"]).status == 64)
        #expect(try BuiltTool.ending(["resume", "--db", store, "--strict", "--quiet"]).status == 3)
        let nothing = try BuiltTool.ending(["resume", "--db", store])
        #expect(nothing.status == 0)
        #expect(nothing.errors.contains("nothing to resume"))
    }

    @Test func `unreadable files have distinct exit statuses`() throws {
        #expect(try importing("<html><body>Sign in</body></html>").status == 65)
        #expect(try BuiltTool.ending(["import", "--db", store, folder.file("gone.csv")]).status == 66)
        #expect(try BuiltTool.ending(["run", "--db", store, folder.file("gone.yaml")]).status == 66)
        #expect(try BuiltTool.ending(["check", folder.file("gone.yaml")]).status == 66)
        #expect(try BuiltTool.ending(["status", "--db", folder.file("gone.sqlite")]).status == 66)
        let broken = try folder.write("name: a\nsource: 1\n", to: "broken.yaml")
        #expect(try BuiltTool.ending(["run", "--db", store, broken]).status == 78)
        #expect(!FileManager.default.fileExists(atPath: store))
    }

    @Test func `check reports its mistakes as JSON`() throws {
        let file = try folder.write("name: a\nsource: { stage: ReadLibrary }\nsnik: 1\n", to: "broken.yaml")
        let ending = try BuiltTool.ending(["check", "--json", file])
        #expect(ending.status == 78)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
        let problems = try #require(report["problems"] as? [[String: Any]])
        #expect(problems.contains { $0["code"] as? String == "unknown_key" })
        #expect(problems.contains { $0["code"] as? String == "missing_key" })
    }

    @Test func `a store in use exits with 75 and is unchanged`() throws {
        #expect(try importing(Self.sound).status == 0)
        let descriptor = open(store + ".lock", O_RDWR)
        defer { close(descriptor) }
        try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let ending = try importing(Self.bad)
        #expect(ending.status == 75)
        #expect(ending.errors.contains("another etl process"))
    }

    @Test func `a job that is not running can be canceled and resumed with the same command`() throws {
        #expect(try importing(Self.bad, "--max-errors", "0", "--job", "spring").status == 4)
        let late = try BuiltTool.ending(["cancel", "--db", store, "spring"])
        #expect(late.status == 0)
        #expect(late.errors.contains("has already ended (failed)"))
        #expect(try importing(Self.bad, "--job", "spring").status == 0)
        #expect(try BuiltTool.ending(["cancel", "--db", store, "winter"]).status == 66)
    }

    @Test func `events are JSON lines and end with the end of the run`() throws {
        let events = folder.file("events.ndjson")
        #expect(try importing(Self.sound, "--events", events).status == 0)
        let types = try BuiltTool.messages(in: events).map { $0["type"] as? String }
        #expect(types.first == "job_started")
        #expect(types.last == "job_complete")
    }

    @Test func `metrics show whether the run succeeded`() throws {
        let metrics = folder.file("m.prom")
        #expect(try importing(Self.bad, "--max-errors", "0", "--metrics", metrics).status == 4)
        #expect(try String(contentsOfFile: metrics, encoding: .utf8).contains("etl_last_success 0\n"))
        #expect(try importing(Self.bad, "--metrics", metrics).status == 0)
        let text = try String(contentsOfFile: metrics, encoding: .utf8)
        #expect(text.contains("etl_last_success 1\n"))
        #expect(text.contains("etl_records{outcome=\"rejected\"} 1\n"))
    }

    @Test func `corrected rejects are imported from a file or a pipe`() throws {
        #expect(try importing(Self.bad, "--job", "spring").status == 0)
        let list = try BuiltTool.ending(["errors", "--db", store, "--format", "csv", "spring"])
        let corrected = list.output.replacing("2,,A", with: "2,Found,A")
        #expect(corrected != list.output)
        let line = ["import", "--db", store, "--job", "spring", "--rejects"]
        let file = try folder.write(corrected, to: "corrected.csv")
        let first = try BuiltTool.ending(line + [file])
        #expect(first.status == 0)
        #expect(first.output.hasPrefix("Corrected 1 record of job spring"))
        let again = try BuiltTool.ending(line + ["-"], input: corrected)
        #expect(again.status == 0)
        #expect(again.output.contains("1 row skipped"))
        let json = try BuiltTool.ending(line + [file, "--json"])
        #expect(json.output.contains("\"totalProcessed\":2"))
        #expect(json.output.contains("\"failureCount\":0"))

        #expect(try BuiltTool.ending(["import", "--db", store, "--rejects", file]).status == 64)
        #expect(try BuiltTool.ending(line + [file, file]).status == 64)
        #expect(try BuiltTool.ending(line + [file, "--restart"]).status == 64)
        #expect(try BuiltTool.ending(line + [file, "--limit", "1"]).status == 78)
        #expect(try BuiltTool.ending(line + [folder.file("gone.csv")]).status == 66)
    }

    @Test func `a budget for one reason is named when it is spent`() throws {
        let ending = try importing(Self.bad, "--max-errors", "90%,no_title_or_isbn=0")
        #expect(ending.status == 4)
        #expect(ending.errors.contains("for no_title_or_isbn is exceeded: 1 record was rejected"))
        #expect(try importing(Self.bad, "--max-errors", "isbn_conflict=0").status == 64)
    }

    @Test(arguments: ["10", "1%"])
    func `a spent budget ends the run within a thousand records`(budget: String) throws {
        let rows = (0..<60_000).map { $0 % 10 == 0 ? ",A,4\n" : "T\($0),A,4\n" }
        let ending = try importing(
            "Title,Author,My Rating\n" + rows.joined(), "--json", "--max-errors", budget)
        #expect(ending.status == 4)
        let counts = try #require(ending.output.firstMatch(of: #/"totalProcessed":(\d+)/#))
        #expect((100...1_100).contains(Int(counts.output.1) ?? 0), "\(counts.output.0)")
    }

    @Test func `standard input and two files are one job each`() throws {
        let piped = try BuiltTool.ending(["import", "--db", store, "--json", "-"], input: Self.sound)
        #expect(piped.status == 0)
        #expect(piped.output.contains("\"booksCreated\":1"))
        #expect(!folder.names.contains { $0.hasSuffix(".stdin") })
        let a = try folder.write(Self.sound, to: "a.csv")
        let b = try folder.write(Self.bad.replacing("T,A", with: "U,B"), to: "b.csv")
        let both = try BuiltTool.ending(["import", "--db", folder.file("t.sqlite"), "--json", a, b])
        #expect(both.status == 0)
        #expect(both.output.contains("\"totalProcessed\":3"))
    }

    @Test func `standard input is kept only as long as its job needs it`() throws {
        let line = ["import", "--db", store, "--job", "spring", "-"]
        func spools() -> [String] { folder.names.filter { $0.hasSuffix(".stdin") } }
        #expect(try BuiltTool.ending(line + ["--max-errors", "0"], input: Self.bad).status == 4)
        // Left by a run that was killed before its job began.
        let abandoned = "s.sqlite.dc83c9eb-6815-408f-b93e-c6d3845ec958.stdin"
        #expect(store.hasSuffix("/s.sqlite"))
        _ = try folder.write(Self.sound, to: abandoned)
        let alike = try folder.write(Self.sound, to: "s.sqlite.mine.stdin")
        let kept = spools().filter { $0 != abandoned && folder.file($0) != alike }
        #expect(kept.count == 1)
        let facts = try FileManager.default.attributesOfItem(atPath: folder.file(try #require(kept.first)))
        #expect((facts[.posixPermissions] as? Int) == 0o600)
        // Another input under the same job name is rejected, and the saved input of the first is unchanged.
        #expect(try BuiltTool.ending(line, input: Self.sound).status == 65)
        #expect(Set(spools()) == Set(kept + ["s.sqlite.mine.stdin"]))
        try FileManager.default.removeItem(atPath: alike)
        #expect(
            try String(contentsOfFile: folder.file(try #require(kept.first)), encoding: .utf8) == Self.bad)
        #expect(try BuiltTool.ending(line, input: Self.bad).status == 0)
        #expect(spools().isEmpty)
        #expect(try BuiltTool.ending(["import", "--db", store, "-"], input: "<html>").status == 65)
        #expect(spools().isEmpty)
    }

    private var manyRecords: String {
        "Book Id,Title,Author\n" + (1...20_000).map { "\($0),Title \($0),Author \($0 % 50)\n" }.joined()
    }

    private func line(_ file: String) -> [String] {
        [
            "run", "--db", store, "--events", "-", "--set", "source.settings.batch.records=16",
            "\(ProjectFiles.root)/Pipelines/csv_import.yaml", file,
        ]
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `a signal ends the run after the current batch`(signal: Int32, status: Int32) throws {
        let file = try folder.write(manyRecords, to: "many.csv")
        let ending = try BuiltTool.ending(line(file), signal: signal, after: "many.csv:")
        #expect(ending.status == status)
        #expect(ending.errors.contains("Stopping after the batches in progress"))
        #expect(
            ending.errors.contains("`etl resume ")
                && ending.errors.contains("To continue it, run `etl resume --db \(store) "))
        let rest = try BuiltTool.ending(["resume", "--db", store, "--json"])
        #expect(rest.status == 0)
        #expect(rest.output.contains("\"totalProcessed\":20000"))
        #expect(rest.errors.contains("of 20,000 records."))
    }

    @Test func `a run that gets signal after signal can be resumed`() throws {
        let file = try folder.write(manyRecords, to: "many.csv")
        let ending = try BuiltTool.ending(line(file), signal: SIGINT, isRepeated: true, after: "many.csv:")
        #expect(ending.status == 130)
        let rest = try BuiltTool.ending(["resume", "--db", store, "--json"])
        #expect(rest.status == 0)
        #expect(rest.output.contains("\"totalProcessed\":20000"))
    }

    @Test func `a mapped file that loses its end ends the run with a sentence, and it can be resumed`()
        throws
    {
        let file = try folder.write(manyRecords, to: "many.csv")
        let ending = try BuiltTool.ending(line(file), signal: SIGBUS, after: "many.csv:")
        #expect(ending.status == 74)
        #expect(
            ending.errors.contains("etl: error: A file was truncated by another program while it was open"))
        let rest = try BuiltTool.ending(["resume", "--db", store, "--json"])
        #expect(rest.status == 0)
        #expect(rest.output.contains("\"totalProcessed\":20000"))
    }

    @Test func `an invalid policy is rejected before a job begins`() throws {
        let file = try folder.write(Self.sound, to: "export.csv")
        func running(_ policy: String) throws -> BuiltTool.Ending {
            try BuiltTool.ending([
                "run", "--db", store, "--set", "stages.MergeCandidates.settings.policy=\(policy)",
                "\(ProjectFiles.root)/Pipelines/csv_import.yaml", file,
            ])
        }
        let refused = try running("title=loudest")
        #expect(refused.status == 78)
        #expect(refused.errors.contains("loudest"))
        #expect(!FileManager.default.fileExists(atPath: store))
        #expect(try running("title=longest,description=priority").status == 0)
    }

    @Test func `the doctor reports what is missing and what is sound`() throws {
        #expect(try importing(Self.sound).status == 0)
        let sound = try BuiltTool.ending(["doctor", "--db", store, "--json"])
        #expect(sound.output.contains("its schema and foreign keys are intact"))
        let missing = try BuiltTool.ending(
            ["doctor", "--db", store, "--catalog", folder.file("gone.sqlite")])
        #expect(missing.status == 78)
        #expect(missing.output.contains("gone.sqlite"))
    }
}
