import Foundation
import TestSupport
import Testing

/// The documentation is correct: its shell lines run, its tables match the commands.
@Suite struct ReadmeTests {
    /// The fenced blocks of a language, each with its lines.
    private func blocks(_ language: String, of path: String) -> [[Substring]] {
        var blocks: [[Substring]] = []
        var open: [Substring]?
        for line in Tree.text(path).split(separator: "\n", omittingEmptySubsequences: false) {
            if let block = open {
                if line == "```" { blocks.append(block) }
                open = line == "```" ? nil : block + [line]
            } else if line == "```\(language)" {
                open = []
            }
        }
        return blocks
    }

    /// Pages with shell lines that are run.
    private static let pages =
        ["README.md", "Pipelines/README.md", "Pipelines/mappings/README.md"]
        + Tree.names(in: "docs").filter { !Self.withoutShellLines.contains($0) }.map { "docs/" + $0 }
    private static let withoutShellLines: Set = [
        "adding-a-format.md", "architecture.md", "asking-services.md", "contract.md", "figures.md",
        "glossary.md", "photos.md",
    ]

    @Test func `README can be read in three minutes`() {
        #expect(Tree.text("README.md").split(whereSeparator: \.isWhitespace).count <= 600)
    }

    @Test(arguments: pages)
    func `the shell lines run as written, one after the other`(file: String) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("Pipelines"), withDestinationPath: Tree.root.appending(path: "Pipelines").path
        )
        let shell = Shell(in: folder.path)
        // `make` is left to continuous integration and DemoTests: it builds and takes minutes.
        let lines = blocks("sh", of: file).flatMap { $0 }.filter { !$0.hasPrefix("make ") && !$0.isEmpty }
        #expect(!lines.isEmpty)
        for line in lines {
            let outcome = try await shell.run(String(line))
            #expect(outcome.status == 0, "\(line)\n\(outcome.output)")
        }
    }

    @Test func `the first two commands are make demo and make test`() {
        let commands = blocks("sh", of: "README.md").first?.map { $0.prefix { $0 != "#" }.trimmed }
        #expect(commands == ["make demo", "make test"])
    }

    @Test func `the tests named in README exist`() {
        let names = Set(Tree.tests.map { String($0.name) })
        let named = Tree.text("README.md").matches(of: #/`(\w+Tests)`/#).map { String($0.1) }
            .filter { !Tree.names(in: "Tests").contains($0) }
        #expect(named.count >= 3)
        for name in named { #expect(names.contains(name), "README names \(name)") }
    }

    @Test func `docs/imports.md lists exactly the commands in the help`() async throws {
        let folder = try TemporaryFolder()
        let help = try await Shell(in: folder.path).run("etl help --all").output
        let section =
            help.split(separator: "\nLibrary\n").dropFirst().first?.split(separator: "Exit status").first
            ?? ""
        let commands = Set(
            section.split(separator: "\n").compactMap { $0.firstMatch(of: #/^  ([a-z]+) /#)?.1 })
        #expect(commands.contains("import"))
        let table = Tree.text("docs/imports.md").split(separator: "\n").filter { $0.hasPrefix("| `etl ") }
        let documented = Set(
            table.flatMap { line in
                (line.split(separator: "|").first ?? "").matches(of: #/`etl ([a-z]+)`/#).map(\.1)
            })
        #expect(documented == commands)
    }
}

extension Substring {
    /// Without leading and trailing spaces.
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
