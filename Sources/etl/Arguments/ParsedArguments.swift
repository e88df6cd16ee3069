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
