package import Pipeline
package import Services

/// Which services a run asks, where, and as whom.
package struct ServiceSettings: Sendable {
    /// nil where a service is not asked.
    package var openLibrary: ServiceAddress?
    package var googleBooks: ServiceAddress?
    package var isbndb: ServiceAddress?
    package var wikidata: ServiceAddress?
    /// An address or URL of the operator, for the User-Agent.
    package var contact: String?
    package var version = "0"
    package var environment: [String: String] = [:]
    /// Where the state of pace is kept; nil keeps it for this process alone.
    package var stateFolder: String?
    /// Google's budget of calls a day, and the day's budget and batch of ISBNdb's plan.
    package var googleCallsADay = 1_000
    package var isbndbADay: Int?
    package var isbndbBatch = 100
    /// Services without which the run is not worth having, by name.
    package var required: Set<String> = []

    /// Requests a second in place of the services' own, by name: what a plan grants, or a mirror of one's own takes.
    package var rates: [String: Double] = [:]

    /// Rules in place of the services' own, for tests against fakes.
    package var terms: PaceTerms?
    package var retry = RetryPolicy()
    package var firstPatience = Patience.firstPass
    /// nil: libcurl.
    package var transport: (any HTTPTransport)?

    package init() {}

    /// All services where they usually are, for what is told without asking them.
    static let everywhere: ServiceSettings = {
        var settings = ServiceSettings()
        settings.openLibrary = ServiceAddress("https://openlibrary.org")
        settings.googleBooks = ServiceAddress("https://www.googleapis.com/books/v1")
        settings.isbndb = ServiceAddress("https://api2.isbndb.com")
        settings.wikidata = ServiceAddress("https://www.wikidata.org")
        return settings
    }()

    /// Whether no service is asked at all.
    package var isEmpty: Bool {
        openLibrary == nil && googleBooks == nil && isbndb == nil && wikidata == nil
    }

    /// The names of the services that are asked.
    var names: Set<String> { Set(ServiceDesks.services(self).map(\.name)) }

    /// Leaves out services.
    mutating func leaveOut(_ names: Set<String>) {
        if names.contains("openlibrary") { openLibrary = nil }
        if names.contains("google-books") { googleBooks = nil }
        if names.contains("isbndb") { isbndb = nil }
        if names.contains("wikidata") { wikidata = nil }
    }

    /// The rules by which a service is asked, where they are not its own.
    func terms(of service: any Service) -> PaceTerms? {
        terms ?? rates[service.name].map { service.terms.paced(perSecond: $0) }
    }
}
