/// Help, from the same table that parses: a pure rendering of a width.
struct HelpText {
    /// Columns to fill.
    let width: Int
    /// Makes headings and command lines stand out; plain text where nothing does.
    let emphasize: (String) -> String

    init(width: Int = 80, emphasize: @escaping (String) -> String = { $0 }) {
        self.width = min(max(width, 40), 100)
        self.emphasize = emphasize
    }

    /// Help on the tool.
    func tool(_ table: [CommandSpec], isFull: Bool) -> String {
        var lines = ["Imports book-library exports, enriches them and keeps them in one SQLite file.", ""]
        lines += ["Usage: etl COMMAND [OPTION…] [ARGUMENT…]", ""]
        if isFull {
            lines += examples([
                .init(
                    "etl import goodreads_library_export.csv", "import a Goodreads export into library.sqlite"
                ),
                .init("etl resume", "go on where the last run stopped"),
                .init("etl export --what books --format csv > books.csv", "take the books out again"),
            ])
        }
        lines += [emphasize("Commands")] + list(table.map { ($0.name, $0.summary) }) + [""]
        if isFull {
            lines += [emphasize("Exit status")]
            lines += list(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }) + [""]
        }
        lines += ["`etl help COMMAND` tells more of a command, `etl --version` the version."]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Help on a command.
    func command(_ command: CommandSpec, isFull: Bool) -> String {
        var lines = wrapped("\(command.line): \(command.summary)", indent: 0) + [""]
        if isFull { lines += examples(command.examples) }
        lines += ["Usage: \(command.usage)", ""]
        if isFull { lines += command.details.flatMap { wrapped($0, indent: 0) + [""] } }
        if !command.subcommands.isEmpty {
            lines += [emphasize("Commands")] + list(command.subcommands.map { ($0.name, $0.summary) }) + [""]
            lines += ["`\(command.line) COMMAND --help` tells more of each."]
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
        if !isFull { lines += ["`\(command.line) --help` tells more, examples first."] }
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }

    private func examples(_ examples: [CommandSpec.Example]) -> [String] {
        [emphasize("Examples")]
            + examples.flatMap { ["  \(emphasize($0.line))"] + wrapped($0.does, indent: 6) } + [""]
    }

    /// Names in one column, what they are in the next; a long name has a line of its own.
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

    /// A text broken at blanks.
    private func wrapped(_ text: String, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + TextWidth.columns(line) + 1 + TextWidth.columns(String(word)) > width {
                lines.append(margin + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [margin + line]
    }
}

extension OptionSpec {
    /// `-q, --quiet` or `--db PATH`.
    var usage: String {
        (short.map { "-\($0), " } ?? "") + "--\(name)" + (placeholder.map { " \($0)" } ?? "")
    }

    /// The doc with the words it takes, the default and how often.
    fileprivate var fullDoc: String {
        var text = doc
        if !words.isEmpty { text += ": \(words.joined(separator: ", "))" }
        var notes: [String] = []
        if let defaultText, !defaultText.isEmpty, defaultText != "[]" {
            notes.append("default: \(defaultText)")
        }
        if isRepeatable { notes.append("can be repeated") }
        return notes.isEmpty ? text : "\(text) (\(notes.joined(separator: "; ")))"
    }
}
