import Foundation

/// Where things are, by options, then environment, then custom.
enum DefaultPaths {
    private static let usualStore = "library.sqlite"

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The results store: `--db`, `$ETL_DB`, else `library.sqlite` here.
    static func store(_ arguments: ParsedArguments, _ option: Option<String?> = StoreOptions.db) -> String {
        arguments[option] ?? environment["ETL_DB"].flatMap { $0.isEmpty ? nil : $0 } ?? usualStore
    }

    /// The user's folder of keys and configuration: `$XDG_CONFIG_HOME/etl`, else `~/.config/etl`; nil where neither is
    /// known. An empty variable says nothing.
    static func configurationFolder(_ environment: [String: String]) -> String? {
        func said(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        return (said("XDG_CONFIG_HOME") ?? said("HOME").map { $0 + "/.config" }).map { $0 + "/etl" }
    }

    /// What a command about a store carries, where it is not the one that every command takes: ` --db PATH`.
    static func option(store: String) -> String { store == usualStore ? "" : " --db \(ShellWord.of(store))" }

    /// The catalogs: those of `--catalog`, else those of `$ETL_CATALOG`, with colons between them.
    static func catalogs(_ named: [String]) -> [String] {
        guard named.isEmpty else { return named }
        return (environment["ETL_CATALOG"] ?? "").split(separator: ":").map(String.init)
    }
}
