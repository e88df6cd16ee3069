import Application
import Books
import Foundation
import Pipeline
import Services

/// Which services a run asks, from the command line, the environment, the file of keys, and what definitions and
/// configuration files say of providers: of two that say the same, the one named first here has the last word.
///
/// A service is asked when it is named with `--providers`, or when it is configured: by its key, by its address, or,
/// where it wants no key, by the operator's contact. So a plain import asks nobody.
struct ServiceSetup {
    /// The variables that hold keys.
    static let secrets = ServiceDefinition.all.filter(\.access.hasKey).map { variable($0.name, "KEY") }
    static let contact = "ETL_CONTACT"

    /// All that a run is told of services, by the names of variables.
    static let variables: Set<String> = Set(
        secrets + [contact, "ETL_GEMINI_KEY"]
            + ServiceDefinition.all.flatMap { service in
                ["URL", "RATE", "DAILY", "BATCH"].map { variable(service.name, $0) }
            })

    private let environment: [String: String]
    private let keys: KeyFile
    /// What a definition says of providers, by their names (``ServiceSetting``).
    var providerSettings: [String: Settings] = [:]

    init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(CommandFailure) {
        self.environment = environment.filter { !$0.value.isEmpty }
        keys = try KeyFile(self.environment)
    }

    /// What is wrong with the file of keys, one sentence each.
    var remarks: [String] { keys.remarks }

    /// Where the file of keys is; nil where there is none.
    var keyFile: String? { keys.path }

    /// What a variable says, in the environment or in the file of keys.
    func value(_ name: String) -> String? { environment[name] ?? keys.values[name] }

    /// Who sets a variable; nil where nobody does.
    func origin(of name: String) -> String? {
        environment[name] != nil ? "$\(name)" : keys.values[name] != nil ? keys.path : nil
    }

    /// A value of the configuration as a run goes by it, and who says so: a variable says otherwise of a service than
    /// files do.
    func inForce(_ value: EffectiveValue) -> PlanReport.Value {
        let keys = value.path.split(separator: ".").map(String.init)
        guard keys.count == 3, keys[0] == "providers", !value.origin.isOption,
            let variable = Self.variable(keys[1], setting: keys[2]), let override = self.value(variable),
            let origin = origin(of: variable)
        else { return .init(value) }
        // An address that is refused may hold a password.
        let isShown = keys[2] != ServiceSetting.baseURL.spec.name || Self.isAddress(override)
        return .init(path: value.path, value: isShown ? override : "(not shown)", origin: origin)
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
        settings.contact = value(Self.contact)
        settings.version = Version.current
        settings.environment = environment
        settings.stateFolder = stateFolder
        settings.required = required.map { $0 == "catalog" ? [] : [$0] } ?? []
        // What is wrong with a setting is told whether or not the service is asked.
        for definition in settings.definitions { _ = try configuration(definition) }
        for definition in settings.definitions where definition.isOfBooks {
            let name = definition.name
            let isConfigured = try isConfigured(definition)
            guard named?.contains(name) ?? (isConfigured || required == name) else { continue }
            if definition.access == .requiredKey, key(of: definition) == nil {
                throw CommandFailure(
                    required == name ? .unavailable : .configuration,
                    "\(definition.title) is asked with a key, and there is none.",
                    advice:
                        "Set \(Self.variable(name, "KEY")), or leave \(name) out of --providers and --require."
                )
            }
            settings.asked[name] = try configuration(definition)
        }
        // People are looked up where books are, unless the providers that were named are all offline.
        let asksForPeople = !settings.isEmpty || named == nil
        for definition in settings.definitions where !definition.isOfBooks && asksForPeople {
            if try isConfigured(definition) {
                settings.asked[definition.name] = try configuration(definition)
            }
        }
        return settings
    }

    /// Whether a service is asked without being named.
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
            try url(name).map { ServiceEndpoint($0, isOperators: true, key: key) }
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

    /// A value of a service: that of `--set`, else the variable's, else what a definition or configuration file says.
    ///
    /// - Parameter read: Reads the variable of a name; nil where it is not set.
    private func override<Value>(
        _ setting: Setting<Value?>, of service: String, _ read: (String) throws(CommandFailure) -> Value?
    ) throws(CommandFailure) -> Value? {
        let wish = providerSettings[service].flatMap { $0[setting] }
        let isOption = providerSettings[service]?.origin(of: setting)?.isOption ?? false
        if isOption, let wish { return wish }
        guard let variable = Self.variable(service, setting: setting.spec.name) else { return wish }
        return try read(variable) ?? wish
    }

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

    /// The variable that says the same as a setting under `providers:`.
    static func variable(_ service: String, setting: String) -> String? {
        ["baseURL": "URL", "rate": "RATE", "daily": "DAILY", "batch": "BATCH"][setting].map {
            variable(service, $0)
        }
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

    private static let address = ServiceSetting.baseURL.spec.kind

    /// Whether a service can be asked there. What is none is shown to nobody: it may hold a password.
    static func isAddress(_ text: String) -> Bool { (try? address.parse(text)) != nil }

    /// The address of a service that the operator set; nil for the usual one.
    private func url(_ service: String) throws(CommandFailure) -> String? {
        try override(ServiceSetting.baseURL, of: service) { (variable) throws(CommandFailure) in
            guard let url = value(variable) else { return nil }
            guard Self.isAddress(url) else {
                throw CommandFailure(.configuration, "\(variable) must be \(Self.address.words).")
            }
            return url
        }
    }

    /// Where the state of pace is kept: `$XDG_STATE_HOME/etl`, else `~/.local/state/etl`.
    private var stateFolder: String? {
        if let state = environment["XDG_STATE_HOME"] { return state + "/etl" }
        return environment["HOME"].map { $0 + "/.local/state/etl" }
    }
}
