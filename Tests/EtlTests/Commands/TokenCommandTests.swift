import Foundation
import TestSupport
import Testing

/// `etl token` for programs. ServeCommandTests has what a server makes of the file.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct TokenCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func json<Value>(_ arguments: String...) throws -> Value {
        let ending = try BuiltTool.ending(
            ["token"] + arguments + ["--json", "--tokens", folder.file("tokens.txt")])
        #expect(ending.status == 0, "\(ending.errors)")
        return try #require(
            try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? Value)
    }

    @Test func `a token is shown once, and listed with its scopes, library and end`() throws {
        let made: [String: Any] = try json(
            "add", "--library", "books", "--expires", "2099-12-31", "anna")
        #expect((made["token"] as? String)?.isEmpty == false)
        let _: [String: Any] = try json("add", "--scope", "admin", "backup")
        let revoked: [String: Any] = try json("revoke", "backup")
        #expect(revoked["name"] as? String == "backup" && revoked["state"] as? String == "revoked")
        let list: [[String: Any]] = try json("list")
        try #require(list.count == 2)
        #expect(list[0]["name"] as? String == "anna" && list[0]["state"] as? String == "valid")
        #expect(list[0]["scopes"] as? [String] == ["import", "search"])
        #expect(list[0]["library"] as? String == "books" && list[0]["expires"] as? String == "2099-12-31")
        #expect(list[1]["scopes"] as? [String] == ["admin"] && list[1]["state"] as? String == "revoked")
        #expect(list[1]["library"] == nil && list.allSatisfy { $0["token"] == nil })
    }
}
