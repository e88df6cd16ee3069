package import Books
package import Contract
import Jobs
import Queries
import Services
import Syntax
package import System

/// Finds single books for clients that wait for the answer: in store and catalogs, or else at the services. Requests
/// for the same book share one look-up, and what services have answered is kept in memory.
package final class BookLookUps: Sendable {
    /// The answer to a look-up.
    package enum Answer: Sendable {
        /// A book, or nothing if no source has it.
        case entry(SearchCache.Entry, isCached: Bool)
        case refused(ResponseError, status: Int?)
        case failed(ETLError)
    }

    private struct State: Sendable {
        var cache: SearchCache
        var stops: [ObjectIdentifier: StopSignal] = [:]
        var isStopping = false
    }

    private let search: SearchService
    private let services: SingleLookUp
    private let metrics: ServerMetrics
    private let clock: any RunClock
    /// How long services are waited for, in nanoseconds.
    private let timeout: UInt64
    private let state: Guarded<State>
    private let underWay = SharedWork<SearchCache.Key, Answer>()

    /// - Parameters:
    ///   - timeout: How long services are waited for, in nanoseconds.
    ///   - cacheBytes: Maximum size of cached answers in bytes.
    package init(
        _ search: SearchService, _ services: SingleLookUp, metrics: ServerMetrics, clock: any RunClock,
        timeout: UInt64, cacheBytes: Int = 16 << 20
    ) {
        self.search = search
        self.services = services
        self.metrics = metrics
        self.clock = clock
        self.timeout = timeout
        state = Guarded(State(cache: SearchCache(capacity: cacheBytes)))
    }

    /// The services that are asked.
    package var providers: [Provider] { services.providers }

    /// Finds a book. It blocks, so it is called on a pool.
    ///
    /// - Parameter library: The library whose books are known besides those of catalogs and services; nil for all.
    package func find(_ request: BarcodeRequest, in library: String?) async -> Answer {
        var key = SearchCache.Key(kind: .isbn, text: request.question, limit: 1, shape: .full)
        key.library = library
        let shared: Answer? = await withCheckedContinuation { waiter in
            if !underWay.isUnderWay(key, { waiter.resume(returning: $0) }) { waiter.resume(returning: nil) }
        }
        if let shared { return shared }
        let answer: Answer
        do throws(ETLError) { answer = try await lookUp(request, key) } catch { answer = .failed(error) }
        underWay.end(key, answer)
        return answer
    }

    /// Ends all look-ups, and begins no further ones.
    package func stop() {
        let stops = state.withLock { state in
            state.isStopping = true
            return Array(state.stops.values)
        }
        for stop in stops { stop.raise() }
    }

    private func lookUp(_ request: BarcodeRequest, _ key: SearchCache.Key) async throws(ETLError)
        -> Answer
    {
        let known = try await search.books(.isbn(request.isbn), in: key.library).first
        if let known, known.work.primaryProvider != nil || providers.isEmpty,
            isPreferred(known.work.primaryProvider, by: request)
        {
            return .entry(entry(known), isCached: false)
        }
        guard !providers.isEmpty else { return .entry(nothing, isCached: false) }
        let now = self.now
        // What only the user's own row knows is completed, and changes with the row.
        if known == nil, let kept = state.withLock({ $0.cache.entry(key, now: now, version: 0) }) {
            return .entry(kept, isCached: true)
        }
        let (finding, isCached) = try await ask(request)
        switch finding {
        case .found(let book, let provider, let isComplete):
            guard var known, known.isBare, let record = FoundBook(book) else {
                let entry = entry(book, provider.contractName)
                if isComplete { state.withLock { $0.cache.keep(entry, for: key) } }
                return .entry(entry, isCached: isCached)
            }
            known.complete(with: record)
            return .entry(entry(known), isCached: isCached)
        case .nothing:
            // Only the user's own row knows it.
            if let known { return .entry(entry(known), isCached: false) }
            state.withLock { $0.cache.keep(nothing, for: key) }
            return .entry(nothing, isCached: false)
        case .unanswered where state.withLock({ $0.isStopping }):
            return .refused(.overloaded("The server stops.", retryAfterSeconds: 5), status: 503)
        case .unanswered(let error): return .refused(error, status: nil)
        }
    }

    /// Whether no service that is asked would be preferred.
    private func isPreferred(_ provider: Provider?, by request: BarcodeRequest) -> Bool {
        guard let preferred = request.preferred, providers.contains(preferred) else { return true }
        return provider == preferred
    }

    /// Asks the services, for as long as a client waits.
    ///
    /// - Returns: What they have, and whether nothing had to be requested, because all answers were kept.
    private func ask(_ request: BarcodeRequest) async throws(ETLError)
        -> (finding: SingleLookUp.Finding, isCached: Bool)
    {
        let stop = StopSignal()
        let isStopping = state.withLock { state in
            state.stops[ObjectIdentifier(stop)] = stop
            return state.isStopping
        }
        if isStopping { stop.raise() }
        let timer = Task { [clock, timeout] in
            await clock.sleep(nanoseconds: timeout)
            if !Task.isCancelled { stop.raise() }
        }
        defer {
            timer.cancel()
            state.withLock { _ = $0.stops.removeValue(forKey: ObjectIdentifier(stop)) }
        }
        var calls = 0
        let finding = try await services.run(request.isbn, preferring: request.preferred, stop: stop) {
            metrics.note($0)
            calls += $0.reduce(0) { $0 + $1.metrics.calls }
        }
        return (finding, calls == 0)
    }

    private var now: Int64 { Int64(clock.nanoseconds() / 1_000_000) }

    private var nothing: SearchCache.Entry {
        SearchCache.Entry(
            data: [], provider: ResponseMetadata.noProvider, tag: "", isEmpty: true, madeAt: now, version: 0)
    }

    private func entry(_ book: FoundBook) -> SearchCache.Entry {
        entry(
            EnrichedBook(work: book.work, edition: book.edition, authors: book.authors),
            book.work.primaryProvider?.contractName)
    }

    private func entry(_ book: EnrichedBook, _ provider: String?) -> SearchCache.Entry {
        SearchCache.Entry(
            data: book.json, provider: provider, tag: "", isEmpty: false, madeAt: now, version: 0)
    }
}
