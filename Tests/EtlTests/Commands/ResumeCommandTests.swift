import Database
import FakeServices
import Foundation
import Store
import System
import TestSupport
import Testing

/// `etl resume`: which job it takes, and what it reports without jobs or with missing files.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ResumeCommandTests {
    private func object(_ output: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    }

    /// A store whose first job is pending because a service refuses requests until `isSilent` is cleared, and
    /// whose second job is completed.
    private func waiting() throws -> (tool: ToolWithServices, store: String, isSilent: Guarded<Bool>) {
        let (calm, isSilent) = (FakeServices(faults: [:]), Guarded(true))
        let tool = try ToolWithServices(rate: 400, services: ["google-books"]) { request in
            isSilent.withLock { $0 }
                ? FakeReply(403, Array("<html>Forbidden</html>".utf8)) : calm.answer(request)
        }
        let store = tool.folder.file("s.sqlite")
        let first = try tool.library("first.csv", records: 5)
        #expect(try tool.ending(["import", "--db", store, "--job", "spring", first]).status == 69)
        let second = try tool.library("second.csv", records: 2, from: 978_100_001_001)
        #expect(
            try tool.ending(["import", "--offline", "--db", store, "--job", "autumn", second]).status == 0)
        return (tool, store, isSilent)
    }

    @Test func `without a name the last unfinished job is resumed and named`() throws {
        let (tool, store, isSilent) = try waiting()
        defer { tool.server.stop() }
        let doctor = try tool.ending(["doctor", "--offline", "--db", store])
        #expect(doctor.status == 0)
        #expect(doctor.output.contains("job `spring` has 5 pending records"))
        #expect(doctor.output.contains("To continue it, run `etl resume --db \(store) spring`."))

        isSilent.withLock { $0 = false }
        let ending = try tool.ending(["resume", "--db", store])
        #expect(ending.status == 0)
        #expect(
            ending.errors.contains(
                "Continuing job `spring` (5 pending records). The newest job, `autumn`, has nothing left to do."
            ))
        #expect(try JobTable(StoreFile.openForReading(store)).all().map(\.pending) == [0, 0])

        let nothing = try tool.ending(["resume", "--json", "--db", store])
        #expect(nothing.status == 0 && nothing.errors.contains("nothing to resume"))
        let summary = try object(nothing.output)
        #expect(summary["jobId"] as? String == "autumn")
        #expect(summary["totalProcessed"] as? Int == 2 && summary["pending"] as? Int == 0)
        let enrich = try tool.ending(["enrich", "--missing", "--json", "--job", "spring", "--db", store])
        #expect(try object(enrich.output)["jobId"] as? String == "spring")
        #expect(
            try tool.ending(["doctor", "--offline", "--db", store]).output.hasPrefix("No problems found."))
    }

    @Test func `pending records are read again from the new place of their file`() throws {
        let (tool, store, isSilent) = try waiting()
        defer { tool.server.stop() }
        isSilent.withLock { $0 = false }
        let (old, new) = (tool.folder.file("first.csv"), tool.folder.file("moved.csv"))
        try FileManager.default.moveItem(atPath: old, toPath: new)
        let other = try tool.ending(["resume", "--db", store, "spring", tool.folder.file("second.csv")])
        #expect(other.status == 65, "another file is rejected")
        #expect(try tool.ending(["resume", "--db", store, "spring", new]).status == 0)
        #expect(try tool.pending(store) == 0)
    }

    enum Loss: CaseIterable {
        case deleted, replaced, truncated
    }

    @Test(arguments: Loss.allCases, [["resume", "spring"], ["enrich", "--missing"]])
    func `pending records are finished without their file`(loss: Loss, command: [String]) throws {
        let (tool, store, isSilent) = try waiting()
        defer { tool.server.stop() }
        isSilent.withLock { $0 = false }
        let file = tool.folder.file("first.csv")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        switch loss {
        case .deleted: try FileManager.default.removeItem(atPath: file)
        case .replaced: _ = try tool.folder.write(text.replacing(",3\n", with: ",4\n"), to: "first.csv")
        case .truncated: _ = try tool.folder.write(String(text.dropLast(40)), to: "first.csv")
        }
        let names = tool.folder.names
        let ending = try tool.ending(command + ["--db", store])
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.contains("first.csv"))
        #expect(!(ending.output + ending.errors).contains(".stdin"))
        #expect(try tool.pending(store) == 0)
        #expect(Set(tool.folder.names).subtracting(names).allSatisfy { !$0.hasSuffix(".stdin") })
        let connection = try StoreFile.openForReading(store)
        #expect(try connection.number("SELECT count(*) FROM job_inputs") == 0)

        // The library is as if the file were still there.
        let reference = tool.folder.file("reference.sqlite")
        let copy = try tool.folder.write(text, to: "copy.csv")
        #expect(try tool.ending(["import", "--db", reference, "--job", "spring", copy]).status == 0)
        let found = "SELECT count(*) FROM editions WHERE providers IS NOT NULL"
        #expect(try connection.number(found) == StoreFile.openForReading(reference).number(found))
    }

    /// A job `lib` that failed over its error budget, and whose file was moved to the folder `m`.
    private func moved(_ folder: TemporaryFolder) throws -> (store: String, text: String) {
        let store = folder.file("s.sqlite")
        let text = "Title,Author\nDune,Frank Herbert\n,Nobody\n"
        let old = try folder.write(text, to: "lib.csv")
        let begin = ["import", "--db", store, "--job", "lib", "--max-errors", "0", old]
        #expect(try BuiltTool.run(begin) == 4)
        try FileManager.default.createDirectory(atPath: folder.file("m"), withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: old, toPath: folder.file("m/lib.csv"))
        return (store, text)
    }

    @Test(arguments: [
        ["lib", "m/lib.csv"], ["lib", "m/l*.csv"], ["--job", "lib", "m/lib.csv"], ["lib", "-"],
    ])
    func `the files of a job can be given as for an import`(words: [String]) throws {
        let folder = try TemporaryFolder()
        let (store, text) = try moved(folder)
        let line = words.map { $0.hasPrefix("m/") ? folder.file($0) : $0 }
        let ending = try BuiltTool.ending(
            ["resume", "--db", store] + line, input: text.replacing("Dune", with: "Done"))
        #expect(ending.status == (words.last == "-" ? 65 : 0), "\(ending.errors)")
        let again = try BuiltTool.ending(["resume", "--db", store] + line, input: text)
        #expect(again.status == 0, "\(again.errors)")
        let jobs = try JobTable(StoreFile.openForReading(store)).all()
        #expect(jobs.map(\.status) == [.completed])
        #expect(!folder.names.contains { $0.hasSuffix(".stdin") })
    }

    @Test(arguments: [["lib", "gone.csv"], ["--job", "lib", "gone.csv"], ["lib", "-", "gone.csv"]])
    func `a missing file is reported before standard input is read`(words: [String]) throws {
        let folder = try TemporaryFolder()
        let (store, text) = try moved(folder)
        let ending = try BuiltTool.ending(["resume", "--db", store] + words, input: text)
        #expect(ending.status == 66)
        #expect(
            ending.errors.contains(
                "There is no file `gone.csv`; job `lib` reads its remaining records from it"))
        #expect(!folder.names.contains { $0.hasSuffix(".stdin") })
    }

    @Test func `a store without jobs is reported as an empty object`() throws {
        let folder = try TemporaryFolder()
        let store = folder.file("s.sqlite")
        let answers = try folder.write("", to: "answers.ndjson")
        #expect(try BuiltTool.run(["cache", "import", "--db", store, answers]) == 0)
        for command in [["resume"], ["enrich", "--missing"]] {
            let ending = try BuiltTool.ending(command + ["--json", "--db", store])
            #expect(ending.status == 0)
            #expect(try object(ending.output).isEmpty)
        }
    }
}
