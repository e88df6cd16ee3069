import Books
package import Pipeline
package import Services

/// The desks of a run, one for each service that is asked, or was asked by an earlier run of its job.
package struct ServiceDesks: Sendable {
    package private(set) var openLibrary: ServiceDesk?
    package private(set) var googleBooks: ServiceDesk?
    package private(set) var isbndb: ServiceDesk?
    package private(set) var wikidata: ServiceDesk?
    /// How long those are waited for that are asked.
    package let patience: PatienceDial
    /// The services that are asked in this run.
    private(set) var names: Set<String> = []

    /// No desk at all.
    package init() { patience = PatienceDial(.keptOnly) }

    /// Opens the desks.
    ///
    /// - Parameter asked: Services whose kept answers count, whether or not they are asked in this run: those that are not
    ///   have a desk that knows only what is kept.
    /// - Throws: Where HTTP cannot be had, and `.temporary` where others hold the state of pace for long. Where it cannot
    ///   be kept in a file it is kept in memory.
    package init(
        _ settings: ServiceSettings, askedBefore asked: Set<String> = [], cache: any AnswerCache,
        clock: any RunClock, stop: StopSignal,
        observing observe: (@Sendable (ServiceStanding) -> Void)? = nil
    ) throws(StageFailure) {
        patience = PatienceDial(settings.firstPatience)
        for service in Self.readers where asked.contains(service.name) {
            add(
                ServiceDesk(
                    service,
                    DeskTools(
                        transport: NoNetwork(), pace: PaceInMemory(), cache: cache, clock: clock, stop: stop,
                        patience: PatienceDial(.keptOnly))))
        }
        guard !settings.isEmpty else { return }
        var tools = DeskTools(
            transport: try Self.transport(settings), pace: try Self.pace(settings), cache: cache,
            clock: clock, stop: stop, patience: patience)
        tools.retry = settings.retry
        tools.observe = observe
        for service in Self.services(settings) { add(ServiceDesk(service, tools)) }
        names = Set(Self.services(settings).map(\.name))
    }

    private mutating func add(_ desk: ServiceDesk) {
        switch desk.service.name {
        case "openlibrary": openLibrary = desk
        case "google-books": googleBooks = desk
        case "isbndb": isbndb = desk
        default: wikidata = desk
        }
    }

    /// All services there are, to read with what they once said.
    package static var readers: [any Service] { services(.everywhere) }

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

    private static func pace(_ settings: ServiceSettings) throws(StageFailure) -> any PaceKeeper {
        guard let folder = settings.stateFolder else { return PaceInMemory() }
        do throws(StageFailure) {
            return try PaceFile(folder: folder)
        } catch {
            // It is there, and others use it: who did without would ask as if alone.
            guard error.kind != .temporary else { throw error }
            return PaceInMemory()
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

    /// What the run had to do with each service it asked, in their order.
    package func reports() async -> [ServiceReport] {
        var reports: [ServiceReport] = []
        for desk in all {
            reports.append(ServiceReport(name: desk.service.name, figures: await desk.figures))
        }
        return reports
    }

    /// Keeps what all desks have heard so far.
    func keepAll() async throws(StageFailure) { for desk in all { try await desk.keepAll() } }

    /// Ends all desks.
    ///
    /// - Throws: What keeps the first from keeping its answers; the others are ended none the less.
    package func close() async throws(StageFailure) {
        var first: StageFailure?
        for desk in all {
            do throws(StageFailure) { try await desk.close() } catch { first = first ?? error }
        }
        if let first { throw first }
    }
}

/// A service in the closing report.
package struct ServiceReport: Sendable {
    package var name: String
    package var figures: ServiceFigures
}
