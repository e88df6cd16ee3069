import Jobs
import Pipeline
import Store
import System

/// The options of commands that read a store.
package enum StoreOptions {
    static let db = store(in: .command)
    static let job = Option.parsed(
        "job", "NAME", mustBe: JobName.words, "Name of the job", defaultText: "the newest job",
        parse: JobName.parse)
    package static let json = Option.flag("json", "Print JSON instead of text")

    /// `--json` of a command that prints nothing else.
    static let alwaysJSON = Option.flag("json", "Print JSON, as without this option")

    /// Why `--json` cannot be combined with a format; nil if it can.
    static func objection<Format: Equatable>(
        _ arguments: ParsedArguments, to format: Option<Format>, besides json: Format
    ) -> Objection? {
        arguments[Self.json] && arguments.isExplicit(format) && arguments[format] != json
            ? Objection("`--json` means `--to json`.", advice: "Leave out one of them.") : nil
    }

    /// The job, as an argument.
    static let jobArgument = Argument.optional(
        "JOB", "Name of the job, its beginning, or a number such as j12 (default: the newest job)")

    /// The option that names the store.
    static func store(in group: OptionSpec.Group) -> Option<String?> {
        Option(
            .text("db", "Store to use, an SQLite file"), "PATH", defaultText: "$ETL_DB, or library.sqlite",
            in: group)
    }
}

extension JobName {
    static let words = "up to 64 letters, digits, `.`, `_` and `-`, starting with a letter or digit"

    /// The name if it is valid, else nil.
    static func parse(_ text: String) -> String? { isValid(text) ? text : nil }
}

/// The paths of files and folders: from an option, else the environment, else the default.
package enum DefaultPaths {
    private static let defaultStore = "library.sqlite"

    /// The store: `--db`, else `$ETL_DB`, else `library.sqlite` in the current directory.
    package static func store(_ arguments: ParsedArguments, _ option: Option<String?> = StoreOptions.db)
        -> String
    {
        arguments[option] ?? usualStore
    }

    /// The store that a path which does not exist may mean.
    package static func similarStore(to path: String) -> String? { StoreFile.similar(to: path) }

    /// The folder of the user's keys and configuration: `$XDG_CONFIG_HOME/etl`, else `~/.config/etl`; nil if
    /// neither variable is set. An empty variable counts as not set.
    package static func configurationFolder(_ environment: [String: String]) -> String? {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        return (variable("XDG_CONFIG_HOME") ?? variable("HOME").map { $0 + "/.config" }).map { $0 + "/etl" }
    }

    /// The option ` --db PATH` for a command about a store; empty for the store that the command uses without it.
    package static func option(store: String) -> String {
        store == usualStore ? "" : " --db \(ShellWord.of(store))"
    }

    /// The store without `--db`.
    private static var usualStore: String {
        ProcessTexts.variable("ETL_DB").flatMap { $0.isEmpty ? nil : $0 } ?? defaultStore
    }

    /// The catalogs: those of `--catalog`, else those in `$ETL_CATALOG`, separated by colons.
    package static func catalogs(_ named: [String]) -> [String] {
        guard named.isEmpty else { return named }
        return (ProcessTexts.variable("ETL_CATALOG") ?? "").split(separator: ":").map(String.init)
    }
}
