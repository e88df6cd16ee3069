import Foundation
import TestSupport
import Testing

/// Pipes, devices and tight limits: the tool neither hangs nor crashes, and says why.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct SpecialFilesTests {
    private let folder: TemporaryFolder
    private let pipe: String
    private let library: String

    init() throws {
        folder = try TemporaryFolder()
        pipe = folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        library = try folder.write("Title,Author\nDune,Frank Herbert\n", to: "library.csv")
    }

    /// Command lines that name a special file where a file is needed.
    private func lines(_ special: String) -> [[String]] {
        let store = ["--db", folder.file("s.sqlite")]
        return [
            ["import", "--catalog", special, library] + store,
            ["import", "--mapping", special, library] + store,
            ["run", special, library] + store, ["check", special], ["genres", "--rules", special, "x"],
            ["catalog", "build", "--out", folder.file("c.sqlite"), special],
            ["catalog", "info", special], ["cache", "import", special] + store,
            ["search", "title", "--catalog", special, "dune"] + store,
            ["isbn", "--ranges", special, "9780441172719"],
        ]
    }

    @Test func `a pipe without a writer and an endless device are refused at once`() throws {
        for special in [pipe, "/dev/zero", "/dev/tty"] {
            for line in lines(special) {
                let ending = try BuiltTool.ending(line)
                #expect([65, 66, 78].contains(ending.status), "\(line): \(ending.status) \(ending.errors)")
                #expect(
                    ending.errors.contains("is a pipe or a device") || special == "/dev/tty",
                    "\(line): \(ending.errors)")
            }
        }
    }

    @Test func `what a shell passes as a file is read`() throws {
        let ending = try BuiltTool.shell(
            "exec bash -c '\"$ETL\" genres --rules <(echo \"genres: {Cozy: [tea]}\") tea; \"$ETL\" check <(cat \(ProjectFiles.root)/Pipelines/csv_import.yaml)'"
        )
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.hasPrefix("[\"Cozy\"]\n"))
    }

    @Test(arguments: [4, 8, 12, 16, 20])
    func `too few descriptors are refused with a sentence`(limit: Int) throws {
        let ending = try BuiltTool.shell(
            "ulimit -n \(limit); exec \"$ETL\" import --db \(folder.file("s.sqlite")) \(library)")
        #expect(
            ending.status == 78 && ending.errors.contains("ulimit -n"), "\(ending.status) \(ending.errors)")
    }

    @Test func `enough descriptors are enough`() throws {
        let ending = try BuiltTool.shell(
            "ulimit -n 40; exec \"$ETL\" import --db \(folder.file("s.sqlite")) \(library)")
        #expect(ending.status == 0, "\(ending.errors)")
    }

    #if !THREAD_SANITIZER
    // The sanitizer does not run with limited memory.
    @Test(arguments: [150_000, 300_000, 400_000, 600_000, 900_000])
    func `too little memory is a sentence, whenever it is noticed`(kilobytes: Int) throws {
        let ending = try BuiltTool.shell(
            "ulimit -c 0; ulimit -v \(kilobytes); exec \"$ETL\" import --db \(folder.file("s.sqlite")) \(library)"
        )
        #expect(
            ending.status == 0 || [74, 78].contains(ending.status) && ending.errors.contains("emory"),
            "\(ending.status) \(ending.errors)")
    }
    #endif

    @Test func `a store whose tables were changed is damaged, not a bug`() throws {
        let store = folder.file("s.sqlite")
        #expect(try BuiltTool.run(["import", "--db", store, library]) == 0)
        let (from, to) = (Data("page_count INTEGER".utf8), Data("page_cOUnx INTEGER".utf8))
        var bytes = try Data(contentsOf: URL(filePath: store))
        let place = try #require(bytes.range(of: from))
        bytes.replaceSubrange(place, with: to)
        try bytes.write(to: URL(filePath: store))
        let other = try folder.write("Title,Author\nEmma,Jane Austen\n", to: "other.csv")
        let ending = try BuiltTool.ending(["import", "--db", store, other])
        #expect(
            ending.status == 74 && ending.errors.contains("is damaged"), "\(ending.status) \(ending.errors)")
    }

    @Test func `purging the cache says that it waits`() throws {
        let store = folder.file("s.sqlite")
        #expect(try BuiltTool.run(["import", "--db", store, library]) == 0)
        let lock = HeldLock()
        #expect(lock.take(store))
        let process = try BuiltTool.start(["cache", "purge", "--all", "--db", store], errors: .pipe)
        var complained = Data()
        while complained.range(of: Data("Waiting for another process that has `\(store)` locked".utf8)) == nil
        {
            let piece = try #require(process.errors).availableData
            try #require(!piece.isEmpty, "\(String(decoding: complained, as: UTF8.self))")
            complained += piece
        }
        process.send(SIGTERM)
        #expect(try process.wait().isSignal == false)
    }
}
