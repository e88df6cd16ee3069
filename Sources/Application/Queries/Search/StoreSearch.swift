import Books
import Contract
import Database
import Sources
import Store
import System

/// Searches a results store, which it keeps open.
final class StoreSearch {
    let store: Connection
    private let contributors: ContributorReader
    private let book: Statement
    private let editions: Statement
    private let language: Statement
    private let further: FurtherEditions
    private var tags = SubjectTags()
    private let owner: Statement
    private let genreList: Statement
    private let publicKey: Statement
    private let schema: Statement
    private let schemaVersion: Int64
    private let updatesIndex: Bool
    /// The vectors of the last search.
    private var openedVectors: StoreVectors?
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
            "SELECT \(StoredBook.columns()) FROM editions d JOIN works w ON w.id = d.work WHERE d.id = ?1")
        // There is no index of entries by edition, but an edition that a row has created has the entry's id.
        editions = try store.prepare(
            """
            SELECT d.id, d.language, d.publication_date,
                EXISTS (SELECT 1 FROM entries e WHERE e.id = d.id AND e.edition = d.id)
            FROM editions d WHERE \(EditionsOfWork.condition(work: "?1", alias: "d.")) ORDER BY d.id
            """)
        language = try store.prepare(
            """
            SELECT d.language FROM (SELECT library, edition FROM entries ORDER BY id DESC LIMIT \(Self.sample)) e
                JOIN libraries l ON l.id = e.library JOIN editions d ON d.id = e.edition
            WHERE (?1 IS NULL OR l.name = ?1) AND d.language IS NOT NULL
            GROUP BY d.language ORDER BY count(*) DESC, d.language LIMIT 1
            """)
        further = try FurtherEditions(store)
        owner = try store.prepare(LibrariesOfWork.query("="))
        genreList = try store.prepare("SELECT genres FROM works WHERE id = ?1")
        publicKey = try store.prepare("SELECT key FROM works WHERE id = ?1")
        schema = try store.prepare("PRAGMA schema_version")
        schemaVersion = try Self.value(schema)
    }

    /// Whether the store has the schema with which it was opened.
    var isCurrent: Bool { (try? Self.value(schema)) == schemaVersion }

    /// Latest entries that decide about the language of a library.
    private static let sample = 200

    /// The language of most of the latest entries, ISO 639-1; nil if it is not known.
    ///
    /// - Parameter library: The library; nil for all.
    func language(of library: String?) throws(ETLError) -> String? {
        language.bind(values: library)
        defer { language.reset() }
        return try language.next() ? language.string(0) : nil
    }

    /// - Parameters:
    ///   - library: The library whose books are found; nil for all.
    ///   - order: The order of a work's editions.
    /// - Throws: `.temporary` if there is no index, and the search does not update it.
    func find(
        _ query: SearchQuery, in library: String? = nil, _ order: EditionOrder = EditionOrder(languages: [])
    ) throws(ETLError) -> [FoundBook] {
        if case .isbn(let isbn) = query {
            guard let found = try BookLocator(store, library: library).find(isbn),
                try has(library, found.work)
            else {
                return []
            }
            let asked = found.editions.first
            var works = [try items(of: found.work, library) { $0 == asked ? .asked : nil }]
            try rankReaders(&works, library)
            return try book(found.work, works[0], order, score: 0).map { [$0] } ?? []
        }
        if case .similar(let isbn) = query {
            guard try vectors() != nil else { throw StoreVectors.missing }
            guard let found = try BookLocator(store, library: library).find(isbn) else { return [] }
            let books = try similar(to: found.work, in: library, order, atMost: BookSearch.resultLimit)
            return books?.map(\.book) ?? []
        }
        if case .meaning(let text, let vector) = query {
            return try find(meaning: text, vector, in: library, order)
        }
        var found: [FoundBook] = []
        let hits = try hits(query, in: library)
        var works = try hits.map { hit throws(ETLError) in
            try items(of: hit.hit.document, library) { $0 == hit.other?.edition ? .found : nil }
        }
        try rankReaders(&works, library)
        for (hit, editions) in zip(hits, works) {
            guard var book = try book(hit.hit.document, editions, order, score: hit.hit.score) else {
                continue
            }
            // A title without an edition is from a row, perhaps of another library.
            book.foundTitle = library == nil || hit.other?.edition != nil ? hit.other?.title : nil
            found.append(book)
        }
        return found
    }

    /// The store's vectors; nil if it has none.
    func vectors() throws(ETLError) -> StoreVectors? {
        if let openedVectors, openedVectors.isCurrent { return openedVectors }
        openedVectors = nil
        openedVectors = try StoreVectors(of: store.path)
        return openedVectors
    }

    /// The genres of a work.
    func genres(of work: Int64) throws(ETLError) -> [String] {
        genreList.bind(1, work)
        defer { genreList.reset() }
        return try genreList.next() ? genreList.withBytes(0) { StoredList.strings($0) } : []
    }

    /// The public key of a work; nil if it no longer exists.
    func key(of work: Int64) throws(ETLError) -> String? {
        publicKey.bind(1, work)
        defer { publicKey.reset() }
        return try publicKey.next() ? publicKey.string(0) : nil
    }

    /// Whether a library has a work.
    func has(_ library: String?, _ work: Int64) throws(ETLError) -> Bool {
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

    /// A work with its editions; nil if it no longer exists.
    func book(
        _ work: Int64, _ editions: [EditionOrder.Item<Int64>], _ order: EditionOrder, score: Double
    ) throws(ETLError) -> FoundBook? {
        let ids = order.sorted(editions)
        guard let first = ids.first, var shown = try stored(first, authors: contributors.authors(of: work))
        else { return nil }
        shown.addTopics(&tags)
        var others: [EditionDTO] = []
        for id in ids where others.count < EditionOrder.most - 1 {
            if id != first, let edition = try stored(id, authors: [])?.edition { others.append(edition) }
            others += try further.all(of: id)
        }
        var found = FoundBook(
            work: shown.work, edition: shown.edition, authors: shown.authors, score: score,
            isInStore: true, averageRating: shown.averageRating, ratingsCount: shown.ratingsCount)
        found.otherEditions = Array(others.prefix(EditionOrder.most - 1))
        return found
    }

    private func stored(_ edition: Int64, authors: [AuthorDTO]) throws(ETLError) -> StoredBook? {
        book.bind(1, edition)
        defer { book.reset() }
        return try book.next() ? StoredBook(book, authors: authors) : nil
    }

    /// The row ids of a work's editions.
    ///
    /// - Parameter rank: The rank of an edition by its row id; nil if the query does not give it one.
    func items(
        of work: Int64, _ library: String?, _ rank: (Int64) -> EditionOrder.Rank?
    ) throws(ETLError) -> [EditionOrder.Item<Int64>] {
        var items: [EditionOrder.Item<Int64>] = []
        editions.bind(1, work)
        defer { editions.reset() }
        while try editions.next() {
            let id = editions.integer(0)
            let isReaders = library == nil && editions.integer(3) != 0
            items.append(
                .init(
                    rank: rank(id) ?? (isReaders ? .readers : .other), language: editions.optionalString(1),
                    date: editions.optionalString(2), value: id))
        }
        return items
    }

    /// Ranks the editions that a library has. No index of entries leads to them, so all works are looked up together.
    private func rankReaders(
        _ works: inout [[EditionOrder.Item<Int64>]], _ library: String?
    ) throws(ETLError) {
        // With one edition there is nothing to decide.
        let ids = works.filter { $0.count > 1 }.joined().map { "\($0.value)" }
        guard let library, !ids.isEmpty else { return }
        let readers = try store.query(
            """
            SELECT DISTINCT e.edition FROM entries e JOIN libraries l ON l.id = e.library
            WHERE l.name = ?1 AND e.edition IN (\(ids.joined(separator: ", ")))
            """, library)
        var owned: Set<Int64> = []
        while try readers.next() { owned.insert(readers.integer(0)) }
        for work in works.indices where works[work].count > 1 {
            for index in works[work].indices
            where owned.contains(works[work][index].value) && works[work][index].rank != .asked {
                works[work][index].rank = .readers
            }
        }
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
    func find(
        _ query: SearchQuery, in library: String?, _ order: EditionOrder
    ) throws(ETLError) -> [FoundBook] {
        guard let search = try search() else {
            if query.isByVector { throw StoreVectors.missing }
            return []
        }
        do throws(ETLError) {
            return try search.find(query, in: library, order)
        } catch {
            // Whatever the cause, the next search starts afresh. Without vectors, nothing is wrong with what is open.
            if error.kind != .missing { opened = nil }
            throw error
        }
    }

    /// The language of a library; nil if it is not known.
    func language(of library: String?) throws(ETLError) -> String? { try search()?.language(of: library) }

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
