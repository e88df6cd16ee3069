import Foundation
import TestSupport
import Testing

/// Imports under the name of a job that has ended, and what `--events` says about runs that do not begin.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct RepeatedJobsTests: ImportsByTool {
    private static let library = "Title,Author,ISBN13\nEmma,Jane Austen,9780306406157\n"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The types of the messages in the file of `--events`.
    private func messages() throws -> [String] {
        try BuiltTool.messages(in: folder.file("events")).compactMap { $0["type"] as? String }
    }

    @Test func `a completed job's name is no work, and its messages say that it is complete`() throws {
        #expect(try importing(Self.library, "--quiet", "--job", "spring").status == 0)
        let again = try importing(Self.library, "--job", "spring", "--events", folder.file("events"))
        #expect(again.status == 0 && again.errors.contains("has already imported"), "\(again.errors)")
        #expect(try messages() == ["job_started", "job_progress", "job_complete"])
    }

    @Test func `an undone job's name says that it was undone, and imports nothing`() throws {
        #expect(try importing(Self.library, "--quiet", "--job", "spring").status == 0)
        #expect(try BuiltTool.run(["undo", "--quiet", "--db", store, "spring"]) == 0)
        let again = try importing(Self.library, "--job", "spring")
        #expect(again.status == 64, "\(again.output)")
        #expect(
            again.errors.contains("Job `spring` is undone.") && again.errors.contains("etl undo"),
            "\(again.errors)")
        #expect(try importing(Self.library, "--job", "autumn").status == 0)
    }

    @Test(arguments: [[], ["--job", "spring"]], ["gone.csv", "folder", "empty.csv"])
    func `a file that cannot be read is an error message, whether the store is new or not`(
        options: [String], name: String
    ) throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("folder"), withIntermediateDirectories: true)
        _ = try folder.write("", to: "empty.csv")
        for isNew in [true, false] {
            if !isNew { #expect(try importing(Self.library, "--quiet").status == 0) }
            let events = folder.file("events")
            try? FileManager.default.removeItem(atPath: events)
            let ending = try BuiltTool.ending(
                ["import", "--db", store, "--events", events] + options + [folder.file(name)])
            #expect(ending.status != 0)
            #expect(try messages() == ["error"], "\(name), \(isNew ? "new" : "known") store")
        }
    }
}
