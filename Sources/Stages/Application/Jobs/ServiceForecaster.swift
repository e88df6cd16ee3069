import Books
import Bytes
import Pipeline
import Services

/// Counts, batch by batch, what an import would ask the services, and computes the cost from each one's batch
/// size, rate and budget.
///
/// A query counts once, however many rows ask it; each takes eight bytes. Which further queries an
/// answer leads to is not known beforehand but expected, so the forecast is a range.
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
    private let history: AnswerHistory?
    private let hasCatalog: Bool
    private var seen: Set<UInt64> = []
    /// By name of the service.
    private var isbns: [String: Tally] = [:]
    private var titles: [String: Tally] = [:]
    /// People by name, by service; only for services of people.
    private var names: [String: Tally] = [:]

    /// - Parameters:
    ///   - cache: The store's cached answers; nil if there is no store yet.
    ///   - history: What they led to; nil if there is no store yet.
    ///   - now: Milliseconds since 1970.
    init(
        _ services: [(definition: ServiceDefinition, service: any Service)], cache: CachedKeys?,
        history: AnswerHistory?, hasCatalog: Bool, now: Int64
    ) {
        self.services = services
        self.cache = cache
        self.history = history
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
                if isKnown { known.append(key) } else { unknown.append(key) }
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

    /// How far the number of follow-up keys may be from that of earlier books, and from the usual one.
    private static let (earlierSpread, usualSpread) = (0.75...1.35, 0.5...1.5)
    /// Batches are sent before they are full if nothing else is to be sent.
    private static let partialBatches = 1.4

    /// The cost at each service, in the order of the services.
    ///
    /// - Parameter left: What is left of each service's budget today, by name.
    func forecasts(left: [String: Int]) -> [ServiceForecast] {
        let open = services.lazy.filter(\.definition.isOfBooks).map { openBooks(of: $0.service.name) }.max()
        return services.map { definition, service in
            var forecast = ServiceForecast(name: service.name)
            let isbns = self.isbns[service.name] ?? Tally()
            let titles = self.titles[service.name] ?? Tally()
            let authors = names[service.name] ?? Tally()
            forecast.queries = isbns.asked + titles.asked + authors.asked
            forecast.cached = isbns.cached + titles.cached + authors.cached
            let books =
                definition.isOfBooks ? openBooks(of: service.name) : min(authors.open, open ?? authors.open)
            forecast.calls = calls(
                definition, service, isbns: isbns.open, titles: titles.open, books: books)
            forecast.interval = Double(service.limits.rate.interval) / 1e6
            if let budget = service.limits.quota {
                forecast.budget = Int(budget.calls)
                forecast.cost = service.cost(of: 2) > 1 ? isbns.open : forecast.calls.upperBound
                forecast.left = left[service.name] ?? Int(budget.calls)
            }
            return forecast
        }
    }

    /// Number of books that a service is asked for.
    private func openBooks(of service: String) -> Int {
        (isbns[service]?.open ?? 0) + (titles[service]?.open ?? 0)
    }

    /// The range of the number of requests.
    ///
    /// - Parameters:
    ///   - isbns: Number of ISBNs to ask for, as many as possible in a request.
    ///   - titles: Number of searches by title.
    ///   - books: Number of books, or authors at a service of people, that may lead to further keys.
    private func calls(
        _ definition: ServiceDefinition, _ service: any Service, isbns: Int, titles: Int, books: Int
    ) -> ClosedRange<Int> {
        let size = service.batchSize(of: .isbn)
        let batches = Double((isbns + size - 1) / max(1, size))
        var least = batches + Double(titles)
        var most = batches * (size > 1 ? Self.partialBatches : 1) + Double(titles)
        let hasAuthorKeys = hasCatalog || services.contains { $0.definition.isInCatalogs }
        for (kind, usual) in definition.followUps {
            // Without keys, all authors are searched by name.
            let expected = kind == .nameItems && !hasAuthorKeys ? 1 : usual
            let earlier = history?.followUps(kind, of: definition)
            let spread = earlier == nil ? Self.usualSpread : Self.earlierSpread
            let requests = Double(books) * (earlier ?? expected) / Double(max(1, service.batchSize(of: kind)))
            least += requests * spread.lowerBound
            most += requests * spread.upperBound
        }
        return Int(least.rounded(.down))...Int(most.rounded(.up))
    }
}
