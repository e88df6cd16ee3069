import Foundation
import Pipeline

/// The options of commands that look into a results store.
enum StoreOptions {
    static let db = store(in: .command)
    static let job = Option.parsed(
        "job", "ID", mustBe: JobName.words, "the job meant", defaultText: "the last one", parse: JobName.parse
    )
    static let json = Option.flag("json", "JSON on standard output instead of text")

    /// The job a command is about, as its argument.
    static let jobArgument = Argument.optional(
        "JOB", "the job, by its id or the beginning of it; the last one, if not given")

    /// The option that names the store; an empty name is none.
    static func store(in group: OptionSpec.Group) -> Option<String?> {
        .parsed(
            "db", "PATH", mustBe: "the path of a file", "results store (SQLite)",
            defaultText: "$ETL_DB, else library.sqlite here", in: group, parse: { $0.isEmpty ? nil : $0 })
    }
}

/// The name of a job: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`, so that it is safe in a path, an address and a log.
enum JobName {
    static let words = "up to 64 letters, digits, `.`, `_` and `-`, a letter or digit first"

    /// The name itself; nil when it is none.
    static func parse(_ text: String) -> String? {
        let isPlain = text.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): index > 0
            default: false
            }
        }
        return isPlain && (1...64).contains(text.utf8.count) ? text : nil
    }
}

/// Where things are, by options, then environment, then custom.
enum DefaultPaths {
    private static let defaultStore = "library.sqlite"

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The results store: `--db`, `$ETL_DB`, else `library.sqlite` here.
    static func store(_ arguments: ParsedArguments, _ option: Option<String?> = StoreOptions.db) -> String {
        arguments[option] ?? environment["ETL_DB"].flatMap { $0.isEmpty ? nil : $0 } ?? defaultStore
    }

    /// The user's folder of keys and configuration: `$XDG_CONFIG_HOME/etl`, else `~/.config/etl`; nil where neither is
    /// known. An empty variable says nothing.
    static func configurationFolder(_ environment: [String: String]) -> String? {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        return (variable("XDG_CONFIG_HOME") ?? variable("HOME").map { $0 + "/.config" }).map { $0 + "/etl" }
    }

    /// What a command about a store carries, where it is not the one that every command takes: ` --db PATH`.
    static func option(store: String) -> String {
        store == defaultStore ? "" : " --db \(ShellWord.of(store))"
    }

    /// The catalogs: those of `--catalog`, else those of `$ETL_CATALOG`, with colons between them.
    static func catalogs(_ named: [String]) -> [String] {
        guard named.isEmpty else { return named }
        return (environment["ETL_CATALOG"] ?? "").split(separator: ":").map(String.init)
    }
}
