import Foundation
import TestSupport
import Testing

/// Every definition in Pipelines is one that this build can run.
@Suite struct PipelineFilesTests {
    private static let files = Tree.names(in: "Pipelines").filter { $0.hasSuffix(".yaml") }

    @Test func `there are definitions`() {
        #expect(Set(["csv_import.yaml", "catalog_build.yaml"]).isSubset(of: Self.files))
    }

    @Test(arguments: files) func `a definition parses and is planned`(file: String) async throws {
        let folder = try TemporaryFolder()
        var shell = Shell(in: Tree.root.path)
        shell.environment["XDG_CONFIG_HOME"] = folder.path
        let outcome = try await shell.run("etl check Pipelines/\(file)")
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}
