import Foundation
import TestSupport
import Testing

/// The built tool when its input changes during a run.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ChangedInputTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a file truncated during a run ends it with status 65 and loses nothing`() throws {
        let rows = (0..<20_000).map { "Book \($0),Ann Lee,A description of some length of book \($0)\n" }
        let text = "Title,Author,Description\n" + rows.joined()
        let file = try folder.write(text, to: "export.csv")
        let process = try BuiltTool.start(
            ["import", "--db", store, "--job", "c", "--providers", "none", "--events", "-", file],
            output: .pipe, errors: .pipe)
        var said = Data()
        var isCut = false
        while let piece = process.output?.availableData, !piece.isEmpty {
            said += piece
            // The first progress event is that of the beginning, the next one comes with the first commit.
            let isUnderWay = String(decoding: said, as: UTF8.self).contains(#/"processedCount":[1-9]/#)
            guard !isCut, isUnderWay else { continue }
            process.send(SIGSTOP)
            _ = try folder.write(String(text.prefix(30_000)), to: "export.csv")
            process.send(SIGCONT)
            isCut = true
        }
        let errors = String(decoding: process.errors?.readDataToEndOfFile() ?? Data(), as: UTF8.self)
        #expect(try process.wait().status == 65)
        #expect(errors.contains("export.csv` changed while it was read"))
        #expect(errors.contains("resume"))
        let status = try BuiltTool.ending(["status", "--db", store, "c"])
        #expect(status.output.contains("failed"))

        // The shorter file is not accepted as the old one, and the old one resumes.
        #expect(try BuiltTool.run(["resume", "c", "--db", store]) == 65)
        _ = try folder.write(text, to: "export.csv")
        #expect(try BuiltTool.run(["resume", "c", "--db", store]) == 0)
        let jobs = try BuiltTool.ending(["status", "--db", store, "--json", "c"])
        #expect(jobs.output.contains("20000"))
    }
}
