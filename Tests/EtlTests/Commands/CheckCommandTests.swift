import Foundation
import TestSupport
import Testing

/// `etl check`: the values a run would use.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct CheckCommandTests {
    private static let definition = "\(ProjectFiles.root)/Pipelines/csv_import.yaml"

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(_ options: String..., variables: [String: String]) throws -> BuiltTool.Ending {
        try BuiltTool.ending(
            ["check"] + options + [Self.definition],
            environment: variables.merging(["HOME": folder.path]) { $1 })
    }

    private func values(_ ending: BuiltTool.Ending) throws -> [String: [String]] {
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
        let list = try #require(report["configuration"] as? [[String: String]])
        return Dictionary(list.map { ($0["path"] ?? "", [$0["value"] ?? "", $0["origin"] ?? ""]) }) { $1 }
    }

    @Test func `variables are shown by name, and options override them`() throws {
        let variables = ["ETL_OPENLIBRARY_URL": "http://127.0.0.1:9", "ETL_OPENLIBRARY_RATE": "9"]
        let all = try values(try check("--json", variables: variables))
        #expect(all["providers.openlibrary.baseURL"] == ["http://127.0.0.1:9", "$ETL_OPENLIBRARY_URL"])
        #expect(all["providers.openlibrary.rate"] == ["9", "$ETL_OPENLIBRARY_RATE"])
        let set = "providers.openlibrary.rate=2"
        let overruled = try values(try check("--json", "--set", set, variables: variables))
        #expect(overruled["providers.openlibrary.rate"]?.first == "2.0")
        let table = try check(variables: variables).output
        #expect(table.split(separator: "\n").contains { $0.hasSuffix("$ETL_OPENLIBRARY_RATE") })
    }

    @Test func `a variable that would end every run is reported`() throws {
        let ending = try check(variables: ["ETL_OPENLIBRARY_RATE": "fast"])
        #expect(ending.status == 78 && ending.errors.contains("ETL_OPENLIBRARY_RATE"))
    }
}
