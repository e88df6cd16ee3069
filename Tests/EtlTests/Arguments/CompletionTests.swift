import Foundation
import TestSupport
import Testing

@testable import etl

/// Runs a shell; returns its output, or nil if it fails.
private func shell(_ path: String, _ arguments: [String]) throws -> String? {
    let process = try ChildProcess(path, arguments, output: .pipe)
    let bytes = try process.output?.readToEnd() ?? Data()
    return try process.wait().status == 0 ? String(decoding: bytes, as: UTF8.self) : nil
}

private func path(of shell: String) -> String? {
    ["/bin/\(shell)", "/usr/bin/\(shell)"].first { FileManager.default.isExecutableFile(atPath: $0) }
}

@Suite struct CompletionTests {
    /// What bash proposes after these words, the last of which is unfinished.
    private func proposals(_ words: String...) throws -> [String] {
        let bash = try #require(path(of: "bash"))
        let list = words.map(ShellWord.quoted).joined(separator: " ")
        let script =
            Shell.bash.completions(of: Commands.specs)
            + "COMP_WORDS=(etl \(list)); COMP_CWORD=\(words.count); _etl; printf '%s\\n' \"${COMPREPLY[@]}\""
        return try #require(try shell(bash, ["-c", script])).split(separator: "\n").map(String.init)
    }

    @Test(.enabled(if: path(of: "bash") != nil, "needs bash"))
    func `bash proposes what can follow`() throws {
        #expect(try proposals("imp") == ["import"])
        #expect(try proposals("").count == Commands.specs.count)
        #expect(try proposals("catalog", "") == ["build", "info"])
        #expect(try proposals("import", "--repl") == ["--replace"])
        #expect(try proposals("import", "x.csv", "--no-p") == ["--no-progress"])
        #expect(try proposals("jobs", "--color", "") == ["auto", "always", "never"])
        #expect(try proposals("jobs", "--color", "=", "al") == ["always"])
        #expect(try proposals("completion", "z") == ["zsh"])
        #expect(try proposals("isbn", "check", "--qu") == ["--quiet"])
        #expect(try proposals("check", "--se") == ["--set"])
        #expect(try proposals("--v") == ["--version"])
        #expect(try proposals("import", "") == [])
    }

    @Test(.enabled(if: path(of: "zsh") != nil, "needs zsh"))
    func `zsh accepts the script`() throws {
        let zsh = try #require(path(of: "zsh"))
        #expect(try shell(zsh, ["-n", "-c", Shell.zsh.completions(of: Commands.specs)]) != nil)
    }

    @Test(.enabled(if: path(of: "fish") != nil, "needs fish"))
    func `fish accepts the script`() throws {
        let fish = try #require(path(of: "fish"))
        #expect(try shell(fish, ["-n", "-c", Shell.fish.completions(of: Commands.specs)]) != nil)
    }

    @Test(arguments: Shell.allCases)
    func `every command and option is in the script`(shell: Shell) {
        let script = shell.completions(of: Commands.specs)
        for command in Commands.specs.flatMap(\.family) {
            #expect(script.contains(command.name))
            for option in command.options { #expect(script.contains(option.name)) }
        }
        #expect(script.hasSuffix("\n"))
    }

    @Test func `quotes are quoted`() {
        #expect(ShellWord.quoted("it's") == "'it'\\''s'")
    }
}
