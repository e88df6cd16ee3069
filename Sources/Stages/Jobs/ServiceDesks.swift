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
        _ settings: ServiceSettings, cache: any AnswerCache, clock: any RunClock, stop: StopSignal
    ) throws(StageFailure) {
        patience = PatienceDial(settings.firstPatience)
        guard !settings.isEmpty else { return }
        let pace: any PaceKeeper =
            settings.stateFolder.flatMap { try? PaceFile(folder: $0) } ?? PaceInMemory()
        var tools = DeskTools(
            transport: try Self.transport(settings), pace: pace, cache: cache, clock: clock, stop: stop,
            patience: patience)
        tools.retry = settings.retry
        let isIdentified = settings.contact != nil
        let terms = settings.terms
        openLibrary = settings.openLibrary.map { address in
            ServiceDesk(
                terms.map { OpenLibraryService(address, terms: $0) }
                    ?? OpenLibraryService(address, isIdentified: isIdentified), tools)
        }
        googleBooks = settings.googleBooks.map { address in
            ServiceDesk(
                terms.map { GoogleBooksService(address, terms: $0) }
                    ?? GoogleBooksService(address, callsADay: settings.googleCallsADay), tools)
        }
        isbndb = settings.isbndb.map { address in
            ServiceDesk(
                terms.map { ISBNdbService(address, terms: $0, batch: settings.isbndbBatch) }
                    ?? ISBNdbService(address, batch: settings.isbndbBatch, isbnsADay: settings.isbndbADay),
                tools)
        }
        wikidata = settings.wikidata.map { address in
            ServiceDesk(
                terms.map { WikidataService(address, terms: $0) }
                    ?? WikidataService(address, isIdentified: isIdentified), tools)
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
