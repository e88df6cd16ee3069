import System

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
    /// Description in the imperative, on one line without a period: `List the jobs of a store`.
    let summary: String
    /// The description, one paragraph per element.
    let details: [String]
    let arguments: [ArgumentSpec]
    /// Its options. The initializer adds ``GlobalOptions``, and ``ListingOptions`` if it is paged.
    let options: [OptionSpec]
    let examples: [Example]
    /// Subcommands. If there are any, one of them must be given, or follow from the words (``shorthand``).
    let subcommands: [CommandSpec]
    /// The name of the subcommand that the words behind the command mean, if they begin with none; nil if they
    /// mean none. Options and their values are not among the words.
    let shorthand: @Sendable ([String]) -> String?
    /// Options without which the command does nothing; the usage line shows them.
    let required: [OptionSpec]
    /// The names of the options that `--help` shows, for a command with more than fit one screen; nil for all.
    /// `etl help COMMAND --all` shows the others too.
    private let usual: Set<String>?
    /// Whether its output is paged on a terminal if it is longer than the screen.
    let isPaged: Bool
    /// Checks the combination of options and arguments. Returns what is wrong with it, or nil.
    let objection: @Sendable (ParsedArguments) -> Objection?

    init(
        _ path: String..., summary: String, details: [String] = [], arguments: [ArgumentSpec] = [],
        options: [OptionSpec] = [], requiring required: [OptionSpec] = [],
        showing usual: [OptionSpec]? = nil, examples: [Example],
        subcommands: [CommandSpec] = [], isPaged: Bool = false,
        objection: @escaping @Sendable (ParsedArguments) -> Objection? = { _ in nil },
        shorthand: @escaping @Sendable ([String]) -> String? = { _ in nil }
    ) {
        self.path = path
        self.summary = summary
        self.details = details
        self.arguments = arguments
        self.options = options + (isPaged ? [ListingOptions.noPager.spec] : []) + GlobalOptions.all
        self.isPaged = isPaged
        self.required = required
        self.usual = usual.map { Set($0.map(\.name)) }
        self.examples = examples
        self.subcommands = subcommands
        self.shorthand = shorthand
        self.objection = objection
    }

    /// The last of its words.
    var name: String { path.last ?? "" }
    /// The command as typed: `etl catalog build`.
    var line: String { (["etl"] + path).joined(separator: " ") }

    /// The usage line.
    var usage: String {
        if !subcommands.isEmpty { return "\(line) \(subcommands.map(\.name).joined(separator: "|")) …" }
        let words =
            [line]
            + required.map { option in "--\(option.name)" + (option.placeholder.map { " \($0)" } ?? "") } + [
                "[OPTION…]"
            ] + arguments.map(\.usage)
        return words.joined(separator: " ")
    }

    /// The options that `--help` shows.
    var usualOptions: [OptionSpec] {
        guard let usual else { return options }
        return options.filter { usual.contains($0.name) }
    }
    /// The number of paragraphs of ``details`` that `--help` shows.
    var usualDetails: Int { usual == nil ? details.count : 1 }

    /// The option with a long name.
    func option(named name: String) -> OptionSpec? {
        options.first { $0.name == name } ?? options.first { $0.formerName == name }
    }
    /// The option with a short name.
    func option(short: Character) -> OptionSpec? { options.first { $0.short == short } }
}

/// Why options and arguments cannot be combined, or which one is missing.
struct Objection: Sendable, Hashable, ExpressibleByStringInterpolation {
    let message: String
    let advice: UserText?
    /// Whether the usage line helps.
    let showsUsage: Bool

    init(_ message: String, advice: UserText? = nil, showsUsage: Bool = false) {
        self.message = message
        self.advice = advice
        self.showsUsage = showsUsage
    }

    /// A message that says what to do.
    init(stringLiteral message: String) { self.init(message) }

    /// A command lacks an argument or option.
    static func needs(_ line: String, _ what: String) -> Objection {
        Objection("`\(line)` needs \(what).", showsUsage: true)
    }
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
    /// Description for the help: a short phrase, without a period.
    let doc: String
    /// The values it accepts; empty if it accepts any text.
    let words: [String]
    let group: Group
    /// A long spelling of earlier versions. It goes on working, but the help does not show it.
    var formerName: String?
    /// Whether its value is the path of a file, which cannot be empty.
    var isPath: Bool { placeholder.map(PathPlaceholder.contains) ?? false }
    /// Whether it can be given without a value.
    var isValueOptional: Bool { placeholder.map { $0.hasPrefix("[") && $0.hasSuffix("]") } ?? false }
    /// Throws if a text is not a valid value.
    let check: @Sendable (String) throws(ValueMistake) -> Void
}

/// Why a text is not a valid value of an option or argument.
struct ValueMistake: Error, Sendable, Hashable {
    /// The problem, without a full stop: `expected a whole number`.
    let reason: String
    let advice: String?

    init(_ reason: String, advice: String? = nil) {
        self.reason = reason
        self.advice = advice
    }

    /// - Parameter words: Requirement, to complete "expected …".
    init(mustBe words: String, advice: String? = nil) { self.init("expected \(words)", advice: advice) }
}
