import Foundation
import Pipeline
import Stages

/// Which services a run asks, from the command line, the environment and the file of keys.
///
/// A service is asked when it is named with `--providers`, or when it is configured: by its key, by its address, or,
/// where it wants no key, by the operator's contact. So a plain import asks nobody.
struct Services {
    /// The services of books, by their names, with the variables that configure them.
    static let names = ["openlibrary", "google-books", "isbndb"]

    private let environment: [String: String]
    private let keys: [String: String]

    init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(CommandFailure) {
        self.environment = environment.filter { !$0.value.isEmpty }
        keys = try Self.keys(in: self.environment)
    }

    /// The settings of a run.
    ///
    /// - Parameters:
    ///   - named: The providers that were named; nil: all that are configured.
    ///   - required: One that the run must not go without.
    func settings(
        named: [String]?, isOffline: Bool, required: String?
    ) throws(CommandFailure) -> ServiceSettings {
        var settings = ServiceSettings()
        if let required, isOffline, required != "catalog" {
            throw CommandFailure(.usage, "--require \(required) and --offline exclude each other.")
        }
        if let required, required != "catalog", let named, !named.contains(required) {
            throw CommandFailure(
                .usage, "--require \(required) was given, and --providers does not name it.",
                advice: "Name it there too, or leave out one of the two.")
        }
        guard !isOffline else { return settings }
        settings.contact = value("ETL_CONTACT")
        settings.version = Tool.version
        settings.environment = environment
        settings.stateFolder = stateFolder
        settings.required = required.map { $0 == "catalog" ? [] : [$0] } ?? []
        func isAsked(_ name: String, _ configured: Bool) -> Bool {
            named?.contains(name) ?? (configured || required == name)
        }
        if isAsked("openlibrary", settings.contact != nil || value("ETL_OPENLIBRARY_URL") != nil) {
            settings.openLibrary = try address("ETL_OPENLIBRARY_URL", "https://openlibrary.org")
        }
        let googleKey = value("ETL_GOOGLE_BOOKS_KEY")
        if isAsked("google-books", googleKey != nil || value("ETL_GOOGLE_BOOKS_URL") != nil) {
            settings.googleBooks = try address(
                "ETL_GOOGLE_BOOKS_URL", "https://www.googleapis.com/books/v1", key: googleKey)
        }
        let isbndbKey = value("ETL_ISBNDB_KEY")
        if isAsked("isbndb", isbndbKey != nil) {
            guard let isbndbKey else {
                throw CommandFailure(
                    .configuration, "ISBNdb is asked with a key, and there is none.",
                    advice: "Set ETL_ISBNDB_KEY, or leave isbndb out of --providers.")
            }
            settings.isbndb = try address("ETL_ISBNDB_URL", "https://api2.isbndb.com", key: isbndbKey)
        }
        let asksBooks = settings.openLibrary ?? settings.googleBooks ?? settings.isbndb
        if asksBooks != nil || named == nil, settings.contact != nil || value("ETL_WIKIDATA_URL") != nil {
            settings.wikidata = try address("ETL_WIKIDATA_URL", "https://www.wikidata.org")
        }
        settings.googleCallsADay = try number("ETL_GOOGLE_BOOKS_DAILY") ?? 1_000
        settings.isbndbADay = try number("ETL_ISBNDB_DAILY")
        settings.isbndbBatch = try number("ETL_ISBNDB_BATCH") ?? 100
        for name in Self.names + ["wikidata"] { settings.rates[name] = try rate(Self.variable(name, "RATE")) }
        return settings
    }

    private func value(_ name: String) -> String? { environment[name] ?? keys[name] }

    private func number(_ name: String) throws(CommandFailure) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), (1...1_000_000_000).contains(number) else {
            throw CommandFailure(.configuration, "\(name) must be a number above 0.")
        }
        return number
    }

    /// The variable that sets something of a service: `ETL_GOOGLE_BOOKS_URL`.
    static func variable(_ service: String, _ what: String) -> String {
        "ETL_\(service.uppercased().replacing("-", with: "_"))_\(what)"
    }

    /// Requests a second: 3, or 0.5.
    private func rate(_ name: String) throws(CommandFailure) -> Double? {
        guard let text = value(name) else { return nil }
        guard let rate = Double(text), (0.001...100_000).contains(rate) else {
            throw CommandFailure(
                .configuration, "\(name) must be a number of requests a second, from 0.001 to 100000.")
        }
        return rate
    }

    private func address(
        _ variable: String, _ usual: String, key: String? = nil
    ) throws(CommandFailure) -> ServiceAddress {
        guard let url = value(variable) else { return ServiceAddress(usual, key: key) }
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw CommandFailure(
                .configuration, "\(variable) is not an address that begins with http:// or https://.")
        }
        return ServiceAddress(url, isOperators: true, key: key)
    }

    /// Where the state of pace is kept: `$XDG_STATE_HOME/etl`, else `~/.local/state/etl`.
    private var stateFolder: String? {
        if let state = environment["XDG_STATE_HOME"] { return state + "/etl" }
        return environment["HOME"].map { $0 + "/.local/state/etl" }
    }

    /// The keys of `$XDG_CONFIG_HOME/etl/keys`, lines of `NAME=value`. A file that others can read is refused.
    private static func keys(in environment: [String: String]) throws(CommandFailure) -> [String: String] {
        let folder = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { $0 + "/.config" }
        guard let path = folder.map({ $0 + "/etl/keys" }), access(path, F_OK) == 0 else { return [:] }
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & 0o077 == 0 else {
            throw CommandFailure(
                .configuration, "\(path) can be read by others.", advice: "Run: chmod 600 \(path)")
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandFailure(.configuration, "\(path) cannot be read as text.")
        }
        var keys: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            if parts.count == 2, !parts[1].isEmpty { keys[parts[0]] = parts[1] }
        }
        return keys
    }
}
