import Foundation
import TestSupport
import Testing

/// Files that the built tool writes in addition to its store.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct OutputFileTests {
    private static let library = "Book Id,Title,Author,ISBN13,My Rating\n1,T,A,9780306406157,3\n"
    private static let mapping = "name: mine\ncolumns:\n  title: Title\n  author: Author\n"

    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("s.sqlite")
    }

    @Test(arguments: ["--events", "--metrics"])
    func `input files and the store are not overwritten`(option: String) throws {
        let library = try folder.write(Self.library, to: "library.csv")
        #expect(try BuiltTool.run(["import", "--db", store, library]) == 0)
        let link = folder.file("link.csv")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: library)
        for path in [library, link, store] {
            let refused = try BuiltTool.ending(["import", "--db", store, option, path, library])
            #expect(refused.status == 64)
            #expect(refused.errors.contains("`\(option) \(path)` would overwrite "))
        }
        #expect(try String(contentsOfFile: library, encoding: .utf8) == Self.library)
        #expect(try BuiltTool.run(["status", "--db", store]) == 0)
        // A store that does not exist yet is known by its path.
        let new = folder.file("new.sqlite")
        #expect(try BuiltTool.run(["import", "--db", new, option, new, library]) == 64)
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    @Test(arguments: ["--events", "--metrics"])
    func `the files next to a store are not overwritten`(option: String) throws {
        let library = try folder.write(Self.library, to: "library.csv")
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
        for ending in ["-wal", ".lock", ".search", ".0a1b.stdin"] {
            let path = try folder.write("private", to: "s.sqlite\(ending)")
            for name in [store, link] {
                let refused = try BuiltTool.ending(["import", "--db", name, option, path, library])
                #expect(refused.status == 64, "\(path)")
                #expect(refused.errors.contains("`\(option) \(path)` would overwrite the store."))
            }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "private")
            try FileManager.default.removeItem(atPath: path)
        }
        let beside = folder.file("s.sqlite.prom")
        #expect(try BuiltTool.run(["import", "--db", store, option, beside, library]) == 0)
    }

    /// Checks that a command line is rejected because of the file it would overwrite, and that the file is
    /// unchanged.
    private func refused(
        _ path: String, _ option: String, _ arguments: [String], environment: [String: String]? = nil
    ) throws {
        let before = try Data(contentsOf: URL(filePath: path))
        let ending = try BuiltTool.ending(
            arguments + ["--db", store, option, path], environment: environment)
        #expect(ending.status == 64, "\(arguments): \(ending.errors)")
        #expect(
            ending.errors.contains("`\(option) \(path)` would overwrite "), "\(arguments): \(ending.errors)")
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test(arguments: ["--events", "--metrics"])
    func `the files a job was started with are not overwritten when it is resumed`(option: String) throws {
        let library = try folder.write(Self.library + "2,,A,,0\n", to: "library.csv")
        let mapping = try folder.write(Self.mapping, to: "mapping.yaml")
        let catalog = folder.file("catalog.sqlite")
        let dump = try folder.write(
            "/type/author\t/authors/OL1A\t1\t2024-01-02T00:00:00\t"
                + #"{"key": "/authors/OL1A", "name": "Ada Example"}"# + "\n", to: "dump.txt")
        #expect(try BuiltTool.run(["catalog", "build", "--out", catalog, dump]) == 0)
        let begin = [
            "import", "--db", store, "--job", "spring", "--max-errors", "0", "--catalog", catalog,
            "--mapping", mapping, library,
        ]
        #expect(try BuiltTool.run(begin) == 4)
        for path in [library, mapping, catalog] {
            try refused(path, option, ["resume", "spring"])
            try refused(path, option, ["enrich", "--missing", "--job", "spring"])
            try refused(path, option, ["import", "--job", "spring", library])
        }
        // Without a name the job is found by its input.
        try refused(catalog, option, ["import", library])
        let explicit = folder.file("shared")
        #expect(try BuiltTool.run(["resume", "--db", store, option, explicit, "spring"]) == 0)
        #expect(FileManager.default.fileExists(atPath: explicit))
    }

    @Test(arguments: ["--events", "--metrics"])
    func `a corrected list and the files of its job are not overwritten`(option: String) throws {
        let library = try folder.write(Self.library + "2,,A,,0\n", to: "library.csv")
        #expect(try BuiltTool.run(["import", "--db", store, "--job", "spring", library]) == 0)
        let list = try folder.write(
            BuiltTool.ending(["errors", "--db", store, "--format", "csv", "spring"]).output, to: "list.csv")
        for path in [list, library] {
            try refused(path, option, ["import", "--rejects", list, "--job", "spring"])
        }
    }

    @Test(arguments: ["--events", "--metrics"])
    func `other files a run reads are not overwritten`(option: String) throws {
        let library = try folder.write(Self.library, to: "library.csv")
        let pipeline = folder.file("pipeline.yaml")
        try FileManager.default.copyItem(
            atPath: "\(ProjectFiles.root)/Pipelines/csv_import.yaml", toPath: pipeline)
        try refused(pipeline, option, ["run", pipeline, library])
        let mapping = try folder.write(Self.mapping, to: "mapping.yaml")
        try refused(mapping, option, ["import", "--mapping", mapping, library])
        try FileManager.default.createDirectory(
            atPath: folder.file("etl"), withIntermediateDirectories: true)
        let keys = try folder.write("ETL_ISBNDB_KEY=k\n", to: "etl/keys")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keys)
        let configuration = try folder.write("{}\n", to: "etl/config.yaml")
        for path in [keys, configuration] {
            try refused(
                path, option, ["import", library], environment: ["XDG_CONFIG_HOME": folder.path])
        }
        let piped = try BuiltTool.shell(
            "\"$ETL\" import --db '\(store)' \(option) '\(library)' - < '\(library)'")
        #expect(piped.status == 64)
        #expect(try String(contentsOfFile: library, encoding: .utf8) == Self.library)
        #expect(!folder.names.contains { $0.hasPrefix("s.sqlite") })
    }

    @Test func `events and metrics need different files`() throws {
        let library = try folder.write(Self.library, to: "library.csv")
        let explicit = folder.file("shared")
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: explicit)
        for metrics in [explicit, link] {
            let ending = try BuiltTool.ending(
                ["import", "--db", store, "--events", explicit, "--metrics", metrics, library])
            #expect(ending.status == 64)
            #expect(ending.errors.contains("`--events` and `--metrics` both write to"))
        }
        #expect(!FileManager.default.fileExists(atPath: explicit))
        // A device accepts both.
        let line = ["--events", "/dev/null", "--metrics", "/dev/null", library]
        #expect(try BuiltTool.run(["import", "--db", store] + line) == 0)
    }

    @Test(arguments: ["--events", "--metrics"])
    func `a pipe and a link are written to directly`(option: String) throws {
        let library = try folder.write(Self.library, to: "library.csv")
        let ending = try BuiltTool.shell(
            """
            cd '\(folder.path)' && mkfifo pipe && ln -s target link
            cat pipe > got &
            "$ETL" import --quiet --db a.sqlite \(option) pipe '\(library)' || exit 1
            wait
            "$ETL" import --quiet --db b.sqlite \(option) link '\(library)' || exit 2
            test -p pipe && test -L link && test -s got && test -s target
            """)
        #expect(ending.status == 0, "\(ending.errors)")
    }
}
