import Books
import Database
import Pipeline

/// Searches a results store.
struct StoreSearch {
    private let store: Connection
    private let contributors: ContributorReader

    /// - Parameter path: The store. It is only read; its index is a file next to it.
    init(_ path: String) throws(StageFailure) {
        store = try StoreFile.openForReading(path)
        contributors = try ContributorReader(store)
    }

    func find(_ query: SearchQuery) throws(StageFailure) -> [FoundBook] {
        if case .isbn(let isbn) = query {
            guard let found = try BookLocator(store).find(isbn) else { return [] }
            let edition = found.editions.first.map { " AND d.id = \($0)" } ?? ""
            return try books("w.id = \(found.work)\(edition)", score: 0)
        }
        var hits: [(hit: FullTextSearch.Hit, other: StoreTexts.OtherTitle?)] = []
        do throws(SQLiteError) {
            let index = try StoreIndex(of: store, at: StorePath.real(store.path) + ".search")
            let texts = try StoreTexts(store, index.connection)
            let search = try FullTextSearch(index.connection)
            let found = try search.find(title: query.title, author: query.author, isTyped: true) {
                id throws(SQLiteError) in try texts.text(of: id)
            }
            for hit in found {
                let other = try hit.otherTitle.map { place throws(SQLiteError) in
                    try texts.otherTitle(place, of: hit.document)
                }
                hits.append((hit, other ?? nil))
            }
        } catch {
            throw error.failure
        }
        var found: [FoundBook] = []
        for (hit, other) in hits {
            let edition = other?.edition.map { " AND d.id = \($0)" } ?? ""
            for var book in try books("w.id = \(hit.document)\(edition)", score: hit.score) {
                book.foundTitle = other?.title
                found.append(book)
            }
        }
        return found
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
