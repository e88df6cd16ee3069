import Foundation
import System
import TestSupport
import Testing

@testable import CommandLineTool

/// Names of files that are not UTF-8, in arguments and variables.
@Suite struct ProcessTextsTests {
    private static func variables(_ texts: [UInt8]...) -> [String: String] { ProcessTexts.variables(texts) }

    private static let broken = Array("lib".utf8) + [0xFF] + Array(".sqlite".utf8)

    @Test func `variables keep all bytes, and the first of a name counts`() {
        let variables = Self.variables(
            Array("ETL_DB=".utf8) + Self.broken, Array("ETL_DB=other".utf8), Array("A=b=c".utf8),
            Array("x".utf8))
        #expect(variables == ["ETL_DB": "lib\u{10FEFF}.sqlite", "A": "b=c"])
        #expect(ProcessTexts.failure(variables) == nil)
    }

    @Test func `a variable that is sent to services is refused, and its value is not shown`() {
        let failure = ProcessTexts.failure(Self.variables(Array("ETL_CONTACT=".utf8) + Self.broken))
        #expect(failure?.message == "The variable ETL_CONTACT is not UTF-8 text.")
        #expect(failure?.status == .usage)
        #expect(ProcessTexts.failure(Self.variables(Array("LS_COLORS=".utf8) + Self.broken)) == nil)
    }

    @Test func `why a key file cannot be read decides the exit status`() throws {
        for (code, status) in [(ENOENT, ExitStatus.missing), (EACCES, .permission), (EIO, .inputOutput)] {
            #expect(KeyFile.failure(of: "keys", code).status == status)
        }
        let folder = try TemporaryFolder()
        #expect(chmod(folder.path, 0o700) == 0)
        let failure = #expect(throws: CommandFailure.self) { try KeyFile([KeyFile.variable: folder.path]) }
        #expect(failure?.message.contains("is a folder, not a file") == true)
    }

    @Test func `only arguments that name files can have other bytes`() throws {
        for line in [
            ["jobs", "a\u{10FEFF}"], ["search", "a\u{10FEFF}"], ["import", "--job=\u{10FEFF}", "x.csv"],
        ] {
            #expect(throws: CommandFailure.self) { try ArgumentParser.parse(line, table: Commands.specs) }
        }
        guard
            case .run(_, let arguments) = try ArgumentParser.parse(
                ["import", "--db=\u{10FEFF}", "a\u{10FEE9}"], table: Commands.specs)
        else {
            Issue.record("not parsed")
            return
        }
        #expect(arguments[RunOptions.db] == "\u{10FEFF}" && arguments[ImportCommand.files] == ["a\u{10FEE9}"])
    }

    @Test func `every file or folder of the command line can have such a name`() {
        let all = Commands.specs.flatMap { [$0] + $0.subcommands }
        for command in all {
            for option in command.options where !option.isPath {
                let words = option.placeholder ?? ""
                #expect(
                    !words.contains(/FILE|PATH$|FOLDER|DIR$|yaml/),
                    "--\(option.name) \(words) of \(command.line)")
            }
            for argument in command.arguments where !argument.isPath {
                #expect(
                    !argument.name.contains(/FILE|PATH|FOLDER|DIR|yaml|DUMP|CATALOG/),
                    "\(argument.name) of \(command.line)")
            }
        }
    }

    @Test func `a shell reads the name that messages advise`() throws {
        let word = ShellWord.of("it's \u{10FEE9}\\.csv")
        #expect(word == "$'it\\x27s \\xe9\\x5c.csv'")
        #expect(ShellWord.of("a\nb") == "$'a\\x0ab'" && ShellWord.of("a\u{202E}b") == "$'a\\xe2\\x80\\xaeb'")
        let folder = try TemporaryFolder()
        let script = try folder.write("printf %s \(word) | od -An -tx1", to: "script")
        let printed = try BuiltTool.shell("bash \(script)")
        #expect(printed.output.filter { !$0.isWhitespace } == "69742773" + "20e95c2e637376")
    }
}
