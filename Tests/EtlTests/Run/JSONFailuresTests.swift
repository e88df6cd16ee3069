import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// Programs that ask for JSON get JSON when a command fails.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct JSONFailuresTests {
    /// All commands and subcommands with `--json`.
    private static let commands = Commands.specs.flatMap { [$0] + $0.subcommands }
        .filter { $0.subcommands.isEmpty && $0.option(named: "json") != nil }

    private static func envelope(_ ending: BuiltTool.Ending, _ line: [String]) throws {
        #expect(ending.status != 0, "\(line)")
        let object = try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
        let envelope = try #require(object, "\(line): \(ending.output)")
        #expect(envelope["success"] as? Bool == false && envelope["data"] is NSNull, "\(line)")
        let error = try #require(envelope["error"] as? [String: Any], "\(line)")
        let message = try #require(error["message"] as? String, "\(line)")
        #expect(ending.errors.contains(message), "\(line): the same sentence is on standard error")
        #expect(error["code"] is String && error["retryable"] is Bool, "\(line)")
    }

    @Test func `a wrong command line is answered with an envelope by every command`() throws {
        #expect(Self.commands.count >= 15)
        for command in Self.commands {
            let line = command.path + ["--json", "--no-such-option"]
            try Self.envelope(try BuiltTool.ending(line), line)
        }
    }

    /// Arguments that parse, and name a store, file or catalog that does not exist.
    private static func missing(_ command: CommandSpec, in folder: TemporaryFolder) -> [String]? {
        let file = folder.file("none.csv")
        let store = ["--db", folder.file("none.sqlite")]
        return switch command.path.joined(separator: " ") {
        case "import", "plan", "inspect", "check", "catalog info": [file]
        case "run": ["\(ProjectFiles.root)/Pipelines/csv_import.yaml", file]
        case "catalog build": ["--out", folder.file("c.sqlite"), file]
        case "explain": store + ["9780441172719"]
        case "search isbn": store + ["9780441172719"]
        case "search title", "search author": store + ["dune"]
        case "search advanced": store + ["--title", "dune"]
        case "genres": store + ["--unmapped"]
        // These need nothing that could be missing, or report what is missing.
        case "stages", "doctor": nil
        default: store
        }
    }

    @Test func `something missing is answered with an envelope by every command`() throws {
        let folder = try TemporaryFolder()
        for command in Self.commands {
            guard let missing = Self.missing(command, in: folder) else { continue }
            let line = command.path + ["--json"] + missing
            let ending = try BuiltTool.ending(line)
            // A definition that cannot be read is reported as a list of problems.
            guard command.path != ["check"] else { continue }
            try Self.envelope(ending, line)
        }
    }
}
