package import Pipeline
package import Services

/// A service that a run can ask: everything the program knows of it.
///
/// One file of this folder defines each service, and ``all`` lists them. Command line, settings, forecasts and reports are
/// made from the list, so that a new service is one file and one entry.
package struct ServiceDefinition: Sendable {
    /// When a run asks the service without being told to.
    package enum Access: Sendable, Hashable {
        /// Where the operator gave a contact, or an address of their own.
        case contact
        /// Where there is a key, or an address of the operator's own; it answers without a key too.
        case optionalKey
        /// Where there is a key: without one it does not answer.
        case requiredKey

        /// Whether it takes a key.
        package var hasKey: Bool { self != .contact }
    }

    /// What it is asked for, and what asks it.
    package enum Role: Sendable {
        case books(@Sendable (ServiceClient) -> any BookProvider)
        case people(@Sendable (ServiceClient) -> any PersonDirectory)
    }

    /// Its name in commands, files and the store: `openlibrary`.
    package var name: String
    /// Its name in sentences: `Open Library`.
    package var title: String
    /// What it is asked for, one sentence.
    package var summary: String
    /// Where it is unless the operator says otherwise.
    package var address: String
    package var access: Access
    package var role: Role
    /// What files and variables may set of it besides address and rate.
    package var settings: [SettingSpec] = []
    /// Whether catalogs are built from its dumps: it is not asked for what a catalog knows, and the keys of authors in
    /// either lead to people.
    package var isInCatalogs = false
    /// Whether books are looked for by title and author too.
    package var findsTitles = true
    /// Makes the service as it is configured.
    package var make: @Sendable (ServiceConfiguration) -> any Service
    /// Calls that an import makes to it, at the least and at the most.
    package var calls: @Sendable (ExpectedQuestions, any Service) -> ClosedRange<Int>

    /// The service at its usual address, for what is read or told without asking it.
    package var reader: any Service { make(ServiceConfiguration(ServiceEndpoint(address))) }

    /// Whether something may be set of it, besides address and rate.
    package func takes<Value>(_ setting: Setting<Value>) -> Bool {
        settings.contains { $0.name == setting.spec.name }
    }

    /// Whether it is asked for books.
    package var isOfBooks: Bool { if case .books = role { true } else { false } }
}

/// How one service is asked in a run.
package struct ServiceConfiguration: Sendable {
    package var address: ServiceEndpoint
    /// Whether the User-Agent names a contact.
    package var isIdentified = false
    /// Requests a second, where the operator has more or less than is usual.
    package var rate: Double?
    /// Calls that the operator's plan allows a day.
    package var daily: Int?
    /// Keys that the operator's plan allows in a request.
    package var batch: Int?

    package init(_ address: ServiceEndpoint) { self.address = address }
}

/// What an import would ask one service that it does not already have an answer to.
package struct ExpectedQuestions: Sendable, Hashable {
    package var isbns = 0
    package var titles = 0
    /// Books with an ISBN that are looked for by title too if the ISBN finds nothing.
    package var possibleTitles = 0
    package var authors = 0
    /// Whether authors may have keys of ``ServiceDefinition/isInCatalogs``.
    package var hasAuthorKeys = false

    package init() {}

    /// Requests for so many keys, `size` in each.
    package static func requests(_ keys: Int, by size: Int) -> Int { (keys + size - 1) / max(1, size) }

    /// Requests that are certain: those for ISBNs, and one for each title.
    package func certain(_ service: any Service) -> Int {
        Self.requests(isbns, by: service.batchSize(of: .isbn)) + titles
    }
}

extension ServiceDefinition {
    /// Every service, those of books in the order of preference.
    package static let all: [ServiceDefinition] = [.openLibrary, .googleBooks, .isbndb, .wikidata]
}

/// What definitions, configuration files and the command line may set of a service, under `providers:`. Keys are not among
/// it: others may read such files, and a job keeps what its definition says.
package enum ServiceSetting {
    /// Where a service is asked.
    package static let baseURL = Setting<String?>.url(
        "baseURL", "Where it is asked, in place of the usual address: a mirror, or test providers.")
    /// Requests a second.
    package static let rate = Setting<Double?>.number(
        "rate", in: 0.001...100_000, "Requests a second, where a plan grants or a mirror takes others.")
    /// Calls a day.
    package static let daily = Setting<Int?>.integer(
        "daily", in: 1...1_000_000_000, "Calls that a plan grants a day.")
    /// ISBNs in a request.
    package static let batch = Setting<Int?>.integer(
        "batch", in: 1...1_000_000_000, "ISBNs that a plan grants in one request.")
}
