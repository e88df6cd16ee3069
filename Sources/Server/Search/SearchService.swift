package import Application
import Books
package import Pipeline
import Syntax

/// Answers searches: from memory, or by searching store and catalogs on a pool. Requests for the same search share
/// one.
package final class SearchService: Sendable {
    /// An answer, and whether it was kept in memory.
    package typealias Answer = Result<(entry: SearchCache.Entry, isCached: Bool), SearchFailure>

    /// Why there is no answer.
    package enum SearchFailure: Error, Sendable {
        /// Too much work waits.
        case busy
        case failed(StageFailure)
    }

    private let store: String
    private let catalogs: [String]
    private let pool: WorkPool
    private let watch: StoreWatch
    private let clock: any RunClock
    private let cache: Guarded<SearchCache>
    private let underWay = SharedWork<SearchCache.Key, Answer>()
    /// The catalogs that each lane has opened.
    private let opened: [Guarded<[Catalog]?>]

    /// - Parameter cacheBytes: The most bytes of answers in memory.
    package init(
        store: String, catalogs: [String], on pool: WorkPool, watch: StoreWatch, clock: any RunClock,
        cacheBytes: Int = 64 << 20
    ) {
        self.store = store
        self.catalogs = catalogs
        self.pool = pool
        self.watch = watch
        self.clock = clock
        cache = Guarded(SearchCache(capacity: cacheBytes))
        opened = (0..<pool.laneCount).map { _ in Guarded(nil) }
    }

    private var now: Int64 { Int64(clock.nanoseconds() / 1_000_000) }

    /// The answer that is in memory; nil if there is none.
    package func kept(_ key: SearchCache.Key) -> SearchCache.Entry? {
        let (now, version) = (now, watch.version)
        return cache.withLock { $0.entry(key, now: now, version: version) }
    }

    /// Searches.
    ///
    /// - Parameter reply: Called once, on some thread.
    package func find(
        _ query: SearchQuery, as key: SearchCache.Key, _ reply: @escaping @Sendable (Answer) -> Void
    ) {
        guard !underWay.isUnderWay(key, reply) else { return }
        @Sendable func end(_ answer: Answer) {
            underWay.end(key, answer)
            reply(answer)
        }
        let isAccepted = pool.submit { [self] lane in
            let answer: Answer
            do throws(StageFailure) {
                let entry = try await entry(query, key, lane: lane)
                cache.withLock { $0.keep(entry, for: key) }
                answer = .success((entry, false))
            } catch {
                answer = .failure(.failed(error))
            }
            end(answer)
        }
        if !isAccepted { end(.failure(.busy)) }
    }

    /// The books that a search finds, without keeping them. It blocks, so it is called on a pool.
    package func books(_ query: SearchQuery) async throws(StageFailure) -> [FoundBook] {
        var catalogs: [Catalog] = []
        for path in self.catalogs { catalogs.append(try Catalog(path)) }
        let hasStore = try StoreFile.openIfStarted(store) != nil
        return try await BookSearch(store: hasStore ? store : nil, catalogs: catalogs).find(query)
    }

    private func entry(
        _ query: SearchQuery, _ key: SearchCache.Key, lane: Int
    ) async throws(StageFailure) -> SearchCache.Entry {
        let version = watch.version
        let hasStore = try StoreFile.openIfStarted(store) != nil
        let search = BookSearch(store: hasStore ? store : nil, catalogs: try catalogs(ofLane: lane))
        let books = Array(try await search.find(query).prefix(key.limit))
        var json = JSONWriter()
        let response = BookSearchResponse(books)
        switch key.shape {
        case .full: response.write(into: &json)
        case .books: FlatBooks(response.books).write(into: &json)
        case .book: if let book = response.books.first { book.write(into: &json) } else { json.null() }
        }
        var digest = SHA256()
        digest.update(json.bytes)
        return SearchCache.Entry(
            data: json.bytes, provider: response.mainProvider, tag: String(digest.hexDigest.prefix(24)),
            isEmpty: books.isEmpty, madeAt: now, version: version)
    }

    private func catalogs(ofLane lane: Int) throws(StageFailure) -> [Catalog] {
        if let catalogs = opened[lane].withLock({ $0 }) { return catalogs }
        var catalogs: [Catalog] = []
        for path in self.catalogs { catalogs.append(try Catalog(path)) }
        opened[lane].withLock { [catalogs] in $0 = catalogs }
        return catalogs
    }
}
