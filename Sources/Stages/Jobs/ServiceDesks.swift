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
        let isIdentified = settings.contact != nil
        openLibrary = settings.openLibrary.map { address in
            let usual = OpenLibraryService(address, isIdentified: isIdentified)
            let service = settings.terms(of: usual).map { OpenLibraryService(address, terms: $0) }
            return ServiceDesk(service ?? usual, tools)
        }
        googleBooks = settings.googleBooks.map { address in
            let usual = GoogleBooksService(address, callsADay: settings.googleCallsADay)
            let service = settings.terms(of: usual).map { GoogleBooksService(address, terms: $0) }
            return ServiceDesk(service ?? usual, tools)
        }
        isbndb = settings.isbndb.map { address in
            let batch = settings.isbndbBatch
            let usual = ISBNdbService(address, batch: batch, isbnsADay: settings.isbndbADay)
            let service = settings.terms(of: usual).map {
                ISBNdbService(address, terms: $0, batch: batch)
            }
            return ServiceDesk(service ?? usual, tools)
        }
        wikidata = settings.wikidata.map { address in
            let usual = WikidataService(address, isIdentified: isIdentified)
            let service = settings.terms(of: usual).map { WikidataService(address, terms: $0) }
            return ServiceDesk(service ?? usual, tools)
        }
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
