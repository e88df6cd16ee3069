package import Application
import Books
package import Pipeline
package import Services

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
}

extension Service {
    /// The same service with other limits.
    package func under(_ limits: ServiceLimits) -> Self {
        var service = self
        service.limits = limits
        return service
    }
}
