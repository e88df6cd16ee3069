import Testing

@testable import CommandLineTool

@Suite struct HelpTextTests {
    private var everyCommand: [CommandSpec] { Commands.specs.flatMap(\.family) }

    @Test func `every command's full help begins with three examples that parse`() {
        for command in everyCommand {
            #expect(command.examples.count == 3, "\(command.line)")
            for example in command.examples where example.line.hasPrefix("etl ") {
                // As a shell would split it, without redirections and pipes.
                let line = example.line.prefix { !"|<>".contains($0) }
                let words = Array(Self.words(of: line).dropFirst())
                do throws(CommandFailure) {
                    _ = try ArgumentParser.parse(words, table: Commands.specs)
                } catch {
                    Issue.record("\(example.line): \(error.message)")
                }
            }
        }
    }

    /// The words of a line, as a shell splits it: blanks between single quotes belong to a word.
    private static func words(of line: Substring) -> [String] {
        var words = [""]
        var isQuoted = false
        for character in line {
            if character == "'" {
                isQuoted.toggle()
            } else if character == " ", !isQuoted {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words.filter { !$0.isEmpty }
    }

    @Test func `every option is in the full help`() {
        for command in everyCommand where command.subcommands.isEmpty {
            let text = HelpText().command(command, .all)
            for option in command.options { #expect(text.contains("--\(option.name)"), "\(command.line)") }
            #expect(text.contains("Usage: \(command.usage)"))
        }
    }

    @Test func `names are unique within a command`() {
        #expect(Set(everyCommand.map(\.line)).count == everyCommand.count)
        for command in everyCommand {
            #expect(Set(command.options.map(\.name)).count == command.options.count, "\(command.line)")
            let short = command.options.compactMap(\.short)
            #expect(Set(short).count == short.count && !short.contains("h"), "\(command.line)")
            #expect(!command.options.contains { ["help", "version"].contains($0.name) }, "\(command.line)")
        }
    }

    @Test func `descriptions are one sentence without a full stop`() {
        for command in everyCommand {
            let docs = command.options.map(\.doc) + command.arguments.map(\.doc) + [command.summary]
            for doc in docs { #expect(!doc.isEmpty && !doc.hasSuffix(".") && !doc.contains("\n"), "\(doc)") }
        }
    }

    @Test(arguments: [40, 80, 100])
    func `help fits the width`(width: Int) {
        for command in everyCommand {
            let text = HelpText(width: width).command(command, .all)
            let usage = "Usage: \(command.usage)"
            for line in text.split(separator: "\n") where line != usage && !line.hasPrefix("  etl ") {
                let isLongWord = line.drop { $0 == " " }.allSatisfy { $0 != " " }
                #expect(isLongWord || TextWidth.columns(String(line)) <= max(width, 60), "\(line)")
            }
        }
    }

    @Test func `short help is shorter and refers to the full help`() {
        let short = HelpText().command(ImportCommand.spec, .brief)
        let full = HelpText().command(ImportCommand.spec, .all)
        #expect(short.count < full.count)
        #expect(short.hasSuffix("`etl import --help` shows examples and details.\n"))
        #expect(full.contains("default: $ETL_DB"))
        #expect(full.contains("repeated"))
    }

    @Test func `help fits two screens, with the examples first, and says where the rest is`() {
        for command in everyCommand {
            let lines = HelpText().command(command, .usual).split(
                separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 61, "\(command.line): \(lines.count)")
            #expect(lines.dropFirst(4).first == "Examples" || lines.dropFirst(5).first == "Examples")
        }
        let text = HelpText().command(ImportCommand.spec, .usual)
        #expect(!text.contains("--max-errors"))
        #expect(text.contains("`etl help import --all` shows"))
        #expect(!HelpText().command(JobsCommand.spec, .usual).contains("--all"))
    }

    @Test func `a command is found by its own name`() {
        for (name, command) in Commands.all { #expect(command.spec.name == name) }
    }

    @Test func `the tool's whole help lists commands and exit statuses`() {
        let text = HelpText().tool(Commands.sections(.all), .all)
        for command in Commands.specs { #expect(text.contains("  \(command.name) "), "\(command.name)") }
        for status in ExitStatus.allCases { #expect(text.contains("  \(status.rawValue) "), "\(status)") }
    }

    @Test func `the tool's help groups the commands, without those for authors of pipelines`() {
        let text = HelpText().tool(Commands.sections(.usual), .usual)
        for group in Commands.groups { #expect(text.contains("\n\(group.title)\n")) }
        let missing = Commands.specs.map(\.name).filter { !text.contains("\n  \($0) ") }
        #expect(Set(missing) == Commands.unlisted)
    }

    @Test func `a former name of a command is no name of another one`() {
        for (name, words) in Commands.renamed {
            #expect(Commands.named(name) == nil && Commands.named(words.first) != nil)
        }
    }
}
