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
