import Books
import Bytes
import Contract
package import Formats
import Pipeline
import Queries
import Services
import Sources
import Store
package import System

/// Determines an import's expected findings, without writing anything and without asking services. The
/// records are read, validated and looked up in catalogs as the import would do it, and counted.
package struct ForecastImport: Sendable {
    /// Maximum number of records from which the time of a run is estimated: a user's library is counted as a whole.
    private static let sample = 4_000

    private let reading: ReadSettings
    private let catalogs: [Catalog]
    private let services: ServiceSettings
    private let store: String?
    private let clock: any RunClock

    /// - Parameters:
    ///   - services: The services that the import would ask; none of them is asked.
    ///   - store: The store that the import would write to; nil if there is none yet.
    /// - Throws: Errors from opening a catalog.
    package init(
        _ reading: ReadSettings, catalogPaths: [String], services: ServiceSettings = ServiceSettings(),
        store: String? = nil, clock: any RunClock = SystemClock()
    ) throws(ETLError) {
        var catalogs: [Catalog] = []
        for path in catalogPaths { catalogs.append(try Catalog(path)) }
        self.init(reading, catalogs: catalogs, services: services, store: store, clock: clock)
    }

    /// A forecast with catalogs that are already open.
    init(
        _ reading: ReadSettings, catalogs: [Catalog], services: ServiceSettings, store: String?,
        clock: any RunClock
    ) {
        self.reading = reading
        self.catalogs = catalogs
        self.services = services
        self.store = store
        self.clock = clock
    }

    /// Surveys and reads all files as the import would.
    ///
    /// - Parameter observeSurvey: Called with the survey, before the files are read.
    /// - Throws: For a file that cannot be used.
    package func forecast(
        observingSurvey observeSurvey: (LibrarySurvey) -> Void = { _ in }
    ) async throws(ETLError) -> ImportForecast {
        var reading = reading
        try reading.expandArchives()
        let survey = try await ReadLibrary(reading).surveyLibrary()
        observeSurvey(survey)
        reading.dateOrders = survey.dateOrders
        reading.surveyed = survey.surveyed
        return try await count(reading)
    }

    /// Expected duration of the services, estimated from the first records of files that were surveyed.
    ///
    /// - Parameters:
    ///   - records: Number of records to be looked up.
    ///   - filter: Drops records that are not looked up; nil if there are none.
    /// - Returns: nil if no service is asked or nothing can be read.
    func serviceEstimate(
        for records: Int, filteringBy filter: FilterPending? = nil
    ) async throws(ETLError) -> ServiceEstimate? {
        guard !services.isEmpty, records > 0 else { return nil }
        var reading = reading
        reading.limit = min(reading.limit ?? .max, Self.sample)
        let forecast = try await count(reading, filteringBy: filter)
        guard forecast.records > 0 else { return nil }
        let scale = max(1, Double(records) / Double(forecast.records))
        return ServiceEstimate(
            parts: zip(services.services, forecast.services).map { asked, service in
                let (least, most) = (Double(service.calls.lowerBound), Double(service.calls.upperBound))
                return ServiceEstimate.Part(
                    service: service.name, calls: least * scale...most * scale, interval: service.interval,
                    followsOthers: !asked.definition.isOfBooks)
            })
    }

    /// Reads all files and counts.
    private func count(
        _ reading: ReadSettings, filteringBy filter: FilterPending? = nil
    ) async throws(ETLError) -> ImportForecast {
        var counts = ForecastCounts()
        let lookUp = LookUpBooks(providers: catalogs.map { CatalogProvider($0) })
        let asked = services.services
        let reader = try store.map { path throws(ETLError) in try AnswerReader(of: path) }
        var read: ForecastCache.Reader?
        if let reader {
            read = { (form, keys) throws(ETLError) in try await reader.cachedAnswers(in: form, keys) }
        }
        var pricing = try ServiceForecaster(
            services, catalogs: catalogs, reading: read,
            history: try store.map { path throws(ETLError) in
                try AnswerHistory(StoreFile.openForReading(path), of: asked.map(\.definition))
            }, now: clock.epochMilliseconds())
        var left = reading.limit ?? .max
        for (index, path) in reading.files.enumerated() {
            let file = try LibraryFile(path, index: index, settings: reading)
            var reader = try LibraryFileReader(file, settings: reading)
            while left > 0, let chunk = try reader.next(atMost: left) {
                left -= chunk.recordsRead
                var batch = Batch(
                    sequence: 0, end: chunk.end, recordsRead: chunk.recordsRead, payload: chunk.rows,
                    rejects: chunk.rejects)
                var recordsRead = chunk.recordsRead
                if let filter {
                    batch = try await filter.process(batch)
                    recordsRead = batch.payload.count
                }
                let validated = try await ValidateISBN().process(batch)
                counts.count(validated.payload, read: recordsRead, rejects: validated.rejects)
                if !asked.isEmpty { try await pricing.count(validated) }
                guard !catalogs.isEmpty, filter == nil else { continue }
                let matched = try await lookUp.process(validated)
                counts.hits += matched.payload.candidatesOfRow.count { !$0.isEmpty }
            }
        }
        var forecast = counts.forecast
        forecast.catalogHits = catalogs.isEmpty ? nil : counts.hits
        forecast.services = pricing.forecasts(left: await budgetsLeft(asked))
        return forecast
    }

    /// Today's remaining budget of each service, as far as it is known.
    private func budgetsLeft(
        _ asked: [(definition: ServiceDefinition, service: any Service)]
    ) async -> [String: Int] {
        guard let folder = services.stateFolder, LimiterFile.exists(in: folder),
            let limiter = try? LimiterFile(folder: folder)
        else { return [:] }
        var left: [String: Int] = [:]
        let now = clock.epochMilliseconds() * 1_000
        for (_, service) in asked {
            left[service.name] = await limiter.budgetLeft(of: service, at: now)
        }
        return left
    }
}

/// Counts what a forecast reports.
private struct ForecastCounts {
    var hits = 0
    private var result = ImportForecast()
    private var keys: Set<UInt64> = []
    private var rejects: [String: Int] = [:]
    private var repairs: [String: Int] = [:]
    private var warnings: [String: Int] = [:]

    mutating func count(_ rows: ValidatedRows, read: Int, rejects newRejects: [Reject]) {
        result.records += read
        for reject in newRejects { rejects[reject.code, default: 0] += 1 }
        for (row, rowISBN) in zip(rows.library.rows, rows.isbns) {
            for warning in row.warnings { warnings[warning.code, default: 0] += 1 }
            if let repair = rowISBN.repair {
                result.repairedISBNs += 1
                repairs[repair.name, default: 0] += 1
            } else if rowISBN.isbn != nil {
                result.validISBNs += 1
            } else if row.warnings.contains(where: { $0.code.hasPrefix("isbn") }) {
                result.impossibleISBNs += 1
            } else {
                result.titlesOnly += 1
            }
            keys.insert(key(of: row, rowISBN, in: rows.library))
        }
    }

    /// A hash of the book's ISBN, or of its title and first author. At eight bytes a book, ten million books
    /// take 160 MB.
    private func key(of row: LibraryRow, _ rowISBN: RowISBN, in library: LibraryRows) -> UInt64 {
        if let isbn = rowISBN.isbn { return KeyHash.hash(Array(isbn.isbn13.utf8)) }
        let title = library.arena.withBytes(row.title) { KeyHash.hash($0, seed: 1) }
        guard let first = row.people.first else { return title }
        return library.arena.withBytes(library.people[first].name) { KeyHash.hash($0, seed: title) }
    }

    var forecast: ImportForecast {
        var forecast = result
        forecast.uniqueKeys = keys.count
        forecast.findings = FindingCounts(
            rejects: Self.sorted(rejects), repairs: Self.sorted(repairs), warnings: Self.sorted(warnings))
        return forecast
    }

    private static func sorted(_ counts: [String: Int]) -> [FindingCounts.Count] {
        counts.map { FindingCounts.Count(name: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }
}
