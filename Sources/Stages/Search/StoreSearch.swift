import Pipeline

/// Searches a results store.
struct StoreSearch {
    private let store: Connection
    private let contributors: ContributorReader

    /// - Parameter path: The store. It is only read; its index is a file beside it.
    init(_ path: String) throws(StageFailure) {
        store = try StoreFile.openForReading(path)
        contributors = try ContributorReader(store)
    }

    func find(_ question: SearchQuestion) throws(StageFailure) -> [FoundBook] {
        if case .isbn(let isbn) = question {
            guard let found = try BookLocator(store).find(isbn) else { return [] }
            let edition = found.editions.first.map { " AND d.id = \($0)" } ?? ""
            return try books("w.id = \(found.work)\(edition)", score: 0)
        }
        let hits: [FullTextSearch.Hit]
        do throws(SQLiteError) {
            let index = try StoreIndex(of: store, at: store.path + ".search")
            let texts = try StoreTexts(store)
            hits = try FullTextSearch(index.connection).find(title: question.title, author: question.author) {
                id throws(SQLiteError) in try texts.text(of: id)
            }
        } catch {
            throw error.failure
        }
        var found: [FoundBook] = []
        for hit in hits { found += try books("w.id = \(hit.document)", score: hit.score) }
        return found
    }

    /// The work of a condition with its first edition.
    private func books(_ condition: String, score: Double) throws(StageFailure) -> [FoundBook] {
        let row = try store.question(
            """
            SELECT \(StoredBook.columns) FROM works w JOIN editions d
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
