import Application
import Foundation
import Pipeline

/// What `etl doctor` says of services: where each value comes from, and of keys that they are there, never what they are.
extension HealthCheck {
    /// The file of keys, and who sets keys and contact.
    ///
    /// - Returns: What variables and the file of keys say; nil where that file cannot be used.
    mutating func checkServices() -> ServiceSetup? {
        let services: ServiceSetup
        do throws(CommandFailure) {
            services = try ServiceSetup()
        } catch {
            add("keys", false, error.message, advice: error.advice)
            return nil
        }
        if let path = services.keyFile { add("keys", true, "\(path) is read, and by nobody else") }
        for remark in services.remarks {
            add("keys", false, remark, advice: "Write lines of NAME=value, as ETL_ISBNDB_KEY=…")
        }
        for name in ServiceSetup.secrets {
            if let origin = services.origin(of: name) { settings.append((name, "(set, not shown)", origin)) }
        }
        if let origin = services.origin(of: ServiceSetup.contact) {
            settings.append((ServiceSetup.contact, services.value(ServiceSetup.contact) ?? "", origin))
        }
        return services
    }

    /// Reads what variables say of services as a run would, which ends where one of them cannot be read.
    ///
    /// - Parameter wishes: What the definition says of services.
    mutating func check(_ services: ServiceSetup, wishing wishes: [String: Settings]) {
        var services = services
        services.wishes = wishes
        do throws(CommandFailure) {
            _ = try services.settings(named: nil, isOffline: false, required: nil)
        } catch {
            add(
                "services", false, error.message,
                advice: error.advice ?? "No import begins before that is right.")
        }
    }

    /// Notes a value of the configuration, as a run goes by it.
    mutating func note(_ value: EffectiveValue, _ services: ServiceSetup?) {
        let value = services?.inForce(value) ?? .init(value)
        settings.append((value.path, value.value, value.origin))
    }
}
