import Database
import Foundation
import Store
import TestSupport
import Testing

/// `etl results`: on any failure standard output has an envelope and standard error the reason.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ResultsCommandTests: ImportsByTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Requests results that cannot be given.
    private func refused(_ options: String..., status: Int32, code: String) throws {
        let ending = try BuiltTool.ending(["results", "--db", store] + options)
        #expect(ending.status == status && ending.errors.contains("error:"), "\(ending.errors)")
        let envelope = try #require(
            try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
        #expect(envelope["success"] as? Bool == false && envelope["data"] is NSNull)
        #expect((envelope["error"] as? [String: Any])?["code"] as? String == code)
    }

    @Test func `a store of a newer version is an invalid request, a damaged one an internal error`()
        throws
    {
        #expect(try importing("Title,Author\nReef,Ana\n").status == 0)
        try StoreFile.openForWriting(store).execute("PRAGMA user_version = 99")
        try refused(status: 78, code: "INVALID_REQUEST")
        let whole = try #require(FileManager.default.contents(atPath: store))
        try whole.prefix(20_000).write(to: URL(filePath: store))
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store + suffix) }
        try refused(status: 74, code: "INTERNAL_ERROR")
    }

    @Test func `an unknown view, one that does not fit, and a wrong option are invalid requests`() throws {
        #expect(try importing("Title,Author\nReef,Ana\n").status == 0)
        try refused("--view", "bogus", status: 64, code: "INVALID_REQUEST")
        try refused("--view", "scan", status: 64, code: "INVALID_REQUEST")
        try refused("--veiw", "csv", status: 64, code: "INVALID_REQUEST")
    }
}
