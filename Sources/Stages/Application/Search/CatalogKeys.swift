import Books
import Bytes
import Pipeline
import Services

/// Finds out which works of a catalog the books of a store are that were imported without it: by their ISBN, and where
/// that says nothing by title and author, as an import would.
struct CatalogKeys {
    private let catalog: Catalog

    init(_ catalog: Catalog) { self.catalog = catalog }

    /// Notes the catalog's works at the store's books, of which there are no more than a search answers with: two
    /// look-ups for each.
    func complete(_ books: inout [FoundBook]) async throws(StageFailure) {
        try await complete(&books) { book, _ in
            book.edition?.isbn.flatMap { ISBN($0) }.map { BookQueries.Question.isbn($0) }
        }
        try await complete(&books) { book, arena in
            guard let author = book.authors.first?.name, !book.work.title.isEmpty else { return nil }
            var description = BookDescription(
                title: arena.append(book.work.title), author: arena.append(author))
            description.seeksNearMisses = false
            return .described(description)
        }
    }

    /// - Parameter question: What the catalog is asked for a book whose work is not known yet.
    private func complete(
        _ books: inout [FoundBook],
        asking question: (FoundBook, inout Arena) -> BookQueries.Question?
    ) async throws(StageFailure) {
        var questions = BookQueries()
        var asked: [Int] = []
        for (place, book) in books.enumerated() {
            guard book.isInStore, book.work.openLibraryID == nil, book.catalogKeys.isEmpty,
                let next = question(book, &questions.arena)
            else { continue }
            asked.append(place)
            questions.questions.append(next)
        }
        guard !asked.isEmpty else { return }
        let answers = try await catalog.answer(questions)
        for (place, answer) in zip(asked, answers.answers) where answer.outcome == .found {
            let key = answers.values[answer.values].first { $0.field == .workKey }
            if let key { books[place].catalogKeys.append("ol:\(answers.arena[key.value])") }
        }
    }
}
