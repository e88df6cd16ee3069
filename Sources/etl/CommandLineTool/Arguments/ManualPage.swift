/// A manual page in roff, from the same table that parses and prints help: `etl help --man`.
struct ManualPage {
    /// Text after the name in the page's footer: `etl 0.1.0`.
    let version: String

    /// The page of the tool, `etl(1)`.
    func tool(_ table: [CommandSpec]) -> String {
        var page = head("etl", summary: "import book-library exports into one SQLite file")
        page +=
            section("SYNOPSIS")
            + line("\\fBetl\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...")
        page += section("COMMANDS")
        for command in Self.leaves(table) {
            page += item(bold(command.line) + "(1)", text(Self.sentence(command.summary)))
        }
        page += section("EXIT STATUS")
        for status in ExitStatus.allCases { page += item(bold("\(status.rawValue)"), text(status.meaning)) }
        return page + seeAlso(Self.leaves(table))
    }

    /// The page of a command, `etl-catalog-build(1)`; of one with commands below it, a list of them.
    func command(_ command: CommandSpec) -> String {
        var page = head(command.page, summary: command.summary)
        page +=
            section("SYNOPSIS")
            + line(bold(command.line) + text(String(command.usage.dropFirst(command.line.count))))
        if !command.details.isEmpty {
            page += section("DESCRIPTION") + command.details.map { line(text($0)) }.joined(separator: ".PP\n")
        }
        if !command.arguments.isEmpty {
            page += section("ARGUMENTS")
            for argument in command.arguments { page += item(italic(argument.name), text(argument.doc)) }
        }
        for group in OptionSpec.Group.allCases {
            let options = command.options.filter { $0.group == group }
            guard !options.isEmpty else { continue }
            page += section(group.rawValue.uppercased())
            for option in options { page += item(bold(option.usage), text(option.fullDoc())) }
        }
        if !command.examples.isEmpty {
            page += section("EXAMPLES")
            for example in command.examples {
                page +=
                    line(text(Self.sentence(example.does)))
                    + ".PP\n.EX\n    \(text(example.line))\n.EE\n.PP\n"
            }
        }
        return page + seeAlso(command.subcommands)
    }

    /// Every command that can be called, those below others included, in the order of the help.
    static func leaves(_ table: [CommandSpec]) -> [CommandSpec] {
        table.flatMap { $0.subcommands.isEmpty ? [$0] : leaves($0.subcommands) }
    }

    // MARK: Roff

    private func head(_ name: String, summary: String) -> String {
        """
        .TH \(name.uppercased()) 1 "" "etl \(version)" "etl"
        .SH NAME
        \(text(name)) \\- \(text(summary))

        """
    }

    private func section(_ title: String) -> String { ".SH \(title)\n" }

    private func item(_ term: String, _ words: String) -> String { ".TP\n\(term)\n\(words)\n" }

    private func line(_ words: String) -> String { words + "\n" }

    private func bold(_ words: String) -> String { "\\fB\(text(words))\\fR" }

    private func italic(_ words: String) -> String { "\\fI\(text(words))\\fR" }

    private func seeAlso(_ commands: [CommandSpec]) -> String {
        let pages = commands.isEmpty ? ["etl"] : commands.map(\.page)
        return section("SEE ALSO") + line(pages.map { "\(bold($0))(1)" }.joined(separator: ", "))
    }

    /// A text that roff prints as it is: backslashes escaped, hyphens that can be copied, no request at a line's start.
    private func text(_ words: String) -> String {
        let escaped = words.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing(
            "`", with: "\\(ga")
        return escaped.first == "." || escaped.first == "'" ? "\\&" + escaped : escaped
    }

    private static func sentence(_ words: String) -> String {
        words.prefix(1).uppercased() + words.dropFirst()
    }
}

extension CommandSpec {
    /// The name of its manual page: `etl-catalog-build`.
    var page: String { (["etl"] + path).joined(separator: "-") }
}
