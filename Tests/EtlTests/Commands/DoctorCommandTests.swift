import Foundation
import TestSupport
import Testing

/// `etl doctor`: what it calls well, and what not.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct DoctorCommandTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a store that is not there is not well, it is not there`() throws {
        let ending = try BuiltTool.ending(["doctor", "--db", store])
        #expect(ending.status == 0)
        #expect(ending.output.hasPrefix("There is no store yet. All else is well.\n"))
        #expect(ending.output.contains("there is no store \(store) yet"))
        #expect(!FileManager.default.fileExists(atPath: store))
    }

    @Test(arguments: [
        ["ETL_ISBNDB_KEY": "k", "ETL_ISBNDB_RATE": "fast"], ["ETL_OPENLIBRARY_URL": "file:///etc"],
    ])
    func `what would end every import is a fault`(variables: [String: String]) throws {
        let file = try folder.write("Title\nReef\n", to: "export.csv")
        let environment = variables.merging(["HOME": folder.path]) { $1 }
        let ending = try BuiltTool.ending(
            ["import", "--db", store, file], environment: environment)
        #expect(ending.status == 78)
        let doctor = try BuiltTool.ending(["doctor", "--db", store], environment: environment)
        #expect(doctor.status == 78 && doctor.output.hasPrefix("1 thing wrong"), "\(doctor.output)")
        let named = variables.keys.filter(ending.errors.contains)
        #expect(named.count == 1 && named.allSatisfy(doctor.output.contains))
        #expect(
            try BuiltTool.ending(["doctor", "--db", store], environment: ["HOME": folder.path]).status == 0)
    }

    /// The same secret by every way that leads to an address of a service.
    @Test func `a password in a service's address is refused by all, and repeated by none`() throws {
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
            #expect(said.contains("without user, password and query"), "\(said)")
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

    @Test func `jobs that can go on are told, and canceled ones left alone`() throws {
        let bad = "Title,Author\nDune,Frank Herbert\n,Nobody\n"
        func doctor() throws -> String { try BuiltTool.ending(["doctor", "--db", store]).output }
        #expect(try importing(bad, "--max-errors", "0", "--job", "one").status == 4)
        #expect(try doctor().contains("job one can go on: unfinished"))
        #expect(try doctor().contains("`etl resume one --db \(store)` continues it."))
        #expect(
            try importing(bad.replacing("Dune", with: "Emma"), "--max-errors", "0", "--job", "two").status
                == 4)
        #expect(try doctor().contains("2 jobs can go on: two (unfinished), one (unfinished)"))
        #expect(try doctor().contains("`etl enrich --missing --db \(store)` continues each of them."))
        #expect(try importing(bad, "--restart", "--job", "three").status == 0)
        #expect(try doctor().contains("job two can go on: unfinished"))
    }

    @Test func `the doctor sends nobody with a damaged store to the doctor`() throws {
        #expect(try importing("Title,Author\nReef,Ana\n").status == 0)
        let whole = try #require(FileManager.default.contents(atPath: store))
        try whole.prefix(20_000).write(to: URL(filePath: store))
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store + suffix) }
        let doctor = try BuiltTool.ending(["doctor", "--db", store])
        #expect(doctor.status == 78 && doctor.output.contains("Restore it from a backup"), "\(doctor.output)")
        #expect(!doctor.output.contains("`etl doctor`"))
    }

    @Test func `a catalog of which a page was lost is damaged, and is to be built again`() throws {
        let catalog = folder.file("catalog.sqlite")
        #expect(
            try BuiltTool.ending(["catalog", "build", "--out", catalog] + ProjectFiles.catalogSources).status
                == 0)
        let doctor = ["doctor", "--db", store, "--catalog", catalog]
        #expect(try BuiltTool.ending(doctor).status == 0)
        let whole = try #require(FileManager.default.contents(atPath: catalog))
        let page = Int(whole[16]) << 8 | Int(whole[17])
        var misread = 0
        // Which pages hold what is SQLite's affair: most are pages of tables.
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
            let explicit = ending.output.replacing("\n", with: " ")
            #expect(
                explicit.contains("is damaged: ") && explicit.contains("Build it again"), "\(ending.output)")
            #expect(!explicit.contains("report this"), "\(ending.output)")
        }
        #expect(misread == 0)
    }

    @Test func `a folder that is not there is a fault`() throws {
        let ending = try BuiltTool.ending(["doctor", "--db", folder.file("nowhere/s.sqlite")])
        #expect(ending.status == 78 && ending.output.hasPrefix("1 thing wrong"))
    }

    @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
    func `a store in a folder that cannot be written cannot be imported into`() throws {
        #expect(try importing("Title\nReef\n").status == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        }
        let ending = try BuiltTool.ending(["doctor", "--db", store])
        #expect(ending.status == 78)
        #expect(ending.output.contains("nothing can be written in \(folder.path)"))
    }
}
