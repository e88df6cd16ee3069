/// Origin of a value, for errors and the effective configuration.
package enum ValueOrigin: Sendable, Hashable, CustomStringConvertible {
    /// It is the built-in default.
    case builtIn
    /// In a file. Line and column count from 1; columns are characters.
    case file(String, line: Int, column: Int)
    /// On the command line, with the option as written.
    case option(String)
    /// In an environment variable with this name.
    case environment(String)

    /// Whether it was set on the command line, which overrides everything else.
    package var isOption: Bool { if case .option = self { true } else { false } }

    /// The origin in messages and the effective configuration: `default`, `file:line:column`, `$NAME`, or the
    /// option as written.
    package var description: String {
        switch self {
        case .builtIn: "default"
        case .file(let name, let line, let column): "\(name):\(line):\(column)"
        case .option(let text): text
        case .environment(let name): "$\(name)"
        }
    }
}

extension ValueOrigin: Comparable {
    /// Defaults first, then files from top to bottom, then the environment, then options.
    package static func < (a: ValueOrigin, b: ValueOrigin) -> Bool {
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

/// One line of the effective configuration: a value and its origin.
package struct EffectiveValue: Sendable, Hashable, CustomStringConvertible {
    /// The path for `--set`, such as `stages.LookUpBooks.settings.providers`.
    package let path: String
    /// The value as written in a definition.
    package let value: String
    /// Origin: file, option, environment, or default.
    package let origin: ValueOrigin

    /// `path = value  # origin`
    package var description: String { "\(path) = \(value)  # \(origin)" }
}
