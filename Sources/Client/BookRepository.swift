/// Where an app keeps its own books. The client maps what the service has found to the app's model and stores each book
/// once.
public protocol BookRepository<Model>: Sendable {
    /// The app's model of a book.
    associatedtype Model: Sendable

    /// The stored model of a book; nil if it is not stored.
    func stored(like book: Book) async throws -> Model?
    /// A new model of a book.
    func make(from book: Book) -> Model
    /// A stored model with what a book adds to it.
    func merge(_ book: Book, into model: Model) -> Model
    /// Stores new and changed models, all or none.
    func save(_ models: [Model]) async throws
}

extension BookRepository {
    /// Stores books, each once: books with one ISBN, or without an ISBN with one title and first author, are the same.
    ///
    /// - Returns: The number of books stored.
    @discardableResult
    public func store(_ books: [Book]) async throws -> Int {
        var seen: [String: Int] = [:]
        var models: [Model] = []
        for book in books {
            if let place = seen[book.identity] {
                models[place] = merge(book, into: models[place])
                continue
            }
            seen[book.identity] = models.count
            if let known = try await stored(like: book) {
                models.append(merge(book, into: known))
            } else {
                models.append(make(from: book))
            }
        }
        try await save(models)
        return models.count
    }
}

extension Book {
    /// What makes it the same book as another: its ISBN, else title and first author.
    public var identity: String {
        if let isbn = isbn13 ?? (isbn.isEmpty ? nil : isbn) { return "isbn:\(isbn)" }
        return "title:\(title.lowercased())|\((authors.first ?? "").lowercased())"
    }
}
