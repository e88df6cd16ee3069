import FakeServices
package import Jobs
package import Services
import Sources
import System

/// The services by name, for tests.
extension ServiceSettings {
    package var openLibrary: ServiceEndpoint? {
        get { asked["openlibrary"]?.address }
        set { asked["openlibrary"] = newValue.map { ServiceConfiguration($0) } }
    }
    package var googleBooks: ServiceEndpoint? {
        get { asked["google-books"]?.address }
        set { asked["google-books"] = newValue.map { ServiceConfiguration($0) } }
    }
    package var isbndb: ServiceEndpoint? {
        get { asked["isbndb"]?.address }
        set { asked["isbndb"] = newValue.map { ServiceConfiguration($0) } }
    }
    package var wikidata: ServiceEndpoint? {
        get { asked["wikidata"]?.address }
        set { asked["wikidata"] = newValue.map { ServiceConfiguration($0) } }
    }

    /// Asks each service about all books.
    package mutating func asksAll() {
        for definition in definitions where definition.isOfBooks { strategies[definition.name] = .all }
    }

    /// The addresses of fake services, each of which is asked about all books.
    ///
    /// - Parameters:
    ///   - url: The server's address.
    ///   - names: The services that are asked.
    ///   - key: The key that is sent to each.
    package static func fake(
        at url: String, _ names: [String] = FakeServices.names, key: String = "key", limits: ServiceLimits
    ) -> Self {
        var settings = Self()
        for name in names {
            settings.asked[name] = ServiceConfiguration(
                ServiceEndpoint("\(url)/\(name)", isUserConfigured: true, key: key))
        }
        settings.limits = limits
        settings.asksAll()
        return settings
    }
}

extension Service {
    /// The same service with other limits.
    package func under(_ limits: ServiceLimits) -> Self {
        var service = self
        service.limits = limits
        return service
    }
}
