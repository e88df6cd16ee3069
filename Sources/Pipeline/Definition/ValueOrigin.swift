/// Where a value was said: what an error points at and what the effective configuration shows.
public enum ValueOrigin: Sendable, Hashable, CustomStringConvertible {
    /// Nowhere: it is the built-in default.
    case builtIn
    /// In a file. Line and column count from 1, the column in characters.
    case file(String, line: Int, column: Int)
    /// On the command line, the option as it was written.
    case option(String)
    /// In an environment variable of this name.
    case environment(String)

    /// Whether it was said on the command line, which goes before all else.
    package var isOption: Bool { if case .option = self { true } else { false } }

    /// As messages and the effective configuration name it: `default`, `file:line:column`, `$NAME`, or the
    /// option as it
    /// was written.
    public var description: String {
        switch self {
        case .builtIn: "default"
        case .file(let name, let line, let column): "\(name):\(line):\(column)"
        case .option(let text): text
        case .environment(let name): "$\(name)"
        }
    }
}

extension ValueOrigin: Comparable {
    /// In the order in which a reader would go through them: a file from its top, then the environment, then
    /// options.
    public static func < (a: ValueOrigin, b: ValueOrigin) -> Bool {
        switch (a, b) {
        case (.file(let fileA, let lineA, let columnA), .file(let fileB, let lineB, let columnB)):
            (fileA, lineA, columnA) < (fileB, lineB, columnB)
        default:
            (a.rank, a.description) < (b.rank, b.description)
        }
    }

    private var rank: Int {
        switch self {
        case .builtIn: 0
        case .file: 1
        case .environment: 2
        case .option: 3
        }
    }
}

/// One line of the effective configuration: a value a run goes by, and who said so.
public struct EffectiveValue: Sendable, Hashable, CustomStringConvertible {
    /// The path that `--set` takes: `stages.LookUpBooks.settings.providers`.
    public let path: String
    /// The value as a definition would spell it.
    public let value: String
    /// Who said so: the definition, an option, the environment, or nobody.
    public let origin: ValueOrigin

    /// `path = value  # origin`
    public var description: String { "\(path) = \(value)  # \(origin)" }
}
