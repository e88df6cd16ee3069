package import Books
package import Pipeline

/// Searches a results store and offline catalogs together: what `etl search` does, without a terminal.
package struct BookSearch: Sendable {
    /// Books a search answers with at the most (API contract v2.1 section 6.1).
    package static let resultLimit = FullTextSearch.resultLimit

    private let store: String?
    private let catalogs: [Catalog]

    /// - Parameters:
    ///   - store: Path of a results store; nil to search catalogs only.
    ///   - catalogs: In the order of preference.
    package init(store: String?, catalogs: [Catalog]) {
        self.store = store
        self.catalogs = catalogs
    }

    /// The books that fit, the best first; of equals those in the store, then those of the catalog named first.
    /// A book that several hold is answered once, as the store has it where it does.
    package func find(_ question: SearchQuery) async throws(StageFailure) -> [FoundBook] {
        var found: [FoundBook] = []
        if let store { found += try StoreSearch(store).find(question) }
        for catalog in catalogs {
            try await CatalogKeys(catalog).complete(&found)
            found += try await find(question, in: catalog)
        }
        let ranked = found.enumerated().sorted { a, b in
            a.element.score != b.element.score ? a.element.score > b.element.score : a.offset < b.offset
        }
        var places: [String: Int] = [:]
        var books: [FoundBook] = []
        for book in ranked.map(\.element) {
            let identities = book.identities
            if let place = identities.lazy.compactMap({ places[$0] }).first,
                // Two editions of a work that the reader keeps apart stay two.
                !(book.isInStore && books[place].isInStore)
            {
                // The reader's own record goes before the catalog's.
                if book.isInStore { books[place] = book }
                for identity in identities { places[identity] = place }
                continue
            }
            for identity in identities { places[identity] = books.count }
            books.append(book)
        }
        return Array(books.prefix(Self.resultLimit))
    }

    private func find(_ question: SearchQuery, in catalog: Catalog) async throws(StageFailure)
        -> [FoundBook]
    {
        var findings = CatalogFindings()
        var isMatchedByISBN = false
        if case .isbn(let isbn) = question {
            findings.answers = try await catalog.answer(BookQueries(questions: [.isbn(isbn)]))
            findings.scores = [0]
            isMatchedByISBN = true
            findings.foundTitles = [nil]
        } else {
            findings = try await catalog.search(title: question.title, author: question.author)
        }
        let items = CatalogBookReader.items(in: findings.answers)
        let queries = items.map { PersonQuery(item: $0, foldedName: []) }
        var people: [UInt32: PersonFacts] = [:]
        for person in try await catalog.find(queries).joined() { people[person.item] = person }
        var reader = CatalogBookReader(provider: catalog.provider)
        var books: [FoundBook] = []
        for (number, answer) in findings.answers.answers.enumerated() {
            let score = findings.scores[number]
            guard
                var book = reader.book(
                    answer, of: findings.answers, score: score, isMatchedByISBN: isMatchedByISBN,
                    people: people)
            else { continue }
            book.foundTitle = findings.foundTitles[number]
            books.append(book)
        }
        return books
    }
}

extension BookSearchResponse {
    /// The answer of a search.
    package init(_ books: [FoundBook]) {
        var names: Set<String> = []
        let authors = books.flatMap(\.authors).filter { names.insert($0.key ?? $0.name).inserted }
        self.init(
            works: books.map(\.work), editions: books.compactMap(\.edition), authors: authors,
            totalResults: books.count, books: books.map(\.flat))
    }

    /// Who gave most of the works, in the contract's spelling; ``ResponseMetadata/nobody`` where there are none.
    package var mainProvider: String {
        var given: [Provider: Int] = [:]
        for provider in works.compactMap(\.primaryProvider) { given[provider, default: 0] += 1 }
        let most = given.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
        return most?.key.contractName ?? ResponseMetadata.nobody
    }
}
