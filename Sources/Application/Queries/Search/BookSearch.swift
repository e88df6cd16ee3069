import Books
import Bytes
package import Contract
import Database
package import Sources
import Store
package import System

/// Searches a results store and catalogs together: what `etl search` does, without a terminal.
package struct BookSearch: Sendable {
    /// Maximum number of books that a search returns.
    package static let resultLimit = FullTextSearch.resultLimit

    private let searchStore:
        @Sendable (SearchQuery, String?, EditionOrder) async throws(ETLError) -> [FoundBook]
    private let languageOfStore: @Sendable (String?) async throws(ETLError) -> String?
    private let catalogs: [Catalog]

    /// For one search.
    ///
    /// - Parameters:
    ///   - store: Path of a results store, whose index is updated first; nil to search catalogs only.
    ///   - catalogs: In order of preference.
    package init(store: String?, catalogs: [Catalog]) {
        searchStore = { query, library, order throws(ETLError) in
            guard let store else { return [] }
            return try StoreSearch(store).find(query, in: library, order)
        }
        languageOfStore = { library throws(ETLError) in
            guard let store else { return nil }
            return try StoreSearch(store).language(of: library)
        }
        self.catalogs = catalogs
    }

    /// For a process that answers many searches.
    ///
    /// - Parameters:
    ///   - searcher: Searches the store. Its index is used as it is; ``updateIndex(of:)`` updates it.
    ///   - catalogs: In order of preference.
    package init(_ searcher: StoreSearcher, catalogs: [Catalog]) {
        searchStore = { query, library, order throws(ETLError) in
            try await searcher.find(query, in: library, order)
        }
        languageOfStore = { library throws(ETLError) in try await searcher.language(of: library) }
        self.catalogs = catalogs
    }

    /// Message for clients while the store has no index.
    package static let indexingMessage = "The library is being indexed for the first search."

    /// Updates the index of a store. It takes time in proportion to the store if indexed works have changed, or
    /// else to the new works. Searches can use the last state of the index meanwhile.
    ///
    /// - Parameter stop: Ends the update when it is raised. The index then stays as it was.
    package static func updateIndex(of store: String, stop: StopSignal = StopSignal()) -> IndexUpdate {
        do throws(ETLError) {
            guard let connection = try StoreFile.openIfStarted(store) else { return .noStore }
            return StoreIndex.update(of: connection, at: StoreIndex.path(of: store), stop: stop)
        } catch {
            return .failed(error)
        }
    }

    /// Whether a store has an index, current or not.
    package static func hasIndex(_ store: String) -> Bool {
        guard let connection = try? StoreFile.openIfStarted(store) else { return false }
        return (try? StoreIndex(existingAt: StoreIndex.path(of: store), of: connection)) ?? nil != nil
    }

    /// The file of a store's index.
    package static func indexPath(of store: String) -> String { StoreIndex.path(of: store) }

    /// Deletes the words of a store from its index. The next search makes it anew.
    package static func clearIndex(of store: String) throws(ETLError) {
        try StoreIndex.clear(at: StoreIndex.path(of: store))
    }

    /// The books that match, best first. Of books with the same score, those in the store come first, then
    /// those of the earlier catalog. A book that several of them have is returned once: from the store if it
    /// is there.
    ///
    /// A book has up to ten editions of its work, of which the first gives it its title (``EditionOrder``).
    ///
    /// - Parameters:
    ///   - library: The library whose books are found besides those of the catalogs; nil for all.
    ///   - languages: The languages of the request, ISO 639-1, the preferred one first. The library's own language
    ///     follows.
    package func find(
        _ query: SearchQuery, in library: String? = nil, languages: [String] = []
    ) async throws(ETLError) -> [FoundBook] {
        guard !query.isBlank else { return [] }
        var order = EditionOrder(languages: languages)
        if let own = try await languageOfStore(library), !languages.contains(own) {
            order.languages.append(own)
        }
        var found = try await searchStore(query, library, order)
        for catalog in catalogs where !query.isByVector {
            try await CatalogKeys(catalog).complete(&found)
            found += try await find(query, in: catalog)
        }
        // An entry with only an ISBN is no useful result.
        found.removeAll { $0.work.title.isEmpty }
        let ranked = found.enumerated().sorted { a, b in
            a.element.score != b.element.score ? a.element.score > b.element.score : a.offset < b.offset
        }
        var places: [String: Int] = [:]
        var books: [FoundBook] = []
        for book in ranked.map(\.element) {
            let identities = book.identities
            if let place = identities.lazy.compactMap({ places[$0] }).first,
                // Two editions of a work that are both in the store stay separate.
                !(book.isInStore && books[place].isInStore)
            {
                // The store's record goes before the catalog's.
                if book.isInStore { books[place] = book }
                for identity in identities { places[identity] = place }
                continue
            }
            for identity in identities { places[identity] = books.count }
            books.append(book)
        }
        books = Array(books.prefix(Self.resultLimit))
        for index in books.indices { try await addEditions(to: &books[index], query, order) }
        return books
    }

    /// Adds the editions that the first catalog with the work has, if there is room for more.
    private func addEditions(
        to book: inout FoundBook, _ query: SearchQuery, _ order: EditionOrder
    ) async throws(ETLError) {
        guard book.editions.count < EditionOrder.most, let work = book.catalogWork else { return }
        for catalog in catalogs {
            let answers = try await catalog.editions(
                of: work, languages: order.languages, atMost: EditionOrder.most)
            guard !answers.answers.isEmpty else { continue }
            book.add(
                CatalogBookReader(provider: catalog.provider).editions(in: answers), order,
                isAsked: query.isByISBN)
            return
        }
    }

    private func find(_ query: SearchQuery, in catalog: Catalog) async throws(ETLError)
        -> [FoundBook]
    {
        var findings = CatalogFindings()
        var isMatchedByISBN = false
        if case .isbn(let isbn) = query {
            findings.answers = try await catalog.answer(BookQueries(queries: [.isbn(isbn)]))
            findings.scores = [0]
            isMatchedByISBN = true
            findings.foundTitles = [nil]
        } else {
            findings = try await catalog.search(title: query.title, author: query.author)
        }
        let items = CatalogBookReader.items(in: findings.answers)
        let queries = items.map { PersonQuery(item: $0, foldedName: []) }
        var people: [UInt32: PersonFacts] = [:]
        for person in try await catalog.find(queries).people.joined() { people[person.item] = person }
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
    /// The response to a search.
    package init(_ books: [FoundBook]) {
        var names: Set<String> = []
        let authors = books.flatMap(\.authors).filter { names.insert($0.key ?? $0.name).inserted }
        self.init(authors: authors, totalResults: books.count, books: books.map(\.flat))
        for book in books {
            var (work, own) = (book.work, book.editions)
            work.join(&own, book.authors)
            for id in own.flatMap(\.googleBooksVolumeIDs) where !work.googleBooksVolumeIDs.contains(id) {
                work.googleBooksVolumeIDs.append(id)
            }
            works.append(work)
            editions += own
        }
    }

    /// The provider that gave most of the works, as the contract spells it; ``ResponseMetadata/noProvider`` if
    /// nothing was found, nil if only the user's own files know the works.
    package var mainProvider: String? {
        guard !works.isEmpty else { return ResponseMetadata.noProvider }
        var given: [Provider: Int] = [:]
        for provider in works.compactMap(\.primaryProvider) { given[provider, default: 0] += 1 }
        let most = given.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
        return most?.key.contractName
    }
}

/// A book that a search found: a work, its editions if known, and its authors.
package struct FoundBook: Sendable {
    package var work: WorkDTO
    /// The edition at hand.
    package var edition: EditionDTO?
    package var authors: [AuthorDTO]
    /// Quality of the match; comparable between store and catalogs.
    package var score: Double
    /// The title that was found, if it is not the work's: that of an edition or of a user's row.
    package var foundTitle: String?
    /// Whether it is in the results store.
    package var isInStore: Bool
    /// Mean rating by the public and number of ratings, if the store has them.
    package var averageRating: Double?
    package var ratingsCount: Int?

    /// Further editions of the work, in the order in which they are shown.
    package var otherEditions: [EditionDTO] = []

    /// All editions, the one at hand first.
    package var editions: [EditionDTO] { (edition.map { [$0] } ?? []) + otherEditions }

    /// The number of the work in a catalog of Open Library; nil if it is not known.
    fileprivate var catalogWork: Int64? {
        let key = work.openLibraryID ?? catalogKeys.first.map { String($0.dropFirst(3)) }
        return key.flatMap { OpenLibraryKey($0) }.flatMap { $0.kind == .work ? $0.number : nil }
    }

    /// Adds those of a catalog's editions that the book does not have yet.
    ///
    /// - Parameter isAsked: Whether the edition at hand is the one that was asked for.
    fileprivate mutating func add(_ more: [EditionDTO], _ order: EditionOrder, isAsked: Bool) {
        func item(_ edition: EditionDTO, _ rank: EditionOrder.Rank, isDefault: Bool = false)
            -> EditionOrder.Item<EditionDTO>
        {
            .init(
                rank: rank, language: edition.language, date: edition.publicationDate, isDefault: isDefault,
                value: edition)
        }
        let known = editions
        let isbns = Set(known.flatMap(\.isbn13s))
        let keys = Set(known.compactMap(\.openLibraryID))
        let new = more.filter { edition in
            isbns.isDisjoint(with: edition.isbn13s)
                && edition.openLibraryID.map { !keys.contains($0) } ?? true
        }
        if isInStore {
            otherEditions += order.sorted(new.map { item($0, .other) })
            otherEditions = Array(otherEditions.prefix(EditionOrder.most - 1))
            return
        }
        let first = edition.map {
            item($0, isAsked ? .asked : foundTitle == nil ? .other : .found, isDefault: true)
        }
        let all = order.sorted((first.map { [$0] } ?? []) + (otherEditions + new).map { item($0, .other) })
        edition = all.first
        otherEditions = Array(all.dropFirst())
        work.show(titleOf: edition)
    }

    /// Adds a record of the same provider with the same ISBN as a further edition, if there is room for it. It fills the
    /// gaps of the work.
    package mutating func add(_ record: FoundBook) {
        work.description = work.description ?? record.work.description
        if work.rawSubjects.isEmpty {
            (work.rawSubjects, work.subjectTags) = (record.work.rawSubjects, record.work.subjectTags)
        }
        if authors.isEmpty { authors = record.authors }
        if averageRating == nil {
            (averageRating, ratingsCount) = (record.averageRating, record.ratingsCount)
        }
        guard otherEditions.count < EditionOrder.most - 1, var further = record.edition,
            let provider = further.primaryProvider, let volume = further.googleBooksVolumeIDs.first
        else { return }
        further.id = EditionDTO.id(ofVolume: volume, of: provider)
        otherEditions.append(further)
    }

    /// The book as one flat object.
    var flat: BookDTO {
        let nothing = EditionDTO(id: "", format: .paperback, isbndbQuality: 0)
        return BookDTO(
            work: work, edition: edition ?? nothing, authors: authors, averageRating: averageRating,
            ratingsCount: ratingsCount)
    }

    /// Keys of the catalogs' works that this book is, if its own record names none.
    var catalogKeys: [String] = []

    /// The identifiers by which the same book in the store and in a catalog is recognized.
    var identities: [String] {
        [work.id, work.openLibraryID.map { "ol:\($0)" }, edition?.isbn.map { "isbn:\($0)" }].compactMap(
            \.self) + catalogKeys
    }
}

/// Determines which works of a catalog the books of a store are, if they were imported without the catalog:
/// by ISBN, or else by title and author, as an import would do it.
struct CatalogKeys {
    private let catalog: Catalog

    init(_ catalog: Catalog) { self.catalog = catalog }

    /// Adds the catalog's work keys to the store's books. Their number is at most that of search results, so
    /// two lookups for each are affordable.
    func complete(_ books: inout [FoundBook]) async throws(ETLError) {
        try await complete(&books) { book, _ in
            book.edition?.isbn.flatMap { ISBN($0) }.map { BookQueries.Query.isbn($0) }
        }
        try await complete(&books) { book, arena in
            guard let author = book.authors.first?.name, !book.work.ownTitle.isEmpty else { return nil }
            return .described(
                BookDescription(title: arena.append(book.work.ownTitle), author: arena.append(author)))
        }
    }

    /// - Parameter query: The query to ask the catalog about a book whose work is not known yet.
    private func complete(
        _ books: inout [FoundBook],
        asking query: (FoundBook, inout Arena) -> BookQueries.Query?
    ) async throws(ETLError) {
        var queries = BookQueries()
        var asked: [Int] = []
        for (place, book) in books.enumerated() {
            guard book.isInStore, book.work.openLibraryID == nil, book.catalogKeys.isEmpty,
                let next = query(book, &queries.arena)
            else { continue }
            asked.append(place)
            queries.queries.append(next)
        }
        guard !asked.isEmpty else { return }
        let answers = try await catalog.answer(queries)
        for (place, answer) in zip(asked, answers.answers) where answer.outcome == .found {
            let key = answers.values[answer.values].first { $0.field == .workKey }
            if let key { books[place].catalogKeys.append("ol:\(answers.arena[key.value])") }
        }
    }
}
