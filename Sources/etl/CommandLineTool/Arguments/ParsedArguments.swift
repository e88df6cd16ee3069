import Bytes

/// The options and arguments of a command line, checked.
///
/// Access is typed and cannot fail, because ``ArgumentParser`` has checked every value.
package struct ParsedArguments: Sendable, Hashable {
    /// The words that named the command: `["catalog", "build"]`.
    package let command: [String]
    private let options: [String: [String]]
    private let arguments: [String: [String]]

    package init(command: [String], options: [String: [String]] = [:], arguments: [String: [String]] = [:]) {
        self.command = command
        self.options = options
        self.arguments = arguments
    }

    /// The value of an option; its default if it was not given.
    package subscript<Value>(_ option: Option<Value>) -> Value {
        option.read(options[option.spec.name] ?? [])
    }

    /// The value of an argument.
    package subscript<Value>(_ argument: Argument<Value>) -> Value {
        argument.read(arguments[argument.spec.name] ?? [])
    }

    /// The values given for an option, as typed.
    func texts(of option: OptionSpec) -> [String] { options[option.name] ?? [] }

    /// Whether an option was given explicitly.
    func isExplicit<Value>(_ option: Option<Value>) -> Bool { options[option.spec.name] != nil }
}

/// An argument without its Swift type.
struct ArgumentSpec: Sendable {
    /// Number of words that it takes.
    enum Arity: Sendable, Hashable {
        case one, optional
        /// All remaining words, at least this many.
        case many(atLeast: Int)
    }

    /// The placeholder in usage and help: `FILE`.
    let name: String
    let arity: Arity
    /// Description for the help: a short phrase, without a period.
    let doc: String
    /// The accepted words; empty if any text is accepted.
    let words: [String]
    /// Whether its words are, or can be, paths of files.
    var isPath: Bool { canBePath || PathPlaceholder.contains(name) }
    /// Whether its words can be paths although its name says something else.
    var canBePath = false

    /// The form in the usage line.
    var usage: String {
        switch arity {
        case .one: name
        case .optional: "[\(name)]"
        case .many(let least): least == 0 ? "[\(name)…]" : "\(name)…"
        }
    }
}

/// The placeholders of paths. Only paths can have bytes that are not UTF-8.
enum PathPlaceholder {
    private static let all: Set = [
        "PATH", "FILE", "FILE|-", "FILE|none", "FOLDER", "DIR", "DUMP", "CATALOG", "PIPELINE.yaml",
    ]

    static func contains(_ placeholder: String) -> Bool { all.contains(placeholder) }
}

/// An argument of a command, declared once and typed.
package struct Argument<Value: Sendable>: Sendable {
    let spec: ArgumentSpec
    /// The value from its words.
    let read: @Sendable ([String]) -> Value
}

extension Argument<String> {
    /// The same argument, for the name of a library.
    func composed() -> Argument { Argument(spec: spec) { [read] in read($0).normalized(.c) } }

    /// A required word.
    static func one(_ name: String, of words: [String] = [], _ doc: String) -> Argument {
        // The parser has checked that there is one.
        Argument(spec: ArgumentSpec(name: name, arity: .one, doc: doc, words: words)) { $0.first ?? "" }
    }
}

extension Argument<String?> {
    /// An optional word.
    ///
    /// - Parameter canBePath: Whether it can be the path of a file, whatever its name says.
    static func optional(_ name: String, canBePath: Bool = false, _ doc: String) -> Argument {
        Argument(
            spec: ArgumentSpec(name: name, arity: .optional, doc: doc, words: [], canBePath: canBePath)
        ) { $0.first }
    }
}

extension Argument<[String]> {
    /// All remaining words.
    static func many(_ name: String, atLeast least: Int = 0, _ doc: String) -> Argument {
        Argument(spec: ArgumentSpec(name: name, arity: .many(atLeast: least), doc: doc, words: [])) { $0 }
    }
}
