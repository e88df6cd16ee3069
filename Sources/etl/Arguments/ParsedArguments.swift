import Pipeline

/// The words of a command line, sorted, counted and checked.
///
/// Access is typed and has no failure: ``ArgumentParser`` let nothing through that an ``Option`` or
/// ``Argument`` cannot read.
struct ParsedArguments: Sendable, Hashable {
    /// The words that named the command: `["catalog", "build"]`.
    let command: [String]
    private let options: [String: [String]]
    private let arguments: [String: [String]]

    init(command: [String], options: [String: [String]] = [:], arguments: [String: [String]] = [:]) {
        self.command = command
        self.options = options
        self.arguments = arguments
    }

    /// The value of an option; its default when it was not given.
    subscript<Value>(_ option: Option<Value>) -> Value { option.read(options[option.spec.name] ?? []) }

    /// The value of an argument.
    subscript<Value>(_ argument: Argument<Value>) -> Value {
        argument.read(arguments[argument.spec.name] ?? [])
    }

    /// The values that were given for an option, as they were typed.
    func texts(of option: OptionSpec) -> [String] { options[option.name] ?? [] }

    /// Whether an option was given, rather than its default standing.
    func isGiven<Value>(_ option: Option<Value>) -> Bool { options[option.spec.name] != nil }
}

/// What an argument is, apart from its Swift type.
struct ArgumentSpec: Sendable {
    /// How many words it takes.
    enum Arity: Sendable, Hashable {
        case one, optional
        /// All that are left; at least so many.
        case many(atLeast: Int)
    }

    /// What stands for it in usage and help: `FILE`.
    let name: String
    let arity: Arity
    /// What it is, for the help.
    let doc: String
    /// The words it can be, where it can be only some.
    let words: [String]

    /// How the usage line shows it.
    var usage: String {
        switch arity {
        case .one: name
        case .optional: "[\(name)]"
        case .many(let least): least == 0 ? "[\(name)…]" : "\(name)…"
        }
    }
}

/// An argument of a command: a word that is no option, declared once and typed.
struct Argument<Value: Sendable>: Sendable {
    let spec: ArgumentSpec
    /// The value from its words.
    let read: @Sendable ([String]) -> Value
}

extension Argument<String> {
    /// A word that must be there.
    static func one(_ name: String, of words: [String] = [], _ doc: String) -> Argument {
        // Parsing has seen to it that there is one.
        Argument(spec: ArgumentSpec(name: name, arity: .one, doc: doc, words: words)) { $0.first ?? "" }
    }
}

extension Argument<String?> {
    /// A word that may be there.
    static func optional(_ name: String, _ doc: String) -> Argument {
        Argument(spec: ArgumentSpec(name: name, arity: .optional, doc: doc, words: [])) { $0.first }
    }
}

extension Argument<[String]> {
    /// All the words that are left.
    static func many(_ name: String, atLeast least: Int = 0, _ doc: String) -> Argument {
        Argument(spec: ArgumentSpec(name: name, arity: .many(atLeast: least), doc: doc, words: [])) { $0 }
    }
}
