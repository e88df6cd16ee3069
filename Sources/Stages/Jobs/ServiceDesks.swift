package import Pipeline

/// The desks of a run, one for each service that is asked.
package struct ServiceDesks: Sendable {
    package private(set) var openLibrary: ServiceDesk?
    package private(set) var googleBooks: ServiceDesk?
    package private(set) var isbndb: ServiceDesk?
    package private(set) var wikidata: ServiceDesk?
    package let patience: PatienceDial

    /// No desk at all.
    package init() { patience = PatienceDial(.keptOnly) }

    /// Opens the desks.
    ///
    /// - Throws: Where HTTP cannot be had. State of pace that cannot be kept in a file is kept in memory.
    package init(
        _ settings: ServiceSettings, cache: any AnswerCache, clock: any RunClock, stop: StopSignal,
        observing observe: (@Sendable (ServiceStanding) -> Void)? = nil
    ) throws(StageFailure) {
        patience = PatienceDial(settings.firstPatience)
        guard !settings.isEmpty else { return }
        let pace: any PaceKeeper =
            settings.stateFolder.flatMap { try? PaceFile(folder: $0) } ?? PaceInMemory()
        var tools = DeskTools(
            transport: try Self.transport(settings), pace: pace, cache: cache, clock: clock, stop: stop,
            patience: patience)
        tools.retry = settings.retry
        tools.observe = observe
        for service in Self.services(settings) {
            switch service.name {
            case "openlibrary": openLibrary = ServiceDesk(service, tools)
            case "google-books": googleBooks = ServiceDesk(service, tools)
            case "isbndb": isbndb = ServiceDesk(service, tools)
            default: wikidata = ServiceDesk(service, tools)
            }
        }
    }

    /// The services that settings name, each with the rules by which it is asked.
    static func services(_ settings: ServiceSettings) -> [any Service] {
        let isIdentified = settings.contact != nil
        var services: [any Service] = []
        func add(_ usual: some Service, under terms: (PaceTerms) -> some Service) {
            services.append(settings.terms(of: usual).map { terms($0) as any Service } ?? usual)
        }
        if let address = settings.openLibrary {
            add(OpenLibraryService(address, isIdentified: isIdentified)) {
                OpenLibraryService(address, terms: $0)
            }
        }
        if let address = settings.googleBooks {
            add(GoogleBooksService(address, callsADay: settings.googleCallsADay)) {
                GoogleBooksService(address, terms: $0)
            }
        }
        if let address = settings.isbndb {
            let batch = settings.isbndbBatch
            add(ISBNdbService(address, batch: batch, isbnsADay: settings.isbndbADay)) {
                ISBNdbService(address, terms: $0, batch: batch)
            }
        }
        if let address = settings.wikidata {
            add(WikidataService(address, isIdentified: isIdentified)) { WikidataService(address, terms: $0) }
        }
        return services
    }

    private static func transport(_ settings: ServiceSettings) throws(StageFailure) -> any HTTPTransport {
        if let transport = settings.transport { return transport }
        do throws(HTTPFailure) {
            return try CurlClient(
                version: settings.version, contact: settings.contact, environment: settings.environment)
        } catch {
            throw StageFailure(.unavailable, "HTTP \(error.words).")
        }
    }

    private var all: [ServiceDesk] { [openLibrary, googleBooks, isbndb, wikidata].compactMap { $0 } }

    package var isEmpty: Bool { all.isEmpty }

    /// What the run had to do with each service it asked, in their order.
    package func reports() async -> [ServiceReport] {
        var reports: [ServiceReport] = []
        for desk in all {
            reports.append(ServiceReport(name: desk.service.name, figures: await desk.figures))
        }
        return reports
    }

    /// Ends all desks.
    package func close() async throws(StageFailure) { for desk in all { try await desk.close() } }
}

/// A service in the closing report.
package struct ServiceReport: Sendable {
    package var name: String
    package var figures: ServiceFigures
}
