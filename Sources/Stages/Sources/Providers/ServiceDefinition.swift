import Books
package import Pipeline
package import Services
package import System

/// Everything the program knows about a service that a run can ask.
///
/// Each service is defined by one file in this folder and listed in ``all``. The command line, settings,
/// forecasts and reports are generated from the list, so a new service needs one file and one entry.
package struct ServiceDefinition: Sendable {
    /// When a run asks the service even if the user does not name it.
    package enum Access: Sendable, Hashable {
        /// If the user has set a contact or the service's address.
        case contact
        /// If the user has set a key or the service's address. The service also works without a key.
        case optionalKey
        /// If the user has set a key. The service does not work without one.
        case requiredKey

        /// Whether the service uses a key.
        package var hasKey: Bool { self != .contact }
    }

    /// Purpose of the service, and the provider that asks it.
    package enum Role: Sendable {
        case books(@Sendable (ServiceClient) -> any BookProvider)
        case people(@Sendable (ServiceClient) -> any PersonDirectory)
    }

    /// Its name in commands, files and the store: `openlibrary`.
    package var name: String
    /// Its name in sentences: `Open Library`.
    package var title: String
    /// Purpose of the service, in one sentence.
    package var summary: String
    /// Its default address.
    package var address: String
    package var access: Access
    package var role: Role
    /// Settings of the service in addition to address and rate.
    package var settings: [SettingSpec] = []
    /// Whether catalogs are built from its dumps. Such a service is not asked for people in a catalog, and
    /// its author keys, from either source, lead to people.
    package var isInCatalogs = false
    /// Whether books are searched by title and author as well.
    package var findsTitles = true
    /// When the service is asked, unless the user sets something else.
    package var strategy = LookupStrategy.all
    /// Creates the service with a configuration.
    package var make: @Sendable (ServiceConfiguration) -> any Service
    /// Average number of keys of a kind in an import: works for each different title of a row, authors for each
    /// different author, titles for each ISBN, names of people for each title, and keys of people for each author.
    /// Forecasts use these numbers for a store that has too few answers.
    package var followUps: [ServiceKey.Kind: Double] = [:]

    /// The service with its default configuration, for decoding cached answers and for descriptions.
    package var reader: any Service { make(ServiceConfiguration(ServiceEndpoint(address))) }

    /// Whether the service has a setting, in addition to address and rate.
    package func takes<Value>(_ setting: Setting<Value>) -> Bool {
        settings.contains { $0.name == setting.spec.name }
    }

    /// A question that costs the service little: a book that most have, or a person.
    package var probe: ServiceKey {
        isOfBooks ? ServiceKey(.isbn, "9780140328721") : ServiceKey(.item, "Q42")
    }

    /// Number of requests for a record on average, if batches are full.
    package func requestsPerRecord(_ service: any Service) -> Double {
        var keys = followUps
        if isOfBooks { keys[.isbn] = 1 }
        return ServiceKey.Kind.all.reduce(0) { sum, kind in
            sum + (keys[kind] ?? 0) / Double(max(1, service.batchSize(of: kind)))
        }
    }

    /// Whether it is asked for books.
    package var isOfBooks: Bool { if case .books = role { true } else { false } }
}

/// The configuration of one service in a run.
package struct ServiceConfiguration: Sendable {
    package var address: ServiceEndpoint
    /// Whether the User-Agent has a contact.
    package var isIdentified = false
    /// Requests per second, if set by the user.
    package var rate: Double?
    /// Requests per day that the user's plan allows.
    package var daily: Int?
    /// Keys per request that the user's plan allows.
    package var batch: Int?

    package init(_ address: ServiceEndpoint) { self.address = address }
}

extension ServiceDefinition {
    /// All services; those for books are in order of preference.
    package static let all: [ServiceDefinition] = [.openLibrary, .googleBooks, .isbndb, .wikidata]
}

/// Settings of a service under `providers:`, in definitions, configuration files and on the command line.
/// Keys are not among them: others may read such files, and a job stores its definition.
package enum ServiceSetting {
    /// Address of the service.
    package static let baseURL = Setting<String?>.url(
        "baseURL", "Address to use instead of the default: a mirror, or fake services.")
    /// Requests per second.
    package static let rate = Setting<Double?>.number(
        "rate", in: 0.001...100_000, "Requests per second, if your plan or mirror allows a different rate.")
    /// When the service is asked.
    package static let strategy = Setting<String?>.choice(
        "strategy", of: LookupStrategy.allCases.map(\.rawValue),
        "`fallback` asks only about books of which something is missing, `all` about all.")
    /// Requests per day.
    package static let daily = Setting<Int?>.integer(
        "daily", in: 1...1_000_000_000, "Requests per day that your plan allows.")
    /// ISBNs per request.
    package static let batch = Setting<Int?>.integer(
        "batch", in: 1...1_000_000_000, "ISBNs per request that your plan allows.")
}
