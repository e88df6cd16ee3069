import Books
import Bytes
import Contract
import Pipeline
import Queries
import Services
import Sources
import System

/// Counts an import's queries to the services, batch by batch, and computes the cost from each one's batch
/// size, rate and budget.
///
/// The batches pass the stages that look up, as in an import, but only cached answers are used. Keys without an
/// answer there are the import's first queries: they are counted exactly (``ForecastCache``). What the missing
/// answers will lead to is expected from the titles and authors of the rows, so the forecast is a range. Whether a
/// service with the strategy `fallback` is asked about a book depends on answers that are not there yet: it is asked
/// about none of these books at least, and about all at most.
struct ServiceForecaster {
    /// Hashes of titles and authors, and of authors alone.
    private struct Names {
        var titles: Set<UInt64> = []
        var authors: Set<UInt64> = []

        mutating func insert(_ title: UInt64, _ author: UInt64) {
            titles.insert(title)
            authors.insert(author)
        }
    }

    private let services: [(definition: ServiceDefinition, service: any Service)]
    private let history: AnswerHistory?
    private let cache: ForecastCache
    private let strategies: [Provider: LookupStrategy]
    private let lookUp: LookUpBooks
    private let merge = MergeCandidates()
    private let enrich: EnrichAuthors
    private let asksForPeople: Bool
    /// Of the rows whose book a service has not answered, and of the other rows, by service.
    private var waiting: [String: Names] = [:]
    private var settled: [String: Names] = [:]
    /// Titles of rows whose ISBN a service does not know, by service. If no other service knows it either, they
    /// are searched.
    private var unfound: [String: Set<UInt64>] = [:]
    /// ISBNs, or hashes of titles and authors, of books about which a service may be asked, by service.
    private var possible: [String: Set<UInt64>] = [:]
    /// Authors of rows whose people are not looked up yet, because a service may still name their keys.
    private var waitingPeople: Set<UInt64> = []
    private var settledPeople: Set<UInt64> = []

    /// - Parameters:
    ///   - read: Reads the store's answers; nil if there is no store yet.
    ///   - history: Statistics of earlier answers; nil if there is no store yet.
    ///   - now: Milliseconds since 1970.
    /// - Throws: Errors from opening the clients.
    init(
        _ settings: ServiceSettings, catalogs: [Catalog], reading read: ForecastCache.Reader?,
        history: AnswerHistory?, now: Int64
    ) throws(ETLError) {
        services = settings.services
        self.history = history
        cache = ForecastCache(read, now: now)
        var readers = settings
        readers.asked = [:]
        let clients = try ServiceClients(
            readers, askedBefore: settings.names, cache: cache, clock: SystemClock(), stop: StopSignal())
        strategies = settings.strategiesOfProviders
        lookUp = LookUpBooks(
            providers: catalogs.map { CatalogProvider($0) }
                + settings.definitions.compactMap { clients.provider($0.name) },
            strategies: strategies)
        let directories = clients.directories
        asksForPeople = !directories.isEmpty
        enrich = EnrichAuthors(directory: CompositePersonDirectory(catalogs, services: directories))
    }

    /// Counts a batch.
    mutating func count(_ batch: Batch<ValidatedRows>) async throws(ETLError) {
        let matched = try await lookUp.process(batch)
        note(matched.payload)
        if asksForPeople { _ = try await enrich.process(merge.process(matched)) }
    }

    private mutating func note(_ matched: MatchedRows) {
        var open: [String: Set<Int>] = [:]
        for query in matched.unanswered { open[query.service, default: []].insert(query.row) }
        for row in 0..<matched.count {
            let (title, author) = Self.names(of: row, matched)
            let book = matched.isbns[row].isbn.map { UInt64($0.value) } ?? title
            let mayBeSearched =
                matched.candidatesOfRow[row].isEmpty && matched.isbns[row].isbn != nil
                && open.values.contains { $0.contains(row) }
            var (isWaitingForKeys, isWaiting) = (false, false)
            for (definition, _) in services where definition.isOfBooks {
                let isOpen = open[definition.name]?.contains(row) ?? false
                if definition.isInCatalogs, isOpen { isWaitingForKeys = true }
                // It is asked once the services before it have answered, and only if something is missing then.
                if isFallback(definition), !isOpen, isWaiting {
                    possible[definition.name, default: []].insert(book)
                } else if mayBeSearched, !isOpen, definition.findsTitles {
                    unfound[definition.name, default: []].insert(title)
                }
                if isOpen { isWaiting = true }
                guard definition.leadsToRecords else { continue }
                // If the book is known, but not its work or authors, their keys are known too and are counted.
                let isKnown = matched.candidates[matched.candidatesOfRow[row]].contains {
                    $0.provider.contractName == definition.name
                }
                if isOpen, !isKnown {
                    waiting[definition.name, default: Names()].insert(title, author)
                } else {
                    settled[definition.name, default: Names()].insert(title, author)
                }
            }
            guard asksForPeople else { continue }
            if isWaitingForKeys { waitingPeople.insert(author) } else { settledPeople.insert(author) }
        }
    }

    private func isFallback(_ definition: ServiceDefinition) -> Bool {
        strategies.contains { $0.key.contractName == definition.name && $0.value == .fallback }
    }

    /// Hashes of the row's title and first author, and of the author. The ISBN stands for a missing title, and
    /// the title for a missing author.
    private static func names(of row: Int, _ matched: MatchedRows) -> (title: UInt64, author: UInt64) {
        let library = matched.library
        let title = Folding.fold(library.arena[library.rows[row].title])
        let name = title.isEmpty ? matched.isbns[row].isbn?.isbn13 ?? "" : title
        let hash = KeyHash.hash(Array(name.utf8))
        guard let first = library.rows[row].people.first else { return (hash, hash) }
        let author = Array(Folding.fold(library.arena[library.people[first].name]).utf8)
        return (KeyHash.hash(author, seed: hash), KeyHash.hash(author))
    }

    // MARK: Cost

    /// Tolerance for the number of keys from answers, relative to earlier answers and to the usual number.
    private static let (earlierSpread, usualSpread) = (0.7...1.3, 0.6...1.4)
    /// Ratio of requests to those that full batches would need. Batches are sent before they are full if nothing else
    /// is to be sent. The keys that answers lead to come one after another, and gather only while the rate limit
    /// makes them wait.
    private static let (partialBatches, scatteredBatches) = (1.0...1.7, 1.6...2.5)
    /// With fewer microseconds between two requests, keys hardly gather.
    private static let shortInterval: Int64 = 100_000

    /// The cost at each service, in the order of the services.
    ///
    /// - Parameter left: Today's remaining budget of each service, by name.
    func forecasts(left: [String: Int]) -> [ServiceForecast] {
        services.map { definition, service in
            var forecast = ServiceForecast(name: service.name)
            let firstKinds: [ServiceKey.Kind] =
                definition.isOfBooks ? [.isbn, .title] : [.authorItems, .nameItems]
            let first = firstKinds.map { cache.counts($0, of: service.name) }
            forecast.cached = first.reduce(0) { $0 + $1.cached }
            forecast.queries = first.reduce(0) { $0 + $1.needed }
            let possible = possible[service.name]?.count ?? 0
            forecast.queries += definition.isOfBooks ? possible : expectedPeople
            forecast.calls = calls(definition, service)
            forecast.interval = Double(service.limits.rate.interval) / 1e6
            if let budget = service.limits.quota {
                forecast.budget = Int(budget.calls)
                forecast.cost =
                    service.cost(of: 2) > 1
                    ? cache.counts(.isbn, of: service.name).open + possible : forecast.calls.upperBound
                forecast.left = left[service.name] ?? Int(budget.calls)
            }
            return forecast
        }
    }

    /// Number of people who are looked up once services have answered for their books.
    private var expectedPeople: Int { waitingPeople.subtracting(settledPeople).count }

    /// The range of the number of requests.
    private func calls(_ definition: ServiceDefinition, _ service: any Service) -> ClosedRange<Int> {
        var (least, most) = (0.0, 0.0)
        for kind in ServiceKey.Kind.all {
            let open = Double(cache.counts(kind, of: service.name).open)
            var keys = open...open + Double(uncertain(kind, service.name))
            if let usual = definition.followUps[kind] {
                let earlier = earlierFollowUps(kind, definition)
                let spread = earlier == nil ? Self.usualSpread : Self.earlierSpread
                let expected = (earlier ?? usual) * Double(sources(of: kind, definition))
                let (least, most) = (expected * spread.lowerBound, expected * spread.upperBound)
                keys = (keys.lowerBound + least)...(keys.upperBound + most)
            }
            let size = Double(max(1, service.batchSize(of: kind)))
            let isScattered = kind != .isbn && service.limits.rate.interval < Self.shortInterval
            let fill =
                size == 1 ? 1...1 : isScattered ? Self.scatteredBatches : Self.partialBatches
            least += keys.lowerBound / size * fill.lowerBound
            most += keys.upperBound / size * fill.upperBound
        }
        return Int(least.rounded(.up))...max(Int(least.rounded(.up)), Int(most.rounded(.up)))
    }

    /// Number of keys that are asked for only if other services do not know a book.
    private func uncertain(_ kind: ServiceKey.Kind, _ service: String) -> Int {
        switch kind {
        case .isbn: possible[service]?.count ?? 0
        case .title: unfound[service]?.count ?? 0
        default: 0
        }
    }

    /// The service that names the keys of authors; nil if it is not asked.
    private var keyService: ServiceDefinition? { services.first { $0.definition.isInCatalogs }?.definition }

    /// Follow-up keys of earlier answers. Authors are searched by name if their book is not found and gives
    /// no key: as often as books are searched by title.
    private func earlierFollowUps(_ kind: ServiceKey.Kind, _ definition: ServiceDefinition) -> Double? {
        kind == .nameItems
            ? keyService.flatMap { history?.followUps(.title, of: $0) }
            : history?.followUps(kind, of: definition)
    }

    /// Number of titles, authors, people or books that lead to keys of a kind.
    private func sources(of kind: ServiceKey.Kind, _ definition: ServiceDefinition) -> Int {
        func open(_ kind: ServiceKey.Kind) -> Int { cache.counts(kind, of: definition.name).open }
        func titles(_ service: String) -> Int {
            (waiting[service]?.titles ?? []).subtracting(settled[service]?.titles ?? []).count
        }
        return switch kind {
        case .work: titles(definition.name)
        case .author:
            (waiting[definition.name]?.authors ?? []).subtracting(settled[definition.name]?.authors ?? [])
                .count
        case .title: open(.isbn)
        case .nameItems: keyService.map { titles($0.name) } ?? 0
        case .item: open(.authorItems) + open(.nameItems) + expectedPeople
        default: expectedPeople
        }
    }
}

extension ServiceDefinition {
    /// Whether a book leads to further records, which are asked for by key.
    fileprivate var leadsToRecords: Bool { followUps[.work] != nil || followUps[.author] != nil }
}
