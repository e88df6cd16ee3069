import Books
import Bytes
import Contract
import Pipeline
import Queries
import Sources
import System

/// The authors of books that a search has found, of whom nothing about culture is known. They are identified as people
/// of Wikidata by the stage of imports (``EnrichAuthors``).
struct FoundPeople: Sendable {
    /// The books, with what is known about their authors so far.
    private(set) var books: [FoundBook]
    private var batch: BookBatch
    /// The book and the author of each author of the batch.
    private var places: [(book: Int, author: Int)] = []

    /// The authors of the books that are not in the store. Imports and refreshes look up those of the store.
    init(_ books: [FoundBook]) {
        self.books = books
        let columns = ColumnMap(formatName: "search", names: [], fields: [:])
        let rows = ValidatedRows(library: LibraryRows(columns: columns), isbns: [])
        batch = BookBatch(matched: MatchedRows(rows))
        for number in books.indices where !books[number].isInStore { add(number) }
    }

    /// Whether there is no author to look up.
    var isEmpty: Bool { batch.authors.isEmpty }

    private mutating func add(_ number: Int) {
        let (values, authors) = (batch.values.count, batch.authors.count)
        let title = batch.arena.append(books[number].work.ownTitle)
        batch.values.append(BookValue(.title, title, from: .row, by: .given))
        for (place, author) in books[number].authors.enumerated() where !author.hasCulture {
            batch.authors.append(
                BookAuthor(
                    name: batch.arena.append(author.name), role: .author,
                    key: batch.arena.append(author.openLibraryID ?? ""),
                    wikidata: batch.arena.append(author.wikidataID ?? ""),
                    birthYear: author.birthYear.map { Int32(clamping: $0) },
                    deathYear: author.deathYear.map { Int32(clamping: $0) }, origin: .row))
            places.append((number, place))
        }
        batch.books.append(
            Book(
                values: values..<batch.values.count, authors: authors..<batch.authors.count,
                isSynthetic: false,
                primaryProvider: nil, contributors: [], reviewStatus: .needsReview, quality: 0))
    }

    /// Looks the authors up.
    ///
    /// - Returns: Whether everything was answered.
    /// - Throws: The errors of the directory.
    mutating func identify(in directory: any PersonDirectory) async throws(ETLError) -> Bool {
        let asked = Batch(sequence: 0, end: .start, recordsRead: books.count, payload: batch)
        let found = try await EnrichAuthors(directory: directory).process(asked).payload
        for (place, author) in zip(places, found.authors) where author.identification.isAccepted {
            books[place.book].authors[place.author].add(author.culture, in: found.arena)
        }
        return found.matched.unanswered.isEmpty
    }
}

extension AuthorDTO {
    /// Whether anything about culture is known.
    fileprivate var hasCulture: Bool { gender != .unknown || nationality != nil || culturalRegion != nil }

    fileprivate mutating func add(_ culture: Culture, in arena: Arena) {
        gender = culture.gender
        nationality = culture.nationality.isEmpty ? nil : arena[culture.nationality]
        culturalRegion = culture.region
        birthYear = culture.birthYear.map { Int($0) } ?? birthYear
        deathYear = culture.deathYear.map { Int($0) } ?? deathYear
    }
}
