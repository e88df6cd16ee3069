import Bytes
import Pipeline

/// An option of a command, declared once and typed: `arguments[ImportCommand.limit]` is an `Int?`.
///
/// The declaration is a ``Setting``, the type that pipeline definitions use too. So `--limit` and a `limit:`
/// in a definition are parsed, checked and explained alike.
package struct Option<Value: Sendable>: Sendable {
    let spec: OptionSpec
    /// The option as it is typed: `--tokens`.
    package var spelling: String { "--\(spec.name)" }
    /// The value from the given texts, in their order; the default if there are none.
    let read: @Sendable ([String]) -> Value

    private init(_ spec: OptionSpec, read: @escaping @Sendable ([String]) -> Value) {
        self.spec = spec
        self.read = read
    }

    /// An option with a value.
    ///
    /// - Parameters:
    ///   - placeholder: The placeholder of the value in the help.
    ///   - defaultText: The default in words, if it is not a fixed value.
    init(
        _ setting: Setting<Value>, _ placeholder: String, short: Character? = nil, defaultText: String? = nil,
        in group: OptionSpec.Group = .command
    ) {
        let kind = setting.spec.kind
        self.init(
            OptionSpec(
                name: setting.spec.name, short: short, placeholder: placeholder, isRepeatable: false,
                defaultText: defaultText
                    ?? (setting.spec.default == .absent ? nil : setting.spec.defaultText),
                doc: setting.spec.doc, words: kind.choices, group: group,
                check: { (text) throws(ValueMistake) in _ = try kind.value(text) })
        ) { texts in
            guard let text = texts.last, let value = try? kind.value(text) else { return setting.fallback }
            return setting.read(value) ?? setting.fallback
        }
    }

    /// The same option, with a value that is converted after it was checked.
    private func converted(_ convert: @escaping @Sendable (Value) -> Value) -> Option {
        Option(spec) { [read] in convert(read($0)) }
    }

    /// The same option, which was called otherwise in earlier versions.
    func formerly(_ name: String) -> Option {
        var spec = spec
        spec.formerName = name
        return Option(spec, read: read)
    }

    /// The same option, for the name of a library: its letters are composed, so that names which look alike are one library.
    func composed() -> Option where Value == String { converted { $0.normalized(.c) } }

    /// The same option, for the name of a library.
    func composed() -> Option where Value == String? { converted { $0?.normalized(.c) } }

    /// An option with a value of its own grammar; nil if it is not given.
    ///
    /// - Parameters:
    ///   - requirement: Requirement, to complete "expected …".
    ///   - words: The accepted words, if the value is a list of words separated by commas.
    ///   - explain: Error of an invalid text, if more is known than the requirement.
    static func parsed<Wrapped: Sendable>(
        _ name: String, _ placeholder: String, mustBe requirement: String, of words: [String] = [],
        _ doc: String,
        defaultText: String? = nil, in group: OptionSpec.Group = .command,
        explain: @escaping @Sendable (String) -> ValueMistake? = { _ in nil },
        parse: @escaping @Sendable (String) -> Wrapped?
    ) -> Option where Value == Wrapped? {
        Option(
            OptionSpec(
                name: name, short: nil, placeholder: placeholder, isRepeatable: false,
                defaultText: defaultText,
                doc: doc, words: words, group: group,
                check: { (text) throws(ValueMistake) in
                    guard parse(text) == nil else { return }
                    if let mistake = explain(text) { throw mistake }
                    let unknown = text.split(separator: ",").map(String.init).first { !words.contains($0) }
                    // The message lists all words, so only a misspelling is corrected: it rarely changes the
                    // first letter.
                    let nearest = unknown.flatMap { unknown in
                        Spelling.nearest(to: unknown, among: words).flatMap {
                            $0.first == unknown.first ? $0 : nil
                        }
                    }
                    throw ValueMistake(
                        mustBe: requirement, advice: nearest.map { "Did you mean `\($0)`?" })
                })
        ) { $0.last.flatMap(parse) }
    }
}

extension Option<Bool> {
    /// An option without a value: on if it is given.
    static func flag(
        _ name: String, short: Character? = nil, _ doc: String, in group: OptionSpec.Group = .command
    ) -> Option {
        Option(
            OptionSpec(
                name: name, short: short, placeholder: nil, isRepeatable: false, defaultText: nil, doc: doc,
                words: [], group: group, check: { (_) throws(ValueMistake) in })
        ) { !$0.isEmpty }
    }
}

extension Option<[String]> {
    /// An option that can be repeated, with one value each time.
    static func repeated(
        _ name: String, _ placeholder: String, of words: [String] = [], _ doc: String,
        defaultText: String? = nil,
        in group: OptionSpec.Group = .command
    ) -> Option {
        let kind = words.isEmpty ? SettingKind.text : .choice(words)
        return Option(
            OptionSpec(
                name: name, short: nil, placeholder: placeholder, isRepeatable: true,
                defaultText: defaultText,
                doc: doc, words: words, group: group,
                check: { (text) throws(ValueMistake) in _ = try kind.value(text) })
        ) { $0 }
    }
}

extension SettingKind {
    /// The value of a text that the user typed.
    func value(_ text: String) throws(ValueMistake) -> SettingValue {
        do {
            return try parse(text)
        } catch {
            throw ValueMistake(mustBe: words, advice: error.advice)
        }
    }

    /// The accepted words; empty if any text is accepted.
    var choices: [String] {
        switch self {
        case .choice(let words), .list(of: let words): words
        case .flag: ["true", "false"]
        default: []
        }
    }
}

/// When to use colour.
enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}

/// The options that every command has.
enum GlobalOptions {
    static let color = Option(
        .choice("color", default: ColorChoice.auto, "When to use color; NO_COLOR is respected"), "WHEN",
        in: .output)
    static let quiet = Option.flag(
        "quiet", short: "q", "Print only errors, and the output you asked for", in: .output)
    static let verbose = Option.flag("verbose", short: "v", "Print more details", in: .output)
    static let noProgress = Option.flag("no-progress", "Do not show progress", in: .output)

    static let all = [color.spec, quiet.spec, verbose.spec, noProgress.spec]
}

/// The options of commands whose output can be longer than a screen.
enum ListingOptions {
    static let noPager = Option.flag(
        "no-pager", "Do not use $PAGER for long output", in: .output)
}
