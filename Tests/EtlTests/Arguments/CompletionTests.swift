import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

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
    /// Bash's proposals after these words, the last of which is unfinished.
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

    /// Types into a zsh at a pseudo terminal, presses Tab and prints what the terminal shows. Its arguments: the folder of
    /// the script, what is typed, and a text to wait for, 30 seconds at most.
    private static let zshAtATerminal = #"""
        zmodload zsh/zpty
        folder=$1; typed=$2; wanted=$3
        out=
        await() {
            local piece end=$(( SECONDS + 30 ))
            while [[ $out != *$1* ]] && (( SECONDS < end )); do
                if zpty -rt z piece; then out+=$piece; else sleep 0.05; fi
            done
        }
        zpty z zsh -f -i
        zpty -w z "PS1=; stty -echo; fpath=($folder \$fpath); autoload -Uz compinit; compinit -u -D"
        zpty -w z "unsetopt automenu; LISTMAX=999; stty columns 200 rows 500; echo read''y"
        await ready
        out=
        zpty -wn z "$typed"$'\t'
        await $wanted
        print -r -- $out
        """#

    /// Whether zsh shows a text once Tab is pressed behind a line.
    private func zsh(shows wanted: String, behind line: String) throws -> Bool {
        let zsh = try #require(path(of: "zsh"))
        let folder = try TemporaryFolder()
        _ = try folder.write(Array(Shell.zsh.completions(of: Commands.specs).utf8), to: "_etl")
        let script = try folder.write(Array(Self.zshAtATerminal.utf8), to: "terminal.zsh")
        return try #require(try shell(zsh, ["-f", script, folder.path, line, wanted])).contains(wanted)
    }

    @Test(.enabled(if: path(of: "zsh") != nil, "needs zsh"))
    func `zsh proposes what can follow`() throws {
        #expect(try zsh(shows: "inspect", behind: "etl inspe"))
        #expect(try zsh(shows: "info", behind: "etl catalog "))
        #expect(try zsh(shows: "--replace", behind: "etl import --repl"))
    }

    @Test(.enabled(if: path(of: "fish") != nil, "needs fish"))
    func `fish proposes what can follow`() throws {
        let fish = try #require(path(of: "fish"))
        let folder = try TemporaryFolder()
        let script = try folder.write(Array(Shell.fish.completions(of: Commands.specs).utf8), to: "etl.fish")
        func proposals(_ line: String) throws -> [String] {
            let answer = try shell(
                fish, ["--no-config", "-c", "source \(script) 2>&1; complete -C '\(line)' 2>&1"])
            return try #require(answer).split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        }
        #expect(try proposals("etl imp") == ["import"])
        #expect(try Set(proposals("etl ")) == Set(Commands.specs.map(\.name)))
        #expect(try proposals("etl catalog ") == ["build", "info"])
        #expect(try proposals("etl import --repl") == ["--replace"])
        #expect(try proposals("etl jobs --color a") == ["always", "auto"])
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

    @Test func `a word with a quote is quoted for a shell`() {
        #expect(ShellWord.quoted("it's") == "'it'\\''s'")
    }
}
