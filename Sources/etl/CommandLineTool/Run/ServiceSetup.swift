import Books
import Contract
import FoundationEssentials
package import Jobs
package import Pipeline
import Queries
import Services
import Sources
import System

/// The services that a run asks, from the command line, the environment, the key file, and the definition and
/// configuration files. Earlier sources in this list override later ones.
///
/// A service is asked if `--providers` names it, or if it is configured: by its key, by its address, or, if
/// it needs no key, by the user's contact. So an import without any configuration asks no service.
package struct ServiceSetup {
    /// The variables that hold keys.
    package static let secrets =
        ServiceDefinition.all.filter(\.access.hasKey).map { variable($0.name, "KEY") } + visionSecrets
    static let contact = "ETL_CONTACT"

    /// The names of all variables for services.
    static let variables: Set<String> = Set(
        secrets + embeddingVariables + visionVariables + [contact]
            + ServiceDefinition.all.flatMap { service in
                ["URL", "RATE", "DAILY", "BATCH"].map { variable(service.name, $0) }
            })

    private let environment: [String: String]
    private let keys: KeyFile
    /// The definition's settings of providers, by name (``ServiceSetting``).
    var definedSettings: [String: Settings] = [:]

    package init(environment: [String: String] = ProcessTexts.environment) throws(CommandFailure) {
        self.environment = environment.filter { !$0.value.isEmpty }
        keys = try KeyFile(self.environment)
    }

    /// Messages about unrecognized lines in the key file.
    var remarks: [String] { keys.remarks }

    /// The path of the key file; nil if there is none.
    var keyFile: String? { keys.path }

    /// The value of a variable, from the environment or else from the key file.
    func value(_ name: String) -> String? { environment[name] ?? keys.values[name] }

    /// Place where a variable is set; nil if it is not set.
    package func origin(of name: String) -> String? {
        environment[name] != nil ? "$\(name)" : keys.values[name] != nil ? keys.path : nil
    }

    /// A value of the configuration as a run uses it, with its origin: a variable overrides files.
    func effective(_ value: EffectiveValue) -> PlanReport.Value {
        let keys = value.path.split(separator: ".").map(String.init)
        guard keys.count == 3, keys[0] == "providers", !value.origin.isOption,
            let variable = Self.variable(keys[1], setting: keys[2]), let override = self.value(variable),
            let origin = origin(of: variable)
        else { return .init(value) }
        // An invalid address may contain a password.
        let isShown = keys[2] != ServiceSetting.baseURL.spec.name || Self.isAddress(override)
        return .init(path: value.path, value: isShown ? override : "(not shown)", origin: origin)
    }

    /// Resolver of each run's settings. Reports wrong settings at once, before anything starts.
    ///
    /// - Parameters:
    ///   - definition: The definition whose settings are checked; a run passes its own.
    ///   - named: The providers to check; nil for all configured ones.
    ///   - required: A provider that every run requires.
    package static func resolver(
        _ definition: PipelineDefinition, named: [String]?, isOffline: Bool, required: String?
    ) throws(CommandFailure) -> ImportRequest.Services {
        var services = try ServiceSetup()
        services.definedSettings = try Definitions.definedSettings(definition)
        _ = try services.settings(named: named, isOffline: isOffline, required: required)
        return { [services] (named, isOffline, definedSettings) throws(ETLError) in
            do throws(CommandFailure) {
                var services = services
                services.definedSettings = definedSettings
                return try services.settings(named: named, isOffline: isOffline, required: required)
            } catch {
                throw ETLError(.configuration, error.message, advice: error.advice)
            }
        }
    }

    /// The settings of a run.
    ///
    /// - Parameters:
    ///   - named: The providers to ask; nil for all configured ones.
    ///   - required: A provider that the run requires.
    package func settings(
        named: [String]?, isOffline: Bool, required: String?
    ) throws(CommandFailure) -> ServiceSettings {
        var settings = ServiceSettings()
        if let required, isOffline, required != Provider.catalogName {
            throw CommandFailure(
                .usage, "`--require \(required)` and `--offline` cannot be combined.",
                advice: "Leave out one of them.")
        }
        if let required, required != Provider.catalogName, let named, !named.contains(required) {
            throw CommandFailure(
                .usage, "`--require \(required)` needs a provider that `--providers` leaves out.",
                advice: "Add it to `--providers`, or leave out one of the two options.")
        }
        for (name, defined) in definedSettings {
            settings.strategies[name] = defined[ServiceSetting.strategy].flatMap {
                LookupStrategy(rawValue: $0)
            }
        }
        guard !isOffline else { return settings }
        settings.contact = value(Self.contact)
        settings.version = Version.current
        settings.environment = environment
        settings.stateFolder = stateFolder
        settings.required = required.map { $0 == Provider.catalogName ? [] : [$0] } ?? []
        // A wrong setting is an error even if the service is not asked.
        for definition in settings.definitions { _ = try configuration(definition) }
        for definition in settings.definitions where definition.isOfBooks {
            let name = definition.name
            let isConfigured = try isConfigured(definition)
            guard named?.contains(name) ?? (isConfigured || required == name) else { continue }
            if definition.access == .requiredKey, key(of: definition) == nil {
                throw CommandFailure(
                    required == name ? .unavailable : .configuration,
                    "\(definition.title) needs a key, and none is set.",
                    advice:
                        "Set \(Self.variable(name, "KEY")), or leave \(name) out of --providers and --require."
                )
            }
            settings.asked[name] = try configuration(definition)
        }
        // People are looked up if books are, unless only offline providers were named.
        let asksForPeople = !settings.isEmpty || named == nil
        for definition in settings.definitions where !definition.isOfBooks && asksForPeople {
            if try isConfigured(definition) {
                settings.asked[definition.name] = try configuration(definition)
            }
        }
        return settings
    }

    /// Whether a service is asked even if it is not named.
    private func isConfigured(_ definition: ServiceDefinition) throws(CommandFailure) -> Bool {
        let hasAddress = try url(definition.name) != nil
        return switch definition.access {
        case .contact: value(Self.contact) != nil || hasAddress
        case .optionalKey: key(of: definition) != nil || hasAddress
        case .requiredKey: key(of: definition) != nil
        }
    }

    private func key(of definition: ServiceDefinition) -> String? {
        definition.access.hasKey ? value(Self.variable(definition.name, "KEY")) : nil
    }

    private func configuration(_ definition: ServiceDefinition) throws(CommandFailure) -> ServiceConfiguration
    {
        let name = definition.name
        let key = key(of: definition)
        var configuration = ServiceConfiguration(
            try url(name).map { ServiceEndpoint($0, isUserConfigured: true, key: key) }
                ?? ServiceEndpoint(definition.address, key: key))
        configuration.rate = try override(ServiceSetting.rate, of: name, rate)
        if definition.takes(ServiceSetting.daily) {
            configuration.daily = try override(ServiceSetting.daily, of: name, number)
        }
        if definition.takes(ServiceSetting.batch) {
            configuration.batch = try override(ServiceSetting.batch, of: name, number)
        }
        return configuration
    }

    /// A setting of a service: from `--set`, else the variable, else the definition or a configuration file.
    ///
    /// - Parameter read: Reads a variable; nil if it is not set.
    private func override<Value>(
        _ setting: Setting<Value?>, of service: String, _ read: (String) throws(CommandFailure) -> Value?
    ) throws(CommandFailure) -> Value? {
        let configured = definedSettings[service].flatMap { $0[setting] }
        let isOption = definedSettings[service]?.origin(of: setting)?.isOption ?? false
        if isOption, let configured { return configured }
        guard let variable = Self.variable(service, setting: setting.spec.name) else { return configured }
        return try read(variable) ?? configured
    }

    func number(_ name: String) throws(CommandFailure) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), (1...1_000_000_000).contains(number) else {
            throw CommandFailure(
                .configuration,
                "Invalid value `\(text)` for \(name): expected a whole number from 1 to 1000000000.")
        }
        return number
    }

    /// The name of a service's variable: `ETL_GOOGLE_BOOKS_URL`.
    static func variable(_ service: String, _ what: String) -> String {
        "ETL_\(service.uppercased().replacing("-", with: "_"))_\(what)"
    }

    /// The variable for a setting under `providers:`; nil if there is none.
    static func variable(_ service: String, setting: String) -> String? {
        ["baseURL": "URL", "rate": "RATE", "daily": "DAILY", "batch": "BATCH"][setting].map {
            variable(service, $0)
        }
    }

    /// Requests per second, such as 3 or 0.5.
    func rate(_ name: String) throws(CommandFailure) -> Double? {
        guard let text = value(name) else { return nil }
        guard let rate = Double(text), (0.001...100_000).contains(rate) else {
            throw CommandFailure(
                .configuration,
                "Invalid value `\(text)` for \(name): expected requests per second, from 0.001 to 100000.")
        }
        return rate
    }

    private static let address = ServiceSetting.baseURL.spec.kind

    /// Whether a text is a valid address. An invalid one is never shown, because it may contain a password.
    static func isAddress(_ text: String) -> Bool { (try? address.parse(text)) != nil }

    /// The address that the user set for a service; nil for the default one.
    private func url(_ service: String) throws(CommandFailure) -> String? {
        try override(ServiceSetting.baseURL, of: service) { (variable) throws(CommandFailure) in
            guard let url = value(variable) else { return nil }
            guard Self.isAddress(url) else {
                throw CommandFailure(
                    .configuration, "Invalid value for \(variable): expected \(Self.address.words).")
            }
            return url
        }
    }

    /// The folder for the state of rate limits: `$XDG_STATE_HOME/etl`, else `~/.local/state/etl`.
    private var stateFolder: String? {
        if let state = environment["XDG_STATE_HOME"] { return state + "/etl" }
        return environment["HOME"].map { $0 + "/.local/state/etl" }
    }

    /// The folder for data that can be fetched again: `$XDG_CACHE_HOME/etl`, else `~/.cache/etl`.
    var cacheFolder: String? {
        if let cache = environment["XDG_CACHE_HOME"] { return cache + "/etl" }
        return environment["HOME"].map { $0 + "/.cache/etl" }
    }
}
