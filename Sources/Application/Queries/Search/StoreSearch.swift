import Database
import Sources
import Store
import System

/// Searches a results store, which it keeps open.
final class StoreSearch {
    private let store: Connection
    private let contributors: ContributorReader
    private let book: Statement
    private let owner: Statement
    private let schema: Statement
    private let schemaVersion: Int64
    private let updatesIndex: Bool
    /// The index of the last search, if the next one can use it.
    private var kept: OpenIndex?

    private struct OpenIndex {
        let connection: Connection
        let file: SidecarFile.Identity?
        let dataVersion: Statement
        /// The version of the index that `texts` and `search` belong to.
        var version: Int64
        var texts: StoreTexts
        var search: FullTextSearch
    }

    /// - Parameter path: The store. It is only read; its index is a file next to it.
    convenience init(_ path: String, updatesIndex: Bool = true) throws(ETLError) {
        try self.init(StoreFile.openForReading(path), updatesIndex: updatesIndex)
    }

    /// - Parameters:
    ///   - store: The store, open for reading.
    ///   - updatesIndex: Whether each search updates the index first. If not, it uses the index as it is.
    init(_ store: Connection, updatesIndex: Bool) throws(ETLError) {
        self.updatesIndex = updatesIndex
        self.store = store
        contributors = try ContributorReader(store)
        book = try store.query(
            """
            SELECT \(StoredBook.columns()) FROM works w JOIN editions d
            ON \(EditionsOfWork.condition(work: "w.id", alias: "d."))
            WHERE w.id = ?1 AND (?2 IS NULL OR d.id = ?2) ORDER BY d.id LIMIT 1
            """)
        owner = try store.prepare(LibrariesOfWork.query("="))
        schema = try store.prepare("PRAGMA schema_version")
        schemaVersion = try Self.value(schema)
    }

    /// Whether the store has the schema with which it was opened.
    var isCurrent: Bool { (try? Self.value(schema)) == schemaVersion }

    /// - Parameter library: The library whose books are found; nil for all.
    /// - Throws: `.temporary` if there is no index, and the search does not update it.
    func find(_ query: SearchQuery, in library: String? = nil) throws(ETLError) -> [FoundBook] {
        if case .isbn(let isbn) = query {
            guard let found = try BookLocator(store).find(isbn), try has(library, found.work) else {
                return []
            }
            return try book(found.work, found.editions.first, score: 0).map { [$0] } ?? []
        }
        var found: [FoundBook] = []
        for hit in try hits(query, in: library) {
            guard var book = try book(hit.hit.document, hit.other?.edition, score: hit.hit.score) else {
                continue
            }
            // A title without an edition is from a row, perhaps of another library.
            book.foundTitle = library == nil || hit.other?.edition != nil ? hit.other?.title : nil
            found.append(book)
        }
        return found
    }

    /// Whether a library has a work.
    private func has(_ library: String?, _ work: Int64) throws(ETLError) -> Bool {
        guard let library else { return true }
        owner.bind(values: work, library)
        defer { owner.reset() }
        return try owner.next()
    }

    private struct Hit {
        var hit: FullTextSearch.Hit
        /// The title that matched, if it is not the work's own.
        var other: StoreTexts.OtherTitle?
    }

    private func hits(_ query: SearchQuery, in library: String?) throws(ETLError) -> [Hit] {
        let hits = try hitsOrRepair(query, in: library, StoreIndex.path(of: store.path))
        guard let hits else { throw ETLError(.temporary, BookSearch.indexingMessage) }
        return hits
    }

    private func hitsOrRepair(
        _ query: SearchQuery, in library: String?, _ path: String
    ) throws(ETLError) -> [Hit]? {
        do throws(ETLError) {
            return try hits(query, in: library, path)
        } catch {
            kept = nil
            // Damage that an update does not see. The next search finds a new index.
            guard error.isDamage, error.fault?.path == path else { throw error }
            try StoreIndex.clear(at: path)
            return updatesIndex ? try hits(query, in: library, path) : nil
        }
    }

    /// Nil if there is no index.
    private func hits(_ query: SearchQuery, in library: String?, _ path: String) throws(ETLError) -> [Hit]? {
        // Before it is opened: if it is replaced meanwhile, the next search opens the other one.
        let file = SidecarFile.Identity(of: path)
        guard let connection = try index(path, file) else { return nil }
        // Another connection may be replacing the index.
        return try connection.readTransaction { () throws(ETLError) in
            let index = try current(connection, file)
            let found = try index.search.find(title: query.title, author: query.author, isTyped: true) {
                id throws(ETLError) in try has(library, id) ? try index.texts.text(of: id) : nil
            }
            var hits: [Hit] = []
            for hit in found {
                let other = try hit.otherTitle.map { place throws(ETLError) in
                    try index.texts.otherTitle(place, of: hit.document)
                }
                hits.append(Hit(hit: hit, other: other ?? nil))
            }
            return hits
        }
    }

    /// The connection to the index; nil if there is no index.
    private func index(_ path: String, _ file: SidecarFile.Identity?) throws(ETLError) -> Connection? {
        guard !updatesIndex else { return try StoreIndex(of: store, at: path).connection }
        if let kept, kept.file == file { return kept.connection }
        return try StoreIndex(existingAt: path, of: store)?.connection
    }

    /// An index in its state of now. Prepared statements are kept while it does not change.
    private func current(
        _ connection: Connection, _ file: SidecarFile.Identity?
    ) throws(ETLError) -> OpenIndex {
        if var index = kept, index.connection === connection {
            let version = try Self.value(index.dataVersion)
            if version != index.version {
                index.search = try FullTextSearch(connection)
                index.version = version
                kept = index
            }
            return index
        }
        let dataVersion = try connection.prepare("PRAGMA data_version")
        let index = OpenIndex(
            connection: connection, file: file, dataVersion: dataVersion,
            version: try Self.value(dataVersion),
            texts: try StoreTexts(store, connection), search: try FullTextSearch(connection))
        kept = updatesIndex ? nil : index
        return index
    }

    private static func value(_ statement: Statement) throws(ETLError) -> Int64 {
        defer { statement.reset() }
        return try statement.next() ? statement.integer(0) : 0
    }

    /// A work with one of its editions, the first one if none is given; nil if it no longer exists.
    private func book(_ work: Int64, _ edition: Int64?, score: Double) throws(ETLError) -> FoundBook? {
        book.bind(values: work, edition)
        defer { book.reset() }
        guard try book.next() else { return nil }
        let stored = StoredBook(book, authors: try contributors.authors(of: work))
        return FoundBook(
            work: stored.work, edition: stored.edition, authors: stored.authors, score: score,
            isInStore: true, averageRating: stored.averageRating, ratingsCount: stored.ratingsCount)
    }
}

/// Searches a store again and again, for a process that answers many searches. It runs where the calling task
/// prefers.
package actor StoreSearcher {
    private let path: String
    private var opened: (search: StoreSearch, file: SidecarFile.Identity?)?

    /// - Parameter path: The store, which need not exist yet.
    package init(_ path: String) { self.path = path }

    /// The books that match, best first; none if there is no store. The index is used as it is.
    ///
    /// - Throws: `.temporary` if there is no index.
    func find(_ query: SearchQuery, in library: String? = nil) throws(ETLError) -> [FoundBook] {
        guard let search = try search() else { return [] }
        do throws(ETLError) {
            return try search.find(query, in: library)
        } catch {
            // Whatever the cause, the next search starts afresh.
            opened = nil
            throw error
        }
    }

    private func search() throws(ETLError) -> StoreSearch? {
        let file = SidecarFile.Identity(of: path)
        if let opened, opened.file == file, opened.search.isCurrent { return opened.search }
        opened = nil
        guard let store = try StoreFile.openIfStarted(path) else { return nil }
        let search = try StoreSearch(store, updatesIndex: false)
        opened = (search, file)
        return search
    }
}
