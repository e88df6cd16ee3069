import Books
import Database
import Pipeline

/// Searches a results store.
struct StoreSearch {
    private let store: Connection
    private let contributors: ContributorReader
    private let updatesIndex: Bool

    /// - Parameters:
    ///   - path: The store. It is only read; its index is a file next to it.
    ///   - updatesIndex: Whether the search updates the index first. If not, it uses the index as it is.
    init(_ path: String, updatesIndex: Bool = true) throws(StageFailure) {
        self.updatesIndex = updatesIndex
        store = try StoreFile.openForReading(path)
        contributors = try ContributorReader(store)
    }

    func find(_ query: SearchQuery) throws(StageFailure) -> [FoundBook] {
        if case .isbn(let isbn) = query {
            guard let found = try BookLocator(store).find(isbn) else { return [] }
            let edition = found.editions.first.map { " AND d.id = \($0)" } ?? ""
            return try books("w.id = \(found.work)\(edition)", score: 0)
        }
        let hits: [Hit]
        do throws(SQLiteError) {
            let path = StoreIndex.path(of: store.path)
            let index: StoreIndex
            if !updatesIndex, let ready = StoreIndex(asItIsAt: path) {
                index = ready
            } else {
                index = try StoreIndex(of: store, at: path)
            }
            // Another search may be replacing the index.
            hits = try index.connection.snapshot { () throws(SQLiteError) in
                try self.hits(query, index.connection)
            }
        } catch {
            throw error.failure
        }
        var found: [FoundBook] = []
        for hit in hits {
            let edition = hit.other?.edition.map { " AND d.id = \($0)" } ?? ""
            for var book in try books("w.id = \(hit.hit.document)\(edition)", score: hit.hit.score) {
                book.foundTitle = hit.other?.title
                found.append(book)
            }
        }
        return found
    }

    private struct Hit {
        var hit: FullTextSearch.Hit
        /// The title that matched, if it is not the work's own.
        var other: StoreTexts.OtherTitle?
    }

    private func hits(_ query: SearchQuery, _ index: Connection) throws(SQLiteError) -> [Hit] {
        let texts = try StoreTexts(store, index)
        let found = try FullTextSearch(index).find(title: query.title, author: query.author, isTyped: true) {
            id throws(SQLiteError) in try texts.text(of: id)
        }
        var hits: [Hit] = []
        for hit in found {
            let other = try hit.otherTitle.map { place throws(SQLiteError) in
                try texts.otherTitle(place, of: hit.document)
            }
            hits.append(Hit(hit: hit, other: other ?? nil))
        }
        return hits
    }

    /// The work that a condition selects, with the first matching edition.
    private func books(_ condition: String, score: Double) throws(StageFailure) -> [FoundBook] {
        let row = try store.query(
            """
            SELECT \(StoredBook.columns()) FROM works w JOIN editions d
            ON \(EditionsOfWork.condition(work: "w.id", alias: "d.")) WHERE \(condition)
            ORDER BY d.id LIMIT 1
            """)
        guard try row.next() else { return [] }
        let book = StoredBook(row, authors: try contributors.authors(of: row.integer(0)))
        return [
            FoundBook(
                work: book.work, edition: book.edition, authors: book.authors, score: score, isInStore: true,
                averageRating: book.averageRating, ratingsCount: book.ratingsCount)
        ]
    }
}
