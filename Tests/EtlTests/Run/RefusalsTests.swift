import FakeServices
import Foundation
import TestSupport
import Testing

/// Output for scripts if there is no result or the request is wrong.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct RefusalsTests: ImportsByTool {
    private static let sound =
        "Book Id,Title,Author,ISBN13,My Rating,Average Rating\n1,Dune,Frank Herbert,9780306406157,3,4.25\n"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func code(_ envelope: String) throws -> String? {
        let envelope = try object(envelope)
        #expect(envelope["success"] as? Bool == false && envelope["data"] is NSNull)
        return (envelope["error"] as? [String: Any])?["code"] as? String
    }

    // MARK: Envelopes

    @Test func `missing results are reported in an envelope`() throws {
        let nowhere = try BuiltTool.ending(["results", "--db", store, "nope"])
        #expect(nowhere.status == 66)
        #expect(try code(nowhere.output) == "NOT_FOUND")
        #expect(try importing(Self.sound, "--job", "spring-1").status == 0)
        #expect(try importing(Self.sound, "--job", "spring-2").status == 0)
        let unknown = try BuiltTool.ending(["results", "--db", store, "nope"])
        #expect(unknown.status == 66 && !unknown.errors.isEmpty)
        #expect(try code(unknown.output) == "NOT_FOUND")
        let several = try BuiltTool.ending(["results", "--db", store, "spring"])
        #expect(several.status == 64)
        #expect(try code(several.output) == "INVALID_REQUEST")
    }

    @Test func `a search without a store returns an envelope, and one with a store the average rating`()
        throws
    {
        let nowhere = try BuiltTool.ending(["search", "title", "--json", "--db", store, "dune"])
        #expect(nowhere.status == 66)
        #expect(try code(nowhere.output) == "NOT_FOUND")
        #expect(try importing(Self.sound).status == 0)
        let found = try BuiltTool.ending(["search", "isbn", "--json", "--db", store, "9780306406157"])
        let data = try #require(try object(found.output)["data"] as? [String: Any])
        let books = try #require(data["books"] as? [[String: Any]])
        #expect(books.count == 1 && books.first?["averageRating"] as? Double == 4.25)
    }

    @Test func `a permanent failure is not marked for retry`() throws {
        #expect(try importing(Self.sound).status == 0)
        // A store of a newer version: the version is at byte 60.
        var bytes = try Data(contentsOf: URL(filePath: store))
        bytes.replaceSubrange(60..<64, with: [0, 0, 99, 0])
        let newer = folder.file("newer.sqlite")
        try bytes.write(to: URL(filePath: newer))
        for command in [["search", "title", "--json", "dune"], ["results"]] {
            let ending = try BuiltTool.ending(command + ["--db", newer])
            #expect(ending.status == 78)
            #expect(try code(ending.output) == "INVALID_REQUEST")
            let error = try #require(try object(ending.output)["error"] as? [String: Any])
            #expect(error["retryable"] as? Bool == false)
            #expect((error["details"] as? [String: Any])?["db"] as? String == newer)
        }
    }

    @Test(arguments: [
        "ISBN 978-0-306-40615-7", "978\u{2013}0\u{2013}306\u{2013}40615\u{2013}7", "=\"9780306406157\"",
        "ISBN-13: 9780306406157", "0-306-40615-2",
    ])
    func `an ISBN can be searched in any notation`(isbn: String) throws {
        #expect(try importing(Self.sound).status == 0)
        let found = try BuiltTool.ending(["search", "isbn", "--json", "--db", store, isbn])
        #expect(found.status == 0 && found.output.contains("9780306406157"))
    }

    // MARK: Command lines

    @Test func `a pipeline without an input file is a usage error`() throws {
        let definition = "\(ProjectFiles.root)/Pipelines/csv_import.yaml"
        let ending = try BuiltTool.ending(["run", "--db", store, definition])
        #expect(ending.status == 64)
        #expect(ending.errors.contains("needs a FILE"))
        #expect(!FileManager.default.fileExists(atPath: store))
    }

    @Test func `a usage error is coloured as requested`() throws {
        #expect(try BuiltTool.ending(["improt", "--color=always"]).errors.contains("\u{1B}["))
        #expect(try !BuiltTool.ending(["improt"]).errors.contains("\u{1B}["))
    }

    @Test func `ISBNs can come from standard input`() throws {
        let ending = try BuiltTool.ending(
            ["isbn", "check", "0306406152", "-"], input: "9780306406157\n\nx\n")
        #expect(ending.status == 0)
        let verdicts = try ending.output.split(separator: "\n").map {
            try object(String($0))["verdict"] as? String
        }
        #expect(verdicts == ["valid", "valid", "impossible", "impossible"])
    }

    @Test func `an unknown language is left out of the results and kept in the store`() throws {
        let file = "Title,Author,Language\nDune,Frank Herbert,xx\nEmma,Jane Austen,en\n"
        #expect(try importing(file).status == 0)
        let results = try BuiltTool.ending(["results", "--db", store])
        let data = try #require(try object(results.output)["data"] as? [String: Any])
        let books = try #require(data["books"] as? [[String: Any]])
        #expect(books.map { $0["language"] as? String } == [nil, "en"])
    }

    // MARK: Services

    @Test func `an address can be set for one run, and the doctor shows where settings come from`() throws {
        let services = FakeServices()
        let tool = try ToolWithServices(rate: 400, services: []) { services.answer($0) }
        defer { tool.server.stop() }
        let library = try tool.library("library.csv", records: 3)
        let set = "providers.openlibrary.baseURL=\(tool.server.url)/openlibrary"
        let ran = try tool.ending([
            "run", "--quiet", "--db", tool.folder.file("s.sqlite"), "--set", set,
            "\(ProjectFiles.root)/Pipelines/csv_import.yaml", library,
        ])
        #expect(ran.status == 0, "\(ran.errors)")
        #expect(!tool.server.requests.isEmpty)

        let config = folder.file("etl")
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
        _ = try folder.write(
            "providers: { openlibrary: { rate: 7 }, isbndb: { daily: 9 } }\n", to: "etl/config.yaml")
        let keys = try folder.write("ETL_ISBNDB_KEY=\(ToolWithServices.canary)\n", to: "mine")
        var environment = [
            "HOME": folder.path, "XDG_CONFIG_HOME": folder.path, "ETL_KEYS_FILE": keys,
            "ETL_OPENLIBRARY_RATE": "8",
        ]
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keys)
        let doctor = try BuiltTool.ending(
            ["doctor", "--offline", "--json", "--db", store], environment: environment)
        #expect(doctor.status == 0, "\(doctor.output)")
        #expect(!doctor.output.contains(ToolWithServices.canary))
        let list = try #require(try object(doctor.output)["settings"] as? [[String: Any]])
        func said(_ name: String) -> [String]? {
            let setting = list.first { $0["name"] as? String == name }
            return setting.map { ["\($0["value"] ?? "")", "\($0["origin"] ?? "")"] }
        }
        #expect(said("providers.openlibrary.rate") == ["8", "$ETL_OPENLIBRARY_RATE"])
        #expect(said("providers.isbndb.daily")?.first == "9")
        #expect(said("providers.isbndb.daily")?.last?.contains("config.yaml:1") == true)
        #expect(said("ETL_ISBNDB_KEY")?.last == keys)

        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: keys)
        environment["XDG_CONFIG_HOME"] = nil
        let open = try BuiltTool.ending(["doctor", "--offline", "--db", store], environment: environment)
        #expect(open.status == 78)
        #expect(
            open.output.contains("Other users can read") && !open.output.contains(ToolWithServices.canary))
    }
}
