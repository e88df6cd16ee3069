import Pipeline

/// A command as users see it. Argument parsing, help and shell completion all use this table.
struct CommandSpec: Sendable {
    /// A command line, and a short caption.
    struct Example: Sendable {
        let line: String
        let does: String

        init(_ line: String, _ does: String) {
            self.line = line
            self.does = does
        }
    }

    /// The words that name it: `["catalog", "build"]`.
    let path: [String]
    /// What it does, in the imperative, on one line without a period: `List the jobs of a store`.
    let summary: String
    /// The description, one paragraph per element.
    let details: [String]
    let arguments: [ArgumentSpec]
    /// Its options. The initializer adds ``GlobalOptions``.
    let options: [OptionSpec]
    let examples: [Example]
    /// Subcommands. If there are any, one of them must be given.
    let subcommands: [CommandSpec]
    /// Checks the combination of options and arguments. Returns what is wrong with it, or nil.
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
    /// The command as typed: `etl catalog build`.
    var line: String { (["etl"] + path).joined(separator: " ") }

    /// The usage line.
    var usage: String {
        if !subcommands.isEmpty { return "\(line) \(subcommands.map(\.name).joined(separator: "|")) …" }
        return ([line, "[OPTION…]"] + arguments.map(\.usage)).joined(separator: " ")
    }

    /// The option with a long name.
    func option(named name: String) -> OptionSpec? { options.first { $0.name == name } }
    /// The option with a short name.
    func option(short: Character) -> OptionSpec? { options.first { $0.short == short } }
}

/// An option without its Swift type, for parsing, help and completion.
struct OptionSpec: Sendable {
    /// The heading under which the help lists it.
    enum Group: String, Sendable, Hashable, CaseIterable {
        case command = "Options"
        case reading = "Reading options"
        case run = "Run options"
        case output = "Output options"
    }

    /// The long spelling, without dashes.
    let name: String
    /// The short spelling, without dash.
    let short: Character?
    /// The placeholder of the value in the help: `PATH`; nil for a flag, which takes no value.
    let placeholder: String?
    /// Whether it can be repeated to give several values. Otherwise the last value counts.
    let isRepeatable: Bool
    /// The default as the help shows it; nil if there is none.
    let defaultText: String?
    /// What it does: a short phrase for the help, without a period.
    let doc: String
    /// The values it accepts; empty if it accepts any text.
    let words: [String]
    let group: Group
    /// Throws if a text is not a valid value.
    let check: @Sendable (String) throws(ValueMistake) -> Void
}

/// Why a text is not a valid value of an option or argument.
struct ValueMistake: Error, Sendable, Hashable {
    /// What it must be, to complete "must be …".
    let words: String
    let advice: String?

    init(mustBe words: String, advice: String? = nil) {
        self.words = words
        self.advice = advice
    }
}
