import Pipeline

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

/// What an option is, apart from its Swift type: what parsing, help and completion go by.
struct OptionSpec: Sendable {
    /// Where the help lists it.
    enum Group: String, Sendable, Hashable, CaseIterable {
        case command = "Options"
        case reading = "Options of reading"
        case run = "Options of a run"
        case output = "Options of output"
    }

    /// The long spelling, without dashes.
    let name: String
    /// The short spelling, without dash.
    let short: Character?
    /// What stands for the value in the help: `PATH`; nil for a flag, which takes none.
    let placeholder: String?
    /// May be given several times, each time adding; otherwise the last one stands.
    let isRepeatable: Bool
    /// The default as the help tells it; nil where there is none.
    let defaultText: String?
    /// What it does, a sentence without a capital and full stop, as the help lists it.
    let doc: String
    /// The words it takes, where it takes only some.
    let words: [String]
    let group: Group
    /// Refuses a text: what it must be, and advice.
    let check: @Sendable (String) throws(ValueMistake) -> Void
}

/// Why a text is no value of an option or argument.
struct ValueMistake: Error, Sendable, Hashable {
    /// What it must be, to follow "must be".
    let words: String
    let advice: String?

    init(mustBe words: String, advice: String? = nil) {
        self.words = words
        self.advice = advice
    }
}
