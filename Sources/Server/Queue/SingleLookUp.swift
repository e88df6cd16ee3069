package import Books
package import Contract
import Database
package import Jobs
import Pipeline
import Queries
import Services
import Sources
import Store
package import System

/// Asks services about one book while a client waits for the answer.
///
/// It does what an order of such books does, but into a store that exists only for it. So it need not wait until a long
/// import lets it write.
package struct SingleLookUp: Sendable {
    /// Result of a look-up.
    package enum Finding: Sendable {
        /// - Parameter isComplete: Whether all who were asked have answered.
        case found(EnrichedBook, by: Provider, isComplete: Bool)
        case nothing
        /// No source has the book, but a service has not answered.
        case unanswered(ResponseError)
    }

    /// The services that are asked about books, in their usual order.
    package let providers: [Provider]
    /// How they are asked.
    let services: ServiceSettings
    private let template: ImportRequest
    private let parent: String
    private let clock: any RunClock

    /// - Parameters:
    ///   - template: A request for look-ups, with catalogs, services and pipeline.
    ///   - parent: Parent folder of the temporary stores.
    ///   - timeout: How long a look-up may take, in nanoseconds. Services that want a longer pause are not waited for.
    /// - Throws: `.configuration` for settings of services that cannot be used.
    package init(
        _ template: ImportRequest, in parent: String, timeout: UInt64, clock: any RunClock
    ) throws(ETLError) {
        var template = template
        template.services = { [services = template.services] names, isOffline, plan throws(ETLError) in
            var settings = try services(names, isOffline, plan)
            settings.longestPause = timeout
            return settings
        }
        self.template = template
        self.parent = parent
        self.clock = clock
        let plan = try BookStages.plan(template.definition)
        services = try template.services(template.providers, template.isOffline, plan.providers)
        providers = services.ofBooks.compactMap { Provider(contractName: $0.name) }
    }

    /// Asks about a book.
    ///
    /// - Parameters:
    ///   - preferred: Provider to ask first, and alone; nil to ask all at once.
    ///   - stop: Ends the look-up with the answers so far.
    ///   - observe: Called with the metrics of each service.
    package func run(
        _ isbn: ISBN, preferring preferred: Provider?, stop: StopSignal,
        observing observe: ([ServiceReport]) -> Void
    ) async throws(ETLError) -> Finding {
        if let preferred, providers.contains(preferred) {
            let first = try await ask([preferred], about: isbn, stop, observe)
            if case .found = first { return try await dated(first, isbn) }
        }
        return try await dated(try await ask(nil, about: isbn, stop, observe), isbn)
    }

    /// A finding that says when ISBNdb answered. The temporary store has no answers.
    private func dated(_ finding: Finding, _ isbn: ISBN) async throws(ETLError) -> Finding {
        guard case .found(var book, let provider, let isComplete) = finding, book.edition?.isbndbID != nil,
            let answers = template.answers
        else { return finding }
        let (form, key) = (ServiceDefinition.isbndb.reader.form, ServiceKey(.isbn, isbn.isbn13))
        let answered = try await answers.cachedAnswers(in: form, [key]).first??.fetchedAt
        book.work?.lastISBNDBSync = answered
        book.edition?.lastISBNDBSync = answered
        return .found(book, by: provider, isComplete: isComplete)
    }

    /// - Parameter only: The only services to ask; nil for all, and the catalogs.
    private func ask(
        _ only: [Provider]?, about isbn: ISBN, _ stop: StopSignal, _ observe: ([ServiceReport]) -> Void
    ) async throws(ETLError) -> Finding {
        let folder = try ScratchFolder(
            in: parent, advice: "Check the folder's permissions and the free space on its disk.")
        var options = ImportOptions(.books, job: "look-up")
        options.files = ["\(folder.path)/books.csv"]
        var book = RequestedBook()
        book.isbn = isbn.isbn13
        try FolderFile(options.files[0]).write(RequestedBook.table([book]))
        var request = try options.request(template)
        if let only {
            request.providers = only.map(\.contractName)
            request.catalogPaths = []
        }
        let names = (only ?? providers).map(\.contractName)
        do throws(ETLError) {
            return try await TemporaryImport(request).run(in: folder.path, clock: clock, stop: stop) {
                store, outcome throws(ETLError) in
                observe(outcome.services)
                return try finding(outcome, store, asking: names)
            }
        } catch {
            // Something that it did not wait for any longer.
            guard stop.isRaised, error.kind == .temporary || error.kind == .transient else { throw error }
            return .unanswered(Self.stopped(names))
        }
    }

    private func finding(
        _ outcome: ImportOutcome, _ store: Connection, asking names: [String]
    ) throws(ETLError) -> Finding {
        var books = try JobBooks(outcome.job, in: store)
        if let book = try books.next(), let provider = book.work.primaryProvider {
            return .found(
                EnrichedBook(work: book.work, edition: book.edition, authors: book.authors), by: provider,
                isComplete: outcome.waiting.isEmpty)
        }
        let now = clock.epochMilliseconds()
        let waiting = outcome.waiting.filter { names.contains($0.service) }
        // One of which it is known why it has not answered says more.
        let failed = waiting.first { Self.cause(of: $0, outcome.services[$0.service]) != nil }
        if let counts = failed ?? waiting.first {
            return .unanswered(Self.error(counts, outcome.services[counts.service], now: now))
        }
        switch outcome.end {
        // It was stopped before anything was noted about the book.
        case .stopped, .canceled:
            let open = names.map { PendingRecords.Counts(service: $0) }
            let failed = open.first { Self.cause(of: $0, outcome.services[$0.service]) != nil }
            guard let failed else { return .unanswered(Self.stopped(names)) }
            return .unanswered(Self.error(failed, outcome.services[failed.service], now: now))
        default: return .nothing
        }
    }

    /// The look-up was stopped while services were waited for.
    private static func stopped(_ names: [String]) -> ResponseError {
        error(UnansweredService(names.first ?? "", .timeout), now: 0)
    }

    /// Why a service has not answered.
    ///
    /// - Parameter now: Milliseconds since 1970.
    static func error(
        _ counts: PendingRecords.Counts, _ metrics: ServiceMetrics? = nil, now: Int64
    ) -> ResponseError {
        let outcome = cause(of: counts, metrics) ?? .queued
        return error(
            UnansweredService(
                counts.service, outcome, status: metrics?.failed[outcome]?.last.status,
                resumeAt: metrics?.pausedUntil), now: now)
    }

    /// Why it failed, which says more than that it was not waited for any longer: a request that has failed may pause
    /// before it is repeated until the time is over. Nil if it has not failed.
    private static func cause(
        of counts: PendingRecords.Counts, _ metrics: ServiceMetrics?
    ) -> LookupOutcome? {
        let reasons = counts.reasons.keys.compactMap { LookupOutcome(name: $0) }
        return reasons.filter(\.isCause).min { $0.rawValue < $1.rawValue } ?? metrics?.lastFailed
    }

    /// The contract's error for a service that has not answered.
    ///
    /// - Parameter now: Milliseconds since 1970.
    static func error(_ service: UnansweredService, now: Int64) -> ResponseError {
        let (name, outcome) = (service.name, service.outcome)
        let failure = ProviderFailure(name, error: outcome.name, status: service.status)
        let wait = service.resumeAt.map { max(1_000, $0 - now) }
        switch outcome {
        case .timeout, .queued, .skipped, .stopped:
            return .providerTimeout(ProviderFailure(name, error: LookupOutcome.timeout.name))
        // No breaker is open, and clients that wait for one to close would wait for hours.
        case .quota:
            let end = service.resumeAt.map { " before \(Timestamp.withoutFraction($0))" } ?? " today"
            return .providerError(
                failure,
                reason: "Provider \(name) answers no further requests\(end): its daily quota is spent.",
                retryAfterMs: wait)
        case .down, .rateLimited: return .circuitOpen(failure, retryAfterMs: wait ?? 60_000)
        default: return .providerError(failure, reason: "Provider \(name) could not be asked.")
        }
    }
}
