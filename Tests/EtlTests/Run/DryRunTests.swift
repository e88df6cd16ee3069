import Database
import FakeServices
import Foundation
import Store
import TestSupport
import Testing

/// Dry runs of the built tool: what they keep and what they do not.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct DryRunTests {
    @Test func `a dry run keeps only its answers, and the real run requests none again`() throws {
        let services = FakeServices()
        let tool = try ToolWithServices(rate: 400) { services.answer($0) }
        defer { tool.server.stop() }
        let store = tool.folder.file("store.sqlite")
        let library = try tool.library("library.csv", records: 30)
        let dry = try tool.ending(["import", "--dry-run", "--no-progress", "--db", store, library])
        #expect(dry.status == 0, "\(dry.errors)")
        #expect(dry.errors.contains("of services in `\(store)`"), "\(dry.errors)")
        #expect(try tool.pending(store) == nil)
        #expect(try StoreFile.openForReading(store).integer("SELECT count(*) FROM works") == 0)

        let asked = tool.server.requests.count
        try #require(asked > 0)
        #expect(try tool.ending(["import", "--quiet", "--db", store, library]).status == 0)
        #expect(tool.server.requests.count == asked)
        #expect(try tool.pending(store) == 0)
        let undisturbed = tool.folder.file("undisturbed.sqlite")
        #expect(try tool.ending(["import", "--quiet", "--db", undisturbed, library]).status == 0)
        #expect(try BuiltTool.dump(store) == BuiltTool.dump(undisturbed))
        let left = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
        #expect(!left.contains { $0.contains("dry-run") })
    }

    @Test func `a dry run with a store adds only new answers to it`() throws {
        let services = FakeServices()
        let tool = try ToolWithServices(rate: 400, services: ["openlibrary"]) { services.answer($0) }
        defer { tool.server.stop() }
        let store = tool.folder.file("store.sqlite")
        let first = try tool.library("first.csv", records: 5)
        #expect(try tool.ending(["import", "--quiet", "--db", store, first]).status == 0)
        let before = try BuiltTool.dump(store)
        let (asked, kept) = (tool.server.requests.count, try Self.answers(store))
        let again = try tool.ending(["import", "--dry-run", "--no-progress", "--db", store, first])
        #expect(again.status == 0 && !again.errors.contains("of services in"))
        #expect(tool.server.requests.count == asked)
        let second = try tool.library("second.csv", records: 5, from: 978_100_000_101)
        #expect(try tool.ending(["import", "--dry-run", "--quiet", "--db", store, second]).status == 0)
        #expect(tool.server.requests.count > asked)
        #expect(try Self.answers(store) > kept)
        #expect(try BuiltTool.dump(store) == before)
    }

    @Test func `a dry run without services creates no store`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("Title,Author\nDune,Frank Herbert\n", to: "export.csv")
        let store = folder.file("store.sqlite")
        #expect(try BuiltTool.run(["import", "--dry-run", "--quiet", "--db", store, file]) == 0)
        #expect(!FileManager.default.fileExists(atPath: store))
    }

    @Test func `the copy of a killed dry run is removed by the next run, copies of others are not`() throws {
        let services = FakeServices(faults: ["openlibrary": FakeFaults(share: 1, kinds: [.silent])])
        let tool = try ToolWithServices(rate: 400, services: ["openlibrary"]) { services.answer($0) }
        defer { tool.server.stop() }
        let store = tool.folder.file("store.sqlite")
        let library = try tool.library("library.csv", records: 5)
        #expect(try tool.ending(["import", "--offline", "--quiet", "--db", store, library]).status == 0)
        let dry = ["import", "--dry-run", "--restart", "--quiet", "--db", store, library]
        func copies() -> [String] { tool.folder.names.filter { $0.contains("dry-run") } }
        // It waits for a service that never answers. While the copy is made, it has a log for a moment, but no shared index.
        let running = try tool.start(dry)
        while !copies().contains(where: { $0.hasSuffix("-shm") }), running.isRunning { StoreLock.pause() }
        let own = copies()
        #expect(try tool.ending(["import", "--offline", "--quiet", "--db", store, library]).status == 0)
        #expect(Set(copies()).isSuperset(of: own), "the copy of a live run is kept")
        running.send(SIGKILL)
        try running.wait()
        try #require(!copies().isEmpty)
        #expect(try tool.ending(["import", "--offline", "--quiet", "--db", store, library]).status == 0)
        #expect(copies() == [])
    }

    @Test func `a dry run leaves no copy of standard input`() throws {
        let folder = try TemporaryFolder()
        let store = folder.file("store.sqlite")
        let line = ["import", "--dry-run", "--quiet", "--db", store, "-"]
        #expect(try BuiltTool.ending(line, input: "Title,Author\nDune,Frank Herbert\n").status == 0)
        #expect(folder.names.isEmpty)
        #expect(try BuiltTool.ending(line, input: "<html>").status == 65)
        #expect(folder.names.isEmpty)
        // Copying a store that is not one fails after standard input was saved next to it.
        let broken = try folder.write(String(repeating: "This is no store. ", count: 100), to: "store.sqlite")
        #expect(try BuiltTool.ending(line, input: "Title\nDune\n").status != 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.sqlite"])
        #expect(try String(contentsOfFile: broken, encoding: .utf8).hasPrefix("This is no store."))
    }

    @Test func `a dry run leaves the saved standard input of a job alone`() throws {
        let folder = try TemporaryFolder()
        let store = folder.file("store.sqlite")
        let text = "Title,Author\nDune,Frank Herbert\n,Nobody\n"
        let line = ["import", "--quiet", "--db", store, "--job", "spring", "-"]
        #expect(try BuiltTool.ending(line + ["--max-errors", "0"], input: text).status == 4)
        let kept = folder.names.filter { $0.hasSuffix(".stdin") }
        #expect(kept.count == 1)
        #expect(try BuiltTool.ending(line + ["--dry-run"], input: text).status == 0)
        #expect(try BuiltTool.run(["resume", "--dry-run", "--db", store, "spring"]) == 0)
        #expect(folder.names.filter { $0.hasSuffix(".stdin") } == kept)
        #expect(try BuiltTool.run(["resume", "--max-errors", "9", "--db", store, "spring"]) == 0)
        #expect(!folder.names.contains { $0.hasSuffix(".stdin") })
    }

    private static func answers(_ store: String) throws -> Int64 {
        try StoreFile.openForReading(store).integer("SELECT count(*) FROM answers") ?? 0
    }
}
