import Books
import Bytes
import Pipeline
import Services

/// Counts, batch by batch, what an import would ask the services, and computes the cost from each one's batch
/// size, rate and budget.
///
/// A query counts once, however many rows ask it; each takes eight bytes. Which further queries an
/// answer leads to is not known beforehand, so the forecast has a minimum and a maximum.
struct ServiceForecaster {
    /// Queries of one kind to one service.
    private struct Tally {
        var asked = 0
        var cached = 0
        var open: Int { asked - cached }
    }

    private let services: [(definition: ServiceDefinition, service: any Service)]
    private let cache: CachedKeys?
    private let now: Int64
    private let hasCatalog: Bool
    private var seen: Set<UInt64> = []
    /// By name of the service.
    private var isbns: [String: Tally] = [:]
    private var titles: [String: Tally] = [:]
    /// People by name, by service; only for services of people.
    private var names: [String: Tally] = [:]
    /// Number of books with an ISBN that may be asked for by title as well.
    private var perhapsTitles = 0

    /// - Parameters:
    ///   - cache: The store's cached answers; nil if there is no store yet.
    ///   - now: Milliseconds since 1970.
    init(
        _ services: [(definition: ServiceDefinition, service: any Service)], cache: CachedKeys?,
        hasCatalog: Bool,
        now: Int64
    ) {
        self.services = services
        self.cache = cache
        self.hasCatalog = hasCatalog
        self.now = now
    }

    /// Counts a batch that was looked up in the catalogs.
    mutating func count(_ matched: MatchedRows) throws(StageFailure) {
        var known: [ServiceKey] = []
        var unknown: [ServiceKey] = []
        var byTitle: [ServiceKey] = []
        var authors: [ServiceKey] = []
        for (row, rowISBN) in matched.isbns.enumerated() {
            let isKnown = !matched.candidatesOfRow[row].isEmpty
            let title = titleKey(of: row, matched.library)
            if let author = matched.library.rows[row].people.first {
                let name = matched.library.arena[matched.library.people[author].name]
                let key = ServiceKey(.nameItems, Folding.fold(name))
                if isNew(key) { authors.append(key) }
            }
            if let isbn = rowISBN.isbn {
                let key = ServiceKey(.isbn, isbn.isbn13)
                guard isNew(key) else { continue }
                if isKnown {
                    known.append(key)
                } else {
                    unknown.append(key)
                    if let title, isNew(title) { perhapsTitles += 1 }
                }
            } else if !isKnown, let title, isNew(title) {
                byTitle.append(title)
            }
        }
        for (definition, service) in services {
            guard definition.isOfBooks else {
                try add(authors, to: \.names, of: service)
                continue
            }
            try add(definition.isInCatalogs ? unknown : known + unknown, to: \.isbns, of: service)
            if definition.findsTitles { try add(byTitle, to: \.titles, of: service) }
        }
    }

    private mutating func isNew(_ key: ServiceKey) -> Bool {
        seen.insert(KeyHash.hash(Array(key.stored.utf8))).inserted
    }

    private func titleKey(of row: Int, _ library: LibraryRows) -> ServiceKey? {
        guard let author = library.rows[row].people.first else { return nil }
        let title = Folding.fold(library.arena[library.rows[row].title])
        let name = Folding.fold(library.arena[library.people[author].name])
        return title.isEmpty || name.isEmpty ? nil : ServiceKey(.title, "\(title)\t\(name)")
    }

    private mutating func add(
        _ keys: [ServiceKey], to tallies: WritableKeyPath<ServiceForecaster, [String: Tally]>,
        of service: any Service
    ) throws(StageFailure) {
        guard !keys.isEmpty else { return }
        var tally = self[keyPath: tallies][service.name] ?? Tally()
        tally.asked += keys.count
        if let cache {
            tally.cached += try cache.freshCount(of: service.name, version: service.version, keys, now: now)
        }
        self[keyPath: tallies][service.name] = tally
    }

    // MARK: Cost

    /// The cost at each service, in the order of the services.
    ///
    /// - Parameter left: What is left of each service's budget today, by name.
    func forecasts(left: [String: Int]) -> [ServiceForecast] {
        let hasAuthorKeys = hasCatalog || services.contains { $0.definition.isInCatalogs }
        return services.map { definition, service in
            var forecast = ServiceForecast(name: service.name)
            let isbns = self.isbns[service.name] ?? Tally()
            let titles = self.titles[service.name] ?? Tally()
            let authors = names[service.name] ?? Tally()
            forecast.queries = isbns.asked + titles.asked + authors.asked
            forecast.cached = isbns.cached + titles.cached + authors.cached
            var queries = ExpectedQueries()
            (queries.isbns, queries.titles, queries.authors) = (isbns.open, titles.open, authors.open)
            queries.possibleTitles = perhapsTitles
            queries.hasAuthorKeys = hasAuthorKeys
            let calls = definition.calls(queries, service)
            let (least, most) = (calls.lowerBound, calls.upperBound)
            forecast.calls = calls
            let interval = Double(service.limits.rate.interval) / 1e6
            forecast.seconds = Double(least) * interval...Double(most) * interval
            if let budget = service.limits.quota {
                forecast.budget = Int(budget.calls)
                forecast.cost = service.cost(of: 2) > 1 ? isbns.open : most
                forecast.left = left[service.name] ?? Int(budget.calls)
            }
            return forecast
        }
    }
}
