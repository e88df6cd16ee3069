/// A command as users see it: the one table from which its arguments are parsed, its help printed and its
/// words completed.
struct CommandSpec: Sendable {
    /// A command line that does something useful, and what.
    struct Example: Sendable {
        let line: String
        let does: String

        init(_ line: String, _ does: String) {
            self.line = line
            self.does = does
        }
    }

    /// The words that call it: `["catalog", "build"]`.
    let path: [String]
    /// What it does, in one line without capital and full stop.
    let summary: String
    /// More about it, a paragraph each.
    let details: [String]
    let arguments: [ArgumentSpec]
    /// Its own options and those it shares; ``GlobalOptions`` come by themselves.
    let options: [OptionSpec]
    let examples: [Example]
    /// Commands below it; one of them must be named.
    let subcommands: [CommandSpec]
    /// What the words say together that none says alone: nil, or what is wrong with it.
    let objection: @Sendable (ParsedArguments) -> String?

    init(
        _ path: String..., summary: String, details: [String] = [], arguments: [ArgumentSpec] = [],
        options: [OptionSpec] = [], examples: [Example], subcommands: [CommandSpec] = [],
        objection: @escaping @Sendable (ParsedArguments) -> String? = { _ in nil }
    ) {
        self.path = path
        self.summary = summary
        self.details = details
        self.arguments = arguments
        self.options = options + GlobalOptions.all
        self.examples = examples
        self.subcommands = subcommands
        self.objection = objection
    }

    /// The last of its words.
    var name: String { path.last ?? "" }
    /// The line that calls it: `etl catalog build`.
    var line: String { (["etl"] + path).joined(separator: " ") }

    /// How it is called, in one line.
    var usage: String {
        if !subcommands.isEmpty { return "\(line) \(subcommands.map(\.name).joined(separator: "|")) …" }
        return ([line, "[OPTION…]"] + arguments.map(\.usage)).joined(separator: " ")
    }

    /// The option of a long name.
    func option(named name: String) -> OptionSpec? { options.first { $0.name == name } }
    /// The option of a short name.
    func option(short: Character) -> OptionSpec? { options.first { $0.short == short } }
}
