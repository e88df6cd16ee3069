import Foundation
import TestSupport
import Testing

/// All text that users see is in Tests/Snapshots, where it can be read and reviewed as a whole.
@Suite struct SnapshotTests {
    /// The headings in a help text that introduce options.
    private static let optionHeadings = ["Reading options", "Run options", "Output options"]

    @Test func `the help of every command is in help.txt`() async throws {
        let folder = try TemporaryFolder()
        var shell = Shell(in: folder.path)
        shell.environment["COLUMNS"] = "80"
        var text = ""
        var seen: [String: String] = [:]
        func show(_ line: String) async throws -> String {
            let outcome = try await shell.run(line)
            text += "\(text.isEmpty ? "" : "\n")$ \(line)\n"
            text += Self.shortened(outcome.output, of: line, seen: &seen)
            if outcome.status != 0 { text += "exit status \(outcome.status)\n" }
            return outcome.output
        }
        /// The help of a command, with all its options if these are more.
        func showAll(_ line: String) async throws -> String {
            let help = try await show(line)
            return help.contains("`\(line) --all`") ? try await show("\(line) --all") : help
        }
        _ = try await show("etl")
        _ = try await show("etl help")
        let commands = Self.commands(in: try await show("etl help --all"))
        #expect(commands.contains("import"))
        for command in commands {
            for sub in Self.subcommands(in: try await showAll("etl help \(command)")) {
                _ = try await showAll("etl help \(command) \(sub)")
            }
        }
        try Snapshot(name: "help.txt").expect(text)
    }

    /// The names in the list of commands of the whole help.
    private static func commands(in help: String) -> [String] {
        names(
            in: help.split(separator: "\n", omittingEmptySubsequences: false)
                .drop { $0 != "Library" }.prefix { $0 != "Exit status" })
    }

    /// The names in the list of subcommands of a command's help.
    private static func subcommands(in help: String) -> [String] {
        names(
            in: help.split(separator: "\n", omittingEmptySubsequences: false)
                .drop { $0 != "Commands" }.prefix { !$0.isEmpty })
    }

    private static func names(in lines: some Sequence<Substring>) -> [String] {
        lines.compactMap { $0.firstMatch(of: #/^  ([a-z][a-z0-9-]*) /#).map { String($0.1) } }
    }

    /// A help text in which a group of options that was shown before is replaced by a reference.
    private static func shortened(_ help: String, of line: String, seen: inout [String: String]) -> String {
        help.components(separatedBy: "\n\n").map { part in
            guard let heading = optionHeadings.first(where: part.hasPrefix) else { return part }
            let key = part.trimmingCharacters(in: .newlines)
            if let first = seen[key] { return "\(heading): as in `\(first)`" + part.dropFirst(key.count) }
            seen[key] = line
            return part
        }.joined(separator: "\n\n")
    }

    @Test func `reports and listings are in reports.txt`() async throws {
        let snapshot = Snapshot(name: "reports.txt")
        try snapshot.expect(try await ShellSession(snapshot.text).played())
    }

    @Test func `the reason codes are in reasons.txt`() async throws {
        let folder = try TemporaryFolder()
        var shell = Shell(in: folder.path)
        shell.environment["COLUMNS"] = "80"
        let outcome = try await shell.run("etl errors --reasons")
        #expect(outcome.status == 0)
        try Snapshot(name: "reasons.txt").expect(outcome.output)
    }

    @Test func `mistakes and failures are in errors.txt`() async throws {
        let snapshot = Snapshot(name: "errors.txt")
        try snapshot.expect(try await ShellSession(snapshot.text).played())
    }

    @Test func `the messages of the source are in messages.txt`() throws {
        try Snapshot(name: "messages.txt").expect(MessageTemplates.listed())
    }

    @Test func `every command is in a session`() async throws {
        let folder = try TemporaryFolder()
        let commands = Self.commands(in: try await Shell(in: folder.path).run("etl help --all").output)
        let lines = ["reports.txt", "errors.txt"].flatMap { ShellSession(Snapshot(name: $0).text).commands }
        for command in commands {
            #expect(lines.contains { $0.contains("etl \(command)") }, "no session has etl \(command)")
        }
    }
}
