package import Books
package import Contract
package import Jobs
package import Queries
import Sources
import Syntax
package import System

/// Answers searches: from memory, or by searching store and catalogs on its own pool. If these have fewer books than the
/// client wants, services are asked too, on another pool. A book that only the user's own file knows does not count. Requests for the same search share one.
///
///     find ─▶ cached? ─▶ store and catalogs ─▶ too few? ─▶ services ─▶ their authors in Wikidata
///                                                 └─ after a moment: what is known so far
package final class SearchService: Sendable {
    /// An answer, and whether it was kept in memory.
    package typealias Answer = Result<(entry: SearchCache.Entry, isCached: Bool), SearchFailure>

    /// Why there is no answer.
    package enum SearchFailure: Error, Sendable {
        /// Too many searches wait.
        case busy(Places.Refusal)
        /// The store has no index yet.
        case indexing
        /// Neither store nor catalogs have it, and a service has not answered.
        case unanswered(ResponseError)
        /// The store has no vectors, or their model cannot be used.
        case notConfigured(hasVectors: Bool)
        case failed(ETLError)
    }

    private let catalogs: [String]
    /// Pool of searches, so that other requests need not wait for them.
    package let pool: WorkPool
    private let indexer: SearchIndexer
    private let watch: StoreWatch
    /// Nil if no service is asked.
    private let services: ServiceSearch?
    /// Embeds queries; nil if there is no search by meaning.
    private let embedder: QueryEmbedder?
    /// Pool of searches that wait for services.
    private let waiters: WorkPool
    /// How long a search that has books to show waits for services, in nanoseconds.
    private let shortTimeout: UInt64
    private let clock: any RunClock
    private let cache: Guarded<SearchCache>
    private let underWay = SharedWork<SearchCache.Key, Answer>()
    /// Open files of each lane.
    private let opened: [OpenSources]

    private struct OpenSources: Sendable {
        let store: StoreSearcher
        let catalogs = Guarded<[Catalog]?>(nil)
    }

    /// - Parameters:
    ///   - indexTimeout: How long a search waits for an update of the store's index, in nanoseconds.
    ///   - services: The services to ask for what store and catalogs do not have; nil to ask none.
    ///   - waiters: Pool of searches that wait for services, so that others need not wait for them.
    ///   - shortTimeout: How long a search that has books to show waits for services, in nanoseconds.
    ///   - cacheBytes: Maximum size of cached answers in bytes.
    /// - Throws: `.temporary` if the process may not have another thread.
    package init(
        store: String, catalogs: [String], lanes: Int, indexTimeout: UInt64, watch: StoreWatch,
        services: ServiceSearch? = nil, embedder: QueryEmbedder? = nil, waiters: WorkPool,
        shortTimeout: UInt64, clock: any RunClock,
        cacheBytes: Int = 64 << 20
    ) throws(ETLError) {
        self.catalogs = catalogs
        pool = WorkPool("searchers", lanes: lanes, waiting: 256)
        indexer = try SearchIndexer(store: store, timeout: indexTimeout, clock: clock)
        self.watch = watch
        self.services = services
        self.embedder = embedder
        self.waiters = waiters
        self.shortTimeout = shortTimeout
        self.clock = clock
        cache = Guarded(SearchCache(capacity: cacheBytes))
        opened = (0..<pool.laneCount).map { _ in OpenSources(store: StoreSearcher(store)) }
    }

    /// Searches by words and meaning: embeds the query, which may be a request to a service, and then searches.
    ///
    /// - Parameter reply: Called once, on some thread.
    package func find(
        meaning text: String, as key: SearchCache.Key, isForced: Bool, for client: String,
        _ reply: @escaping @Sendable (Answer) -> Void
    ) {
        let (now, version, oldest) = (now, watch.version(isOfVectors: true), watch.lastEnd)
        if !isForced, let kept = cache.withLock({ $0.entry(key, now: now, version: version, since: oldest) })
        {
            return reply(.success((kept, true)))
        }
        guard let embedder else {
            return reply(.failure(.notConfigured(hasVectors: true)))
        }
        let refusal = waiters.submit(of: client) { [self] _ in
            do throws(ETLError) {
                find(.meaning(text, try await embedder.vector(of: text)), as: key, for: client, reply)
            } catch {
                reply(.failure(Self.failure(error)))
            }
        }
        if let refusal { reply(.failure(.busy(refusal))) }
    }

    /// The services that are asked.
    package var providers: [Provider] { services?.providers ?? [] }

    private var now: Int64 { Int64(clock.nanoseconds() / 1_000_000) }

    /// The cached answer; nil if there is none. If the answer expires soon, this starts a search for a new one.
    package func kept(_ key: SearchCache.Key, of query: SearchQuery) -> SearchCache.Entry? {
        let (now, version, oldest) = (now, watch.version(isOfVectors: query.isByVector), watch.lastEnd)
        let kept = cache.withLock { $0.entry(key, now: now, version: version, since: oldest) }
        if let kept, SearchCache.isAging(kept, now: now, version: version) { find(query, as: key) { _ in } }
        return kept
    }

    /// Searches.
    ///
    /// - Parameters:
    ///   - client: The client whose turn it is in the pool; empty for the server itself.
    ///   - reply: Called once, on some thread.
    package func find(
        _ query: SearchQuery, as key: SearchCache.Key, for client: String = "",
        _ reply: @escaping @Sendable (Answer) -> Void
    ) {
        guard !underWay.isUnderWay(key, reply) else { return }
        let answer = GrowingAnswer { [self] found in
            let answer: Answer = found.map { (keep($0, for: key), false) }
            underWay.end(key, answer)
            reply(answer)
        }
        @Sendable func end(_ found: GrowingAnswer.Found) {
            // What comes too late for those who waited is for the next search.
            if !answer.end(found), case .success(let late) = found { _ = keep(late, for: key) }
        }
        run(query, for: client) { search, version throws(ETLError) in
            let books = try await search.find(query, in: key.library, languages: key.languages)
            return SearchedBooks(books: books, version: version)
        } reply: { [self] (found: GrowingAnswer.Found) in
            guard case .success(let local) = found, !query.isByVector, let services,
                local.books.count(where: { !$0.isBare }) < key.limit
            else {
                return end(found)
            }
            if !local.books.isEmpty {
                answer.know(SearchedBooks(books: local.books, version: local.version, isComplete: false))
            }
            answer.hurry(after: shortTimeout, on: clock)
            let refusal = waiters.submit(of: client) { [self] _ in
                end(await ask(services, query, key, local, answer))
            }
            if let refusal { end(.failure(.busy(refusal))) }
        }
    }

    /// Asks services for what store and catalogs do not have, and then about the authors.
    ///
    /// - Parameters:
    ///   - local: What store and catalogs have.
    ///   - answer: Gets the books before anything is known about their authors.
    private func ask(
        _ services: ServiceSearch, _ query: SearchQuery, _ key: SearchCache.Key, _ local: SearchedBooks,
        _ answer: GrowingAnswer
    ) async -> GrowingAnswer.Found {
        do throws(ETLError) {
            switch try await services.find(query, within: local.books.isEmpty ? nil : shortTimeout) {
            case .nothing: return .success(local)
            case .found(let books, let isComplete):
                var all = SearchedBooks(
                    books: Array(local.books.followed(by: books).prefix(key.limit)), version: local.version,
                    isComplete: false)
                answer.know(all)
                let described = try await services.describingAuthors(of: all.books)
                all.books = described.books
                all.isComplete = isComplete && described.isComplete
                return .success(all)
            case .unanswered(let service):
                return .failure(.unanswered(SingleLookUp.error(service, now: clock.epochMilliseconds())))
            }
        } catch {
            return .failure(.failed(error))
        }
    }

    /// The books that a search finds, without keeping them.
    ///
    /// - Throws: `.temporary` if too much work waits, or the store has no index yet.
    package func books(
        _ query: SearchQuery, in library: String?, languages: [String] = [], for client: String = ""
    ) async throws(ETLError) -> [FoundBook] {
        let answer = await withCheckedContinuation { waiter in
            run(query, for: client) { search, _ throws(ETLError) in
                try await search.find(query, in: library, languages: languages)
            } reply: {
                waiter.resume(returning: $0)
            }
        }
        do { return try answer.get() } catch { throw Self.error(error) }
    }

    private static func error(_ failure: SearchFailure) -> ETLError {
        switch failure {
        case .busy: ETLError(.temporary, "Too many searches wait. Try again later.")
        case .indexing: ETLError(.temporary, BookSearch.indexingMessage)
        case .failed(let failure): failure
        case .unanswered(let error): ETLError(.temporary, error.message)
        case .notConfigured(let hasVectors):
            ETLError(.configuration, Self.notConfigured(hasVectors: hasVectors))
        }
    }

    /// The books that fit a text by words and meaning, without keeping them.
    ///
    /// - Throws: `.missing` if the store has no vectors, `.configuration` if their model cannot be used, `.temporary` if too much
    ///   work waits or its service does not answer.
    package func books(
        meaning text: String, in library: String?, languages: [String], for client: String
    ) async throws(ETLError) -> [FoundBook] {
        let vector: QueryVector
        do throws(ETLError) {
            guard let embedder else { throw StoreVectors.missing }
            vector = try await embedder.vector(of: text)
        } catch {
            throw Self.error(Self.failure(error))
        }
        return try await books(.meaning(text, vector), in: library, languages: languages, for: client)
    }

    /// Why a query has no vector. Paths and addresses of the server are not for its clients.
    private static func failure(_ error: ETLError) -> SearchFailure {
        switch error.kind {
        case .temporary, .unavailable:
            .unanswered(
                .overloaded("The service that embeds queries does not answer.", retryAfterSeconds: 30))
        case .missing: .notConfigured(hasVectors: false)
        case .configuration, .unusableInput: .notConfigured(hasVectors: true)
        default: .failed(error)
        }
    }

    /// Why there is no search by meaning.
    package static func notConfigured(hasVectors: Bool) -> String {
        hasVectors
            ? "This server cannot use the model of its vectors."
            : "This server has no vectors yet: its owner computes them with etl embed."
    }

    /// Updates the index if the store has changed. Call it now and then, so that the first search finds it current.
    package func updateIndex() { indexer.update(to: watch.version) }

    /// Whether the index is updated now.
    package var isUpdatingIndex: Bool { indexer.isUpdating }

    /// Ends the update of the index and the requests to services that are under way, and begins no further ones.
    package func stop() async {
        await services?.end()
        await indexer.stop()
        await embedder?.close()
    }

    /// Waits for the index, if the search needs it, and then runs on a lane.
    ///
    /// - Parameters:
    ///   - client: The client whose turn it is in the pool.
    ///   - body: Gets the version of the store that is searched.
    private func run<Value: Sendable>(
        _ query: SearchQuery, for client: String,
        _ body: @escaping @Sendable (BookSearch, UInt64) async throws(ETLError) -> Value,
        reply: @escaping @Sendable (Result<Value, SearchFailure>) -> Void
    ) {
        // Searches must find records written just now.
        watch.look()
        let version = watch.version(isOfVectors: query.isByVector)
        @Sendable func submit(_ version: UInt64) {
            let refusal = pool.submit(of: client) { [self] lane in
                let answer: Result<Value, SearchFailure>
                do throws(ETLError) {
                    answer = .success(try await body(try search(opened[lane]), version))
                } catch {
                    answer = .failure(
                        query.isByVector && [.missing, .configuration].contains(error.kind)
                            ? .notConfigured(hasVectors: error.kind != .missing)
                            : !query.needsIndex || indexer.stillHasIndex() ? .failed(error) : .indexing)
                }
                reply(answer)
            }
            if let refusal { reply(.failure(.busy(refusal))) }
        }
        guard query.needsIndex else { return submit(version) }
        indexer.prepare(for: version, since: watch.lastEnd) { readiness in
            switch readiness {
            case .success(let version): submit(version)
            case .failure(let failure): reply(.failure(failure))
            }
        }
    }

    private func search(_ sources: OpenSources) throws(ETLError) -> BookSearch {
        if let catalogs = sources.catalogs.withLock({ $0 }) {
            return BookSearch(sources.store, catalogs: catalogs)
        }
        var catalogs: [Catalog] = []
        for path in self.catalogs { catalogs.append(try Catalog(path)) }
        sources.catalogs.withLock { [catalogs] in $0 = catalogs }
        return BookSearch(sources.store, catalogs: catalogs)
    }

    /// Writes the answer, and keeps it for the next search.
    private func keep(_ found: SearchedBooks, for key: SearchCache.Key) -> SearchCache.Entry {
        let books = Array(found.books.prefix(key.limit))
        var json = JSONWriter()
        let response = BookSearchResponse(books)
        switch key.shape {
        case .full: response.write(into: &json)
        case .books: FlatBooks(response.books).write(into: &json)
        case .book: if let book = response.books.first { book.write(into: &json) } else { json.null() }
        }
        var digest = SHA256()
        digest.update(json.bytes)
        let entry = SearchCache.Entry(
            data: json.bytes, provider: response.mainProvider, tag: String(digest.hexDigest.prefix(24)),
            isEmpty: books.isEmpty, isComplete: found.isComplete, madeAt: now, version: found.version)
        cache.withLock { $0.keep(entry, for: key) }
        return entry
    }
}
