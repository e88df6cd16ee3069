import Foundation
import TestSupport
import Testing

/// Package.swift: no other Swift packages, and a target for every folder.
@Suite struct ManifestTests {
    @Test(arguments: ["", "Sources/Client/"])
    func `neither the package nor the Swift client has dependencies`(folder: String) {
        let manifest = SwiftCode.blank(Tree.text(folder + "Package.swift"))
        #expect(!manifest.isEmpty)
        #expect(!manifest.contains(".package("))
        #expect(!Tree.names(in: "./" + folder).contains("Package.resolved"))
    }

    /// Tests here build the client's sources as a target of this package.
    @Test func `the Swift client is compiled under its own rules everywhere`() {
        func features(_ manifest: String) -> Set<String> {
            Set(
                Tree.text(manifest).matches(of: #/\.enableUpcomingFeature\("(\w+)"\)/#)
                    .map { String($0.output.1) })
        }
        let own = features("Sources/Client/Package.swift")
        #expect(!own.isEmpty && own == features("Package.swift"))
        #expect(Tree.text("Sources/Client/Package.swift").contains(".swiftLanguageMode(.v6)"))
    }

    @Test func `every file of Sources is in a target, and every Swift target is strict`() {
        let text = Tree.text("Package.swift")
        for file in Tree.sources { #expect(!file.module.isEmpty, "\(file.path) is in no target") }
        let targets = text.matches(of: #/\.(?:target|executableTarget|testTarget)\(/#).count
        // CICU is C.
        #expect(targets - 1 == text.matches(of: #/swiftSettings: (?:strict|hot|cold)/#).count)
    }
}

/// The top folder, which newcomers see first, has no leftovers.
@Suite struct TopLevelTests {
    private static let listed: Set = [
        "CHANGELOG.md", "CONTRIBUTING.md", "Makefile", "Package.swift", "Pipelines", "README.md",
        "SECURITY.md",
        "Sources", "Tests", "docs",
    ]

    @Test func `the top folder contains only what is listed`() {
        // A store made while trying the tool is allowed.
        let names = Tree.names(in: ".").filter { !$0.hasPrefix(".") && !$0.contains(".sqlite") }
        #expect(Set(names).isSubset(of: Self.listed))
    }
}

/// Every definition in Pipelines can be run by this build.
@Suite struct PipelineFilesTests {
    private static let files =
        (Tree.names(in: "Pipelines")
        + Tree.names(in: "Pipelines/migrations").map { "migrations/\($0)" })
        .filter { $0.hasSuffix(".yaml") }

    @Test func `there are definitions`() {
        #expect(Set(["csv_import.yaml", "catalog_build.yaml"]).isSubset(of: Self.files))
    }

    @Test(arguments: files) func `a definition parses and can be planned`(file: String) async throws {
        let folder = try TemporaryFolder()
        var shell = Shell(in: Tree.root.path)
        shell.environment["XDG_CONFIG_HOME"] = folder.path
        let outcome = try await shell.run("etl check Pipelines/\(file)")
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}

/// No file contains a path of the machine it was written on.
@Suite struct MachinePathTests {
    @Test func `no file names a folder of a developer's machine`() {
        // Assembled here so that this file does not match.
        let places = ["work", "farm", "tmp", "opt", "home", "root", "Users"].map { "/\($0)/" }
        let folders = ["Sources", "Tests", "Pipelines", "docs", ".ci"]
        let files =
            folders.flatMap { Tree.paths(under: $0) }
            + Tree.names(in: ".").filter { $0.hasSuffix(".md") || $0 == "Makefile" || $0 == "Package.swift" }
        var read = 0
        for path in files where !path.hasSuffix(".gz") {
            let text = Tree.text(path)
            read += text.isEmpty ? 0 : 1
            for place in places where text.contains(place) {
                // A URL may have such a part: https://example.org/home/…
                let lines = text.split(separator: "\n").filter { $0.contains(place) && !$0.contains("://") }
                #expect(lines.isEmpty, "\(path) names \(place)")
            }
        }
        #expect(read > 300)
    }
}
