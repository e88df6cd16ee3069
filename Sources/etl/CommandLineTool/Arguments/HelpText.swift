/// Renders help from the table that also parses the command line.
struct HelpText {
    /// The columns available.
    let width: Int
    /// Emphasizes headings and command lines; returns plain text without a terminal.
    let emphasize: (String) -> String

    init(width: Int = 80, emphasize: @escaping (String) -> String = { $0 }) {
        self.width = min(max(width, 40), 100)
        self.emphasize = emphasize
    }

    /// Help for the tool.
    func tool(_ table: [CommandSpec], isFull: Bool) -> String {
        var lines = wrapped(
            "Import library exports from Goodreads and other programs into one SQLite file", indent: 0)
        lines.append("")
        lines += ["Usage: etl COMMAND [OPTION…] [ARGUMENT…]", ""]
        lines += [emphasize("Commands")] + list(table.map { ($0.name, $0.summary) }) + [""]
        if isFull {
            lines += [emphasize("Exit status")]
            lines += list(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }) + [""]
            lines += examples([
                .init(
                    "etl import goodreads_library_export.csv", "Import a Goodreads export into library.sqlite"
                ),
                .init("etl resume", "Continue where the newest job stopped"),
                .init("etl export --format csv > books.csv", "Write the library as CSV, for a spreadsheet"),
            ])
        }
        lines += wrapped(
            "`etl help COMMAND` explains a command. `etl --version` prints the version.", indent: 0)
        return lines.joined(separator: "\n") + "\n"
    }

    /// Help for a command.
    func command(_ command: CommandSpec, isFull: Bool) -> String {
        var lines = wrapped(command.summary, indent: 0) + [""]
        lines += ["Usage: \(command.usage)", ""]
        if isFull { lines += command.details.flatMap { wrapped($0, indent: 0) + [""] } }
        if !command.subcommands.isEmpty {
            lines += [emphasize("Commands")] + list(command.subcommands.map { ($0.name, $0.summary) }) + [""]
            if isFull { lines += examples(command.examples) }
            lines += wrapped("`\(command.line) COMMAND --help` explains a subcommand.", indent: 0)
            return lines.joined(separator: "\n") + "\n"
        }
        if !command.arguments.isEmpty {
            lines += [emphasize("Arguments")] + list(command.arguments.map { ($0.name, $0.doc) }) + [""]
        }
        for group in OptionSpec.Group.allCases where isFull || group != .output {
            let options = command.options.filter { $0.group == group }
            guard !options.isEmpty else { continue }
            lines +=
                [emphasize(group.rawValue)] + list(options.map { ($0.usage, isFull ? $0.fullDoc : $0.doc) })
                + [""]
        }
        if isFull { lines += examples(command.examples) }
        if !isFull { lines += wrapped("`\(command.line) --help` shows examples and details.", indent: 0) }
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }

    private func examples(_ examples: [CommandSpec.Example]) -> [String] {
        [emphasize("Examples")]
            + examples.flatMap { ["  \(emphasize($0.line))"] + wrapped($0.does, indent: 6) } + [""]
    }

    /// Names and descriptions in two columns. A long name gets its own line.
    private func list(_ items: [(name: String, doc: String)]) -> [String] {
        let longest = items.map { TextWidth.columns($0.name) }.filter { $0 <= 24 }.max() ?? 0
        return items.flatMap { name, doc in
            let columns = TextWidth.columns(name)
            var lines = wrapped(doc, indent: longest + 4)
            guard columns <= longest else { return ["  \(name)"] + lines }
            let first = lines.isEmpty ? "" : lines.removeFirst().drop { $0 == " " }
            return ["  \(name)\(String(repeating: " ", count: longest - columns + 2))\(first)"] + lines
        }
    }

    /// The text in lines with an indentation.
    private func wrapped(_ text: String, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        return TextWidth.wrap(text, at: max(0, width - indent)).map { margin + $0 }
    }
}

extension OptionSpec {
    /// `-q, --quiet` or `--db PATH`.
    var usage: String {
        (short.map { "-\($0), " } ?? "") + "--\(name)" + (placeholder.map { " \($0)" } ?? "")
    }

    /// The description with the accepted values, the default, and whether it can be repeated.
    var fullDoc: String {
        var notes: [String] = []
        if !words.isEmpty { notes.append("values: \(words.joined(separator: ", "))") }
        if let defaultText, !defaultText.isEmpty, defaultText != "[]" {
            notes.append("default: \(defaultText)")
        }
        if isRepeatable { notes.append("can be repeated") }
        return notes.isEmpty ? doc : "\(doc) (\(notes.joined(separator: "; ")))"
    }
}
