import Foundation

/// An app's storage of its own books. The client maps books of the service to the app's model and stores each once.
public protocol BookRepository<Model>: Sendable {
    /// The app's model of a book.
    associatedtype Model: Sendable

    /// The stored model of a book; nil if it is not stored.
    ///
    /// Books with one ISBN are the same (``Book/identity``). If one of them has no ISBN, books with one title and first
    /// author are the same (``Book/titleIdentity``).
    func stored(like book: Book) async throws -> Model?
    /// A new model of a book.
    func make(from book: Book) -> Model
    /// A stored model with the additions of a book.
    func merge(_ book: Book, into model: Model) -> Model
    /// Stores new and changed models, all or none.
    func save(_ models: [Model]) async throws
}

extension BookRepository {
    /// Stores books, each once: those of an import (``ImportResults/books``) or search, or of look-ups
    /// (``Book/init(_:)``).
    ///
    /// - Returns: The number of books stored.
    @discardableResult
    public func store(_ books: [Book]) async throws -> Int {
        var places: [String: Int] = [:]
        var titles: [String: (place: Int, hasISBN: Bool)] = [:]
        var models: [Model] = []
        for book in books {
            let namesake = titles[book.titleIdentity].flatMap { $0.hasISBN && book.hasISBN ? nil : $0 }
            let place = places[book.identity] ?? namesake?.place ?? models.count
            if place < models.count {
                models[place] = merge(book, into: models[place])
            } else if let known = try await stored(like: book) {
                models.append(merge(book, into: known))
            } else {
                models.append(make(from: book))
            }
            places[book.identity] = place
            if titles[book.titleIdentity] == nil || namesake != nil {
                titles[book.titleIdentity] = (place, book.hasISBN || namesake?.hasISBN == true)
            }
        }
        try await save(models)
        return models.count
    }
}

extension Book {
    /// Key that is equal for equal books: the ISBN, else title and first author.
    public var identity: String {
        hasISBN ? "isbn:\(isbn13 ?? isbn)" : titleIdentity
    }

    /// Title and first author, however they are written.
    public var titleIdentity: String {
        "title:\(Self.folded(title))|\(Self.folded(authors.first ?? ""))"
    }

    /// Whether it has an ISBN.
    public var hasISBN: Bool { isbn13 != nil || !isbn.isEmpty }

    /// Without case, accents and repeated blanks.
    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// A book that was looked up; nil if nothing was found.
    public init?(_ found: EnrichedBook) {
        guard let title = found.edition?.title ?? found.work?.title else { return nil }
        let (work, edition) = (found.work, found.edition)
        self.init(
            isbn: edition?.isbn ?? edition?.isbns.first ?? "", title: title,
            authors: (found.authors ?? []).map(\.name))
        isbn13 = edition?.isbns.first { $0.count == 13 }
        publisher = edition?.publisher
        publishedDate = edition?.publicationDate
        description = work?.description
        pageCount = edition?.pageCount
        categories = work?.subjectTags ?? []
        language = edition?.language ?? work?.originalLanguage
        coverURL = edition?.coverImageURL ?? work?.coverImageURL
    }
}
