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
    /// - Throws: `.configuration` for settings of services that cannot be used.
    package init(_ template: ImportRequest, in parent: String, clock: any RunClock) throws(ETLError) {
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
            if case .found = first { return first }
        }
        return try await ask(nil, about: isbn, stop, observe)
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
            return .unanswered(.providerTimeout(names.first ?? ""))
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
        if let counts = outcome.waiting.first(where: { names.contains($0.service) }) {
            let resumeAt = outcome.services[counts.service]?.pausedUntil
            return .unanswered(Self.error(counts, until: resumeAt, now: clock.epochMilliseconds()))
        }
        switch outcome.end {
        // It was stopped before any service was asked.
        case .stopped, .canceled: return .unanswered(.providerTimeout(names.first ?? ""))
        default: return .nothing
        }
    }

    /// Why a service has not answered.
    ///
    /// - Parameter resumeAt: When it can be asked again, in milliseconds since 1970; nil if that is not known.
    static func error(_ counts: PendingRecords.Counts, until resumeAt: Int64?, now: Int64) -> ResponseError {
        let reasons = counts.reasons.keys.compactMap { LookupOutcome(name: $0) }
        // Why it failed says more than that it was not waited for any longer.
        let reason = reasons.filter(\.isCause).min { $0.rawValue < $1.rawValue }
        return error(reason ?? .queued, of: counts.service, until: resumeAt, now: now)
    }

    /// The same for one reason.
    static func error(
        _ outcome: LookupOutcome, of service: String, until resumeAt: Int64?, now: Int64
    ) -> ResponseError {
        switch outcome {
        case .timeout, .queued, .skipped, .stopped: return .providerTimeout(service)
        case .down, .quota, .rateLimited:
            let pause = resumeAt.map { max(1_000, $0 - now) }
            return .circuitOpen(service, retryAfterMs: pause ?? 60_000)
        default: return .providerError(service, reason: "Provider \(service) could not be asked.")
        }
    }
}
