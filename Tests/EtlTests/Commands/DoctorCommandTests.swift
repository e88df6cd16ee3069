import Database
import FakeServices
import Foundation
import TestSupport
import Testing

/// `etl doctor`: what it reports as a problem and what not.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct DoctorCommandTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a missing store is not a problem`() throws {
        let ending = try BuiltTool.ending(["doctor", "--db", store])
        #expect(ending.status == 0)
        #expect(ending.output.hasPrefix("No problems found.\n"))
        #expect(ending.output.contains("there is no store `\(store)` yet"))
        #expect(!FileManager.default.fileExists(atPath: store))
    }

    @Test func `settings are listed if they are asked for`() throws {
        let plain = try BuiltTool.ending(["doctor", "--offline", "--db", store]).output
        #expect(!plain.contains("origin\n") && plain.contains("`etl doctor --settings`"))
        let whole = try BuiltTool.ending(["doctor", "--offline", "--settings", "--db", store]).output
        #expect(whole.contains("origin\n"))
    }

    @Test(arguments: [
        ["ETL_ISBNDB_KEY": "k", "ETL_ISBNDB_RATE": "fast"], ["ETL_OPENLIBRARY_URL": "file:///etc"],
    ])
    func `whatever would end every import is a problem`(variables: [String: String]) throws {
        let file = try folder.write("Title\nReef\n", to: "export.csv")
        let environment = variables.merging(["HOME": folder.path]) { $1 }
        let ending = try BuiltTool.ending(
            ["import", "--db", store, file], environment: environment)
        #expect(ending.status == 78)
        let doctor = try BuiltTool.ending(["doctor", "--db", store], environment: environment)
        #expect(doctor.status == 78 && doctor.output.hasPrefix("1 problem found"), "\(doctor.output)")
        let named = variables.keys.filter(ending.errors.contains)
        #expect(named.count == 1 && named.allSatisfy(doctor.output.contains))
        #expect(
            try BuiltTool.ending(["doctor", "--db", store], environment: ["HOME": folder.path]).status == 0)
    }

    /// The same secret in every place where a service's address can be set.
    @Test func `a password in a service's address is rejected everywhere and never repeated`() throws {
        let file = try folder.write("Title\nReef\n", to: "export.csv")
        let url = "http://CANARYuser:CANARYword@127.0.0.1:9/x?token=CANARYquery"
        let home = ["HOME": folder.path]
        let set = ["--set", "providers.openlibrary.baseURL=\(url)"]
        let pipeline = "\(ProjectFiles.root)/Pipelines/csv_import.yaml"
        func refuses(_ line: [String], _ environment: [String: String]) throws {
            let ending = try BuiltTool.ending(line, environment: environment)
            #expect(ending.status == 78, "\(line)")
            let said = ending.output + ending.errors
            #expect(!said.contains("CANARY"), "\(said)")
            #expect(said.contains("without user name, password or query"), "\(said)")
        }
        for line in [
            ["import", "--db", store, file], ["import", "--db", store, "--json", file],
            ["plan", "--db", store, file],
            ["doctor", "--db", store],
            ["doctor", "--db", store, "--json"],
        ] { try refuses(line, home.merging(["ETL_OPENLIBRARY_URL": url]) { $1 }) }
        for line in [["run", "--db", store, pipeline, file], ["check", pipeline]] {
            try refuses([line[0]] + set + line.dropFirst(), home)
        }
        try FileManager.default.createDirectory(
            atPath: folder.file(".config/etl"), withIntermediateDirectories: true)
        try "providers: { openlibrary: { baseURL: '\(url)' } }\n".write(
            toFile: folder.file(".config/etl/config.yaml"), atomically: true, encoding: .utf8)
        for line in [["import", "--db", store, file], ["doctor", "--db", store]] { try refuses(line, home) }
        #expect(!FileManager.default.fileExists(atPath: store))
        #expect(!FileManager.default.fileExists(atPath: folder.file(".local/state/etl")))
    }

    @Test func `jobs that can continue are listed, canceled ones are not`() throws {
        let bad = "Title,Author\nDune,Frank Herbert\n,Nobody\n"
        func doctor() throws -> String { try BuiltTool.ending(["doctor", "--db", store]).output }
        #expect(try importing(bad, "--max-errors", "0", "--job", "one").status == 4)
        #expect(try doctor().contains("job `one` is unfinished"))
        #expect(try doctor().contains("To continue it, run `etl resume --db \(store) one`."))
        #expect(
            try importing(bad.replacing("Dune", with: "Emma"), "--max-errors", "0", "--job", "two").status
                == 4)
        #expect(try doctor().contains("2 jobs can be resumed: `two` (unfinished), `one` (unfinished)"))
        #expect(try doctor().contains("To continue all of them, run `etl retry --db \(store)`."))
        #expect(try importing(bad, "--restart", "--job", "three").status == 0)
        #expect(try doctor().contains("job `two` is unfinished"))
    }

    @Test func `advice about a damaged store does not refer back to the doctor`() throws {
        #expect(try importing("Title,Author\nReef,Ana\n").status == 0)
        let whole = try #require(FileManager.default.contents(atPath: store))
        try whole.prefix(20_000).write(to: URL(filePath: store))
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store + suffix) }
        let doctor = try BuiltTool.ending(["doctor", "--db", store])
        #expect(doctor.status == 78 && doctor.output.contains("Restore it from a backup"), "\(doctor.output)")
        #expect(!doctor.output.contains("`etl doctor`"))
    }

    @Test func `a catalog with a lost page is damaged and must be built again`() throws {
        let catalog = folder.file("catalog.sqlite")
        #expect(
            try BuiltTool.ending(["catalog", "build", "--out", catalog] + ProjectFiles.catalogSources).status
                == 0)
        let doctor = ["doctor", "--db", store, "--catalog", catalog]
        #expect(try BuiltTool.ending(doctor).status == 0)
        let whole = try #require(FileManager.default.contents(atPath: catalog))
        let page = Int(whole[16]) << 8 | Int(whole[17])
        var misread = 0
        // The content of each page depends on SQLite, but most belong to tables.
        for number in stride(from: 2, to: whole.count / page, by: 7) {
            var damaged = whole
            damaged.replaceSubrange(number * page..<(number + 1) * page, with: Data(count: page))
            try damaged.write(to: URL(filePath: catalog))
            let ending = try BuiltTool.ending(doctor)
            if ending.status == 0 {
                misread += 1
                continue
            }
            #expect(ending.status == 78)
            let explicit = ending.output.replacing("\n", with: " ").lowercased()
            #expect(
                explicit.contains("is damaged: ") && explicit.contains("build it again"), "\(ending.output)")
            #expect(!explicit.contains("report this"), "\(ending.output)")
        }
        #expect(misread == 0)
    }

    @Test func `--repair removes what look-ups have left without a title, and undo brings it back`() throws {
        #expect(try importing("ISBN,Title\n9780306406157,\n9780441172719,Dune\n").status == 0)
        // As a list of books to look up was stored before.
        let connection = try Connection(store, .readWrite)
        try connection.execute(
            "UPDATE jobs SET options = json_set(options, '$.contract', 'batch_enrichment')")
        #expect(try importing("ISBN,Title\n9780140328721,\n").status == 0)
        func entries() throws -> Int64? { try connection.integer("SELECT count(*) FROM entries") }
        #expect(try entries() == 3)
        let json = try BuiltTool.ending(["doctor", "--db", store, "--repair", "--json"])
        #expect(json.status == 0 && json.output.contains(#""untitledRemoved":1"#), "\(json.output)")
        #expect(try entries() == 2, "the user's own ISBN stays")
        #expect(
            try BuiltTool.ending(["doctor", "--db", store, "--repair"]).output
                == "No look-up has left a book without a title.\n")
        #expect(try BuiltTool.ending(["undo", "--db", store, "--last"]).status == 0)
        #expect(try entries() == 3)
        let text = try BuiltTool.ending(["doctor", "--db", store, "--repair"])
        #expect(
            text.status == 0 && text.output.hasPrefix("Removed books without a title.\n"), "\(text.output)")
        #expect(try BuiltTool.ending(["log", "--db", store]).status == 0)
        #expect(try BuiltTool.ending(["doctor", "--db", store, "--offline"]).status == 0)
        // A later import takes it again.
        #expect(try importing("ISBN,Title\n9780306406157,Reef\n").status == 0)
        #expect(try entries() == 3)
    }

    @Test func `a missing folder is a problem`() throws {
        let ending = try BuiltTool.ending(["doctor", "--db", folder.file("nowhere/s.sqlite")])
        #expect(ending.status == 78 && ending.output.hasPrefix("1 problem found"))
    }

    @Test(.enabled(if: getuid() != 0, "needs a user other than root, who may access everything"))
    func `a store in a read-only folder is reported`() throws {
        #expect(try importing("Title\nReef\n").status == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        }
        let ending = try BuiltTool.ending(["doctor", "--db", store])
        #expect(ending.status == 78)
        #expect(ending.output.contains("`\(folder.path)` cannot be written"))
    }
}

/// `etl doctor` asks each configured service one question.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct DoctorServicesTests {
    private func findings(
        _ tool: ToolWithServices, _ options: [String] = []
    ) throws -> (status: Int32, output: String) {
        let ending = try tool.ending(["doctor", "--db", tool.folder.file("s.sqlite")] + options)
        return (ending.status, ending.output)
    }

    @Test func `each service is asked once, and its latency and limits are shown`() throws {
        let fakes = FakeServices()
        let tool = try ToolWithServices(
            rate: 40, services: ["openlibrary", "google-books"], variables: ["ETL_GOOGLE_BOOKS_DAILY": "5"]
        ) { fakes.answer($0) }
        defer { tool.server.stop() }
        let (status, output) = try findings(tool)
        #expect(status == 0, "\(output)")
        #expect(output.contains(#/openlibrary +http:\S+ answered in \d+ ms; at most 40 requests per second/#))
        #expect(output.contains(#/google-books .* 4 left\s+today/#), "\(output)")
        #expect(Set(tool.server.requests.map(\.service)) == ["openlibrary", "google-books"])
        #expect(tool.server.requests.count == 2)
        #expect(try findings(tool, ["--offline"]).status == 0)
        #expect(tool.server.requests.count == 2)
    }

    @Test func `a service that fails is a problem with its reason`() throws {
        let tool = try ToolWithServices(rate: 40, services: ["openlibrary", "google-books"]) { request in
            request.service == "openlibrary" ? FakeReply(503) : FakeReply(403)
        }
        defer { tool.server.stop() }
        let (status, output) = try findings(tool)
        #expect(status == 78)
        #expect(output.hasPrefix("2 problems found."))
        #expect(output.contains("Open Library answered with an error (503 Service Unavailable)"))
        #expect(output.contains("Google Books rejected your credentials"))
        #expect(tool.server.requests.count == 2)
    }

    @Test func `without a network there is one problem`() throws {
        let folder = try TemporaryFolder()
        let ending = try BuiltTool.ending(
            ["doctor", "--db", folder.file("s.sqlite")],
            environment: [
                "HOME": folder.path, "ETL_OPENLIBRARY_URL": "http://books.invalid",
                "ETL_WIKIDATA_URL": "http://people.invalid",
            ])
        #expect(ending.status == 78)
        #expect(ending.output.hasPrefix("1 problem found."))
        #expect(ending.output.contains("no network"))
    }

    @Test func `limits that cannot be shared are a problem, and an import warns`() throws {
        let fakes = FakeServices()
        let tool = try ToolWithServices(rate: 40, services: ["openlibrary"]) { fakes.answer($0) }
        defer { tool.server.stop() }
        let library = try tool.library("library.csv", records: 3)
        let state = tool.folder.file("state/etl")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try Data("not a database, but long enough to look like one".utf8)
            .write(to: URL(filePath: state + "/limiter.sqlite"))
        #expect(try findings(tool).output.contains("rate limits are not shared with other runs"))
        let ending = try tool.ending(["import", "--db", tool.folder.file("s.sqlite"), library])
        #expect(ending.errors.contains("Rate limits are not shared with other runs: "))
        #expect(ending.errors.contains("limiter.sqlite"))
    }
}
