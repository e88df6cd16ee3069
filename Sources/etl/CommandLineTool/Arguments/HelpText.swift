/// How much of the help is shown.
enum HelpDepth: Sendable, Hashable {
    /// `-h`: the options that most people need, on one screen.
    case brief
    /// `--help`: examples, what the command does, and the same options.
    case usual
    /// `etl help COMMAND --all`: everything.
    case all

    /// The name of the option that asks for everything.
    static let wholeName = "all"

    /// The depth of `--help` in a command line: with `--all` it is everything.
    init(of line: [String]) { self = line.contains("--\(Self.wholeName)") ? .all : .usual }
}

/// Commands under one heading of the tool's help.
struct HelpSection: Sendable {
    let title: String
    let commands: [CommandSpec]
}

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
    func tool(_ sections: [HelpSection], _ depth: HelpDepth) -> String {
        var lines = wrapped(
            "Import library exports from Goodreads and other programs into one SQLite file", indent: 0)
        lines += ["", "Usage: etl COMMAND [OPTION…] [ARGUMENT…]", ""]
        if depth != .brief {
            lines += examples([
                .init(
                    "etl import goodreads_library_export.csv", "Import a Goodreads export into library.sqlite"
                ),
                .init("etl list", "List the books"),
                .init("etl export --to csv > books.csv", "Write the library as CSV, for a spreadsheet"),
            ])
        }
        let lists = sections.map { section in section.commands.map { (name: $0.name, doc: $0.summary) } }
        // One column for all sections.
        let column = Self.column(of: lists.flatMap { $0 })
        for (section, items) in zip(sections, lists) {
            lines += [emphasize(section.title)] + list(items, column: column) + [""]
        }
        if depth == .all {
            lines += [emphasize("Exit status")]
            lines += list(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }) + [""]
        }
        lines += wrapped(
            "`etl help COMMAND` explains a command. `etl --version` prints the version."
                + (depth == .all ? "" : " `etl help --all` lists all commands and exit statuses."), indent: 0)
        return lines.joined(separator: "\n") + "\n"
    }

    /// Help for a command.
    func command(_ command: CommandSpec, _ depth: HelpDepth) -> String {
        var lines = wrapped(command.summary, indent: 0) + ["", "Usage: \(command.usage)", ""]
        if depth != .brief {
            lines += examples(command.examples)
            let details = depth == .all ? command.details[...] : command.details.prefix(command.usualDetails)
            lines += details.flatMap { wrapped($0, indent: 0) + [""] }
        }
        if !command.subcommands.isEmpty {
            lines += [emphasize("Commands")] + list(command.subcommands.map { ($0.name, $0.summary) }) + [""]
            lines += wrapped("`\(command.line) COMMAND --help` explains a subcommand.", indent: 0)
            return lines.joined(separator: "\n") + "\n"
        }
        if !command.arguments.isEmpty {
            lines += [emphasize("Arguments")] + list(command.arguments.map { ($0.name, $0.doc) }) + [""]
        }
        let shown = depth == .all ? command.options : command.usualOptions
        for group in OptionSpec.Group.allCases where depth != .brief || group != .output {
            let options = shown.filter { $0.group == group }
            guard !options.isEmpty else { continue }
            lines += [emphasize(group.rawValue)]
            let items = options.map { option in
                (option.usage, depth == .brief ? option.doc : option.fullDoc(after: shown))
            }
            lines += list(items) + [""]
        }
        lines += wrapped(further(command, depth, hidden: command.options.count - shown.count), indent: 0)
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Where the rest of a command's help is.
    private func further(_ command: CommandSpec, _ depth: HelpDepth, hidden: Int) -> String {
        let all = "etl help \(command.path.joined(separator: " ")) --all"
        return switch depth {
        case .brief: "`\(command.line) --help` shows examples and details."
        case .usual where hidden > 0: "`\(all)` shows \(HumanText.count(hidden, "more option"))."
        case .usual, .all: ""
        }
    }

    private func examples(_ examples: [CommandSpec.Example]) -> [String] {
        [emphasize("Examples")]
            + examples.flatMap { ["  \(emphasize($0.line))"] + wrapped($0.does, indent: 6) } + [""]
    }

    /// The width of the first column of a list.
    private static func column(of items: [(name: String, doc: String)]) -> Int {
        items.map { TextWidth.columns($0.name) }.filter { $0 <= 24 }.max() ?? 0
    }

    /// Names and descriptions in two columns. A long name gets its own line.
    private func list(_ items: [(name: String, doc: String)], column: Int? = nil) -> [String] {
        let longest = column ?? Self.column(of: items)
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
        guard !text.isEmpty else { return [] }
        let margin = String(repeating: " ", count: indent)
        return TextWidth.wrap(text, at: max(0, width - indent)).map { margin + $0 }
    }
}

extension OptionSpec {
    /// `-q, --quiet` or `--db PATH`.
    var usage: String {
        (short.map { "-\($0), " } ?? "") + "--\(name)" + (placeholder.map { " \($0)" } ?? "")
    }

    /// A list of values is repeated in the help up to this number.
    private static let shortList = 10

    /// The description with the accepted values, the default, and whether it can be repeated.
    ///
    /// - Parameter options: Those of the command. A long list of values is shown with the first that has it.
    func fullDoc(after options: [OptionSpec] = []) -> String {
        var notes: [String] = []
        let first = options.first { $0.words == words && words.count > Self.shortList }
        if let first, first.name != name {
            notes.append("values: as for --\(first.name)")
        } else if !words.isEmpty {
            notes.append("values: \(words.joined(separator: ", "))")
        }
        if let defaultText, !defaultText.isEmpty, defaultText != "[]" {
            notes.append("default: \(defaultText)")
        }
        if isRepeatable { notes.append("can be repeated") }
        return notes.isEmpty ? doc : "\(doc) (\(notes.joined(separator: "; ")))"
    }
}
