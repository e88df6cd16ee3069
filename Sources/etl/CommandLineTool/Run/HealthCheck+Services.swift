import Books
import Jobs
import Pipeline
import Services
import Sources
import System

/// The checks of services: the origin of each value, and whether keys are set. Keys themselves are never
/// shown.
extension HealthCheck {
    /// Checks the key file, and lists the origin of keys and contact.
    ///
    /// - Returns: The values of environment variables and the key file; nil if the key file cannot be used.
    mutating func checkServices() -> ServiceSetup? {
        let services: ServiceSetup
        do throws(CommandFailure) {
            services = try ServiceSetup()
        } catch {
            add("keys", false, error.message, advice: error.advice)
            return nil
        }
        if let path = services.keyFile { add("keys", true, "using `\(path)`, which only you can read") }
        for remark in services.remarks {
            add("keys", false, remark, advice: "Write lines of NAME=value, such as ETL_ISBNDB_KEY=…")
        }
        for name in ServiceSetup.secrets {
            if let origin = services.origin(of: name) { settings.append((name, "(set, not shown)", origin)) }
        }
        if let origin = services.origin(of: ServiceSetup.contact) {
            settings.append((ServiceSetup.contact, services.value(ServiceSetup.contact) ?? "", origin))
        }
        return services
    }

    /// Checks the service settings as a run would. An invalid environment variable stops every run.
    ///
    /// - Parameter providerSettings: The definition's settings of services.
    mutating func check(_ services: ServiceSetup, providers definedSettings: [String: Settings]) {
        var services = services
        services.definedSettings = definedSettings
        do throws(CommandFailure) {
            self.services = try services.settings(named: nil, isOffline: false, required: nil)
        } catch {
            add(
                "services", false, error.message,
                advice: error.advice ?? "Correct this setting; until then no import can start.")
        }
    }

    /// Records a value of the configuration, as a run would use it.
    mutating func note(_ value: EffectiveValue, _ services: ServiceSetup?) {
        let value = services?.effective(value) ?? .init(value)
        settings.append((value.path, value.value, value.origin))
    }

    /// Asks each service that a run would ask one harmless question.
    mutating func askServices() async {
        guard let services, !services.isEmpty else { return }
        do throws(ETLError) {
            let (probes, limiterFailure) = try await ServiceProbe.probes(of: services)
            if let limiterFailure {
                add(
                    "limits", false, "rate limits are not shared with other runs: \(limiterFailure.message)",
                    advice: limiterFailure.advice)
            }
            note(probes)
        } catch {
            add("services", false, error.message, advice: error.advice)
        }
    }

    private mutating func note(_ probes: [ServiceProbe]) {
        if probes.allSatisfy({ $0.outcome == .unreachable }) {
            return add(
                "network", false, "no network: none of the services can be reached",
                advice: "Check the connection. With --offline, etl asks no service.")
        }
        for probe in probes {
            let name = probe.definition.name
            if probe.outcome.isAnswered {
                add(name, true, Self.words(answered: probe))
            } else {
                // A service that asks for a pause is not a problem of this machine.
                let waits = [.rateLimited, .quota].contains(probe.outcome)
                add(
                    name, waits,
                    "\(probe.definition.title) \(FailureText.of(probe.outcome, of: name, probe.metrics))",
                    advice:
                        "Its records stay pending until it answers. Then run \(UserCommand.retry).")
            }
        }
    }

    /// `https://openlibrary.org answered in 210 ms; 3 requests per second`
    private static func words(answered probe: ServiceProbe) -> String {
        var words = "\(probe.endpoint.baseURL) answered"
        if let latency = probe.metrics.latencyMilliseconds(share: 0.5) {
            words += " in \(HumanText.count(Int(latency.rounded(.up)))) ms"
        }
        if probe.endpoint.baseURL.hasPrefix("https:") { words += ", with a valid certificate" }
        if probe.endpoint.key != nil { words += "; it accepts your key" }
        let interval = Double(probe.limits.rate.interval) / 1e6
        let (count, unit) = interval <= 1 ? (1 / interval, "second") : (60 / interval, "minute")
        words += "; at most \(HumanText.count(Int(count.rounded()), "request")) per \(unit)"
        if let left = probe.left { words += ", \(HumanText.count(left)) left today" }
        return words
    }
}
