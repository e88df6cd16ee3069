import Foundation
import TestSupport
import Testing

/// A text file that reads like a session in a terminal: headings, comments, commands and their output.
///
///     == Import ==
///     A comment after a heading.
///
///     $ etl import library.csv
///     its output
///     exit status 65
///
/// The file is both the script and the expected result: its commands are run, and the outputs are compared.
struct ShellSession: Sendable {
    private enum Part: Sendable {
        /// A heading or comment.
        case text(String)
        case command(String)
    }

    private static let prompt = "$ "
    private static let heading = "== "

    private let parts: [Part]

    /// - Parameter text: A session. What follows a command up to the next command or heading is its output,
    ///   and is ignored.
    init(_ text: String) {
        var parts: [Part] = []
        var isOutput = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix(Self.prompt) {
                parts.append(.command(String(line.dropFirst(Self.prompt.count))))
                isOutput = true
            } else if line.hasPrefix(Self.heading) {
                parts.append(.text(String(line)))
                isOutput = false
            } else if !isOutput {
                parts.append(.text(String(line)))
            }
        }
        self.parts = parts
    }

    /// The commands, without the prompt.
    var commands: [String] {
        parts.compactMap { part in if case .command(let line) = part { line } else { nil } }
    }

    /// Runs the commands in an empty folder with a link to Pipelines, and returns the session with their
    /// output.
    ///
    /// Waiting for a thread of the pool after each command would take minutes while all tests run, and some
    /// output depends on such pauses.
    func played() async throws -> String { try await Shell.onOwnThread { try playAndWait() } }

    private func playAndWait() throws -> String {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("Pipelines"), withDestinationPath: Tree.root.appending(path: "Pipelines").path
        )
        var shell = Shell(in: folder.path)
        shell.environment["COLUMNS"] = "100"
        var text = ""
        var previous: Part?
        for part in parts {
            switch part {
            case .text(let line):
                if line.hasPrefix(Self.heading), previous != nil { text += "\n" }
                text += line + "\n"
            case .command(let line):
                if previous != nil { text += "\n" }
                let outcome = try shell.runAndWait(line)
                text += Self.prompt + line + "\n" + Replacement.all(outcome.output, folder: folder.path)
                if !text.hasSuffix("\n") { text += "\n" }
                if outcome.status != 0 { text += "exit status \(outcome.status)\n" }
            }
            previous = part
        }
        return text
    }
}

@Suite struct ShellSessionTests {
    @Test func `commands are run and their output is replaced`() async throws {
        let old = "Title\n== Part ==\nComment.\n$ echo one\nold output\n\n$ exit 3\n== Last ==\n\n$ :\n"
        let session = ShellSession(old)
        #expect(session.commands == ["echo one", "exit 3", ":"])
        let played = try await session.played()
        #expect(
            played == """
                Title

                == Part ==
                Comment.

                $ echo one
                one

                $ exit 3
                exit status 3

                == Last ==

                $ :

                """)
        #expect(try await ShellSession(played).played() == played)
    }
}
