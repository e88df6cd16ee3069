package import Books
import Services
package import System

/// A source of book data: the offline catalog or a service.
///
/// Several workers ask a provider at once, each for a whole batch. `BookProviderContract` in the test support
/// checks these rules for each provider:
///
/// 1. There is one answer per query, in the order of the queries.
/// 2. An answer depends only on its query, not on other queries, their order or earlier calls. The same
///    query always has the same answer.
/// 3. `found` has the id of the provider's record and at least one value; other outcomes have neither. The
///    values of an answer are contiguous, and all texts are in the answers' arena.
/// 4. Found by ISBN means that the record has that ISBN. Found by title and author means that both agree when
///    folded (`Folding`). If several books fit equally well, the outcome is `ambiguous`, never the first book.
/// 5. An unknown book is an outcome, not an error. Only problems of the provider as a whole are thrown.
package protocol BookProvider: Sendable {
    /// The name under which its answers are stored.
    var provider: Provider { get }

    /// Whether it is asked over the network. Such a provider may leave queries unanswered, and is only asked
    /// for books that the offline provider of the same name did not find.
    var asksNetwork: Bool { get }

    /// Whether its records have keys of authors that lead to people in Wikidata.
    var knowsAuthorKeys: Bool { get }

    /// Answers a batch of queries.
    func answer(_ queries: BookQueries) async throws(ETLError) -> BookAnswers

    /// Searches for words that a person has entered. The rules above are for answers; here several books fit, and each
    /// is one answer, in the order of the provider.
    ///
    /// - Parameters:
    ///   - title: Words of the title; empty for any.
    ///   - author: Words of an author's name; empty for any.
    func search(title: String, author: String) async throws(ETLError) -> ProviderFindings
}

/// What a provider has found for words that a person has entered.
package struct ProviderFindings: Sendable {
    /// The books, each `found`.
    package var answers = BookAnswers()
    /// `found` if it has answered, even with no book; else why it has not.
    package var outcome = LookupOutcome.found
}

extension BookProvider {
    /// Offline by default.
    package var asksNetwork: Bool { false }
    /// None by default.
    package var knowsAuthorKeys: Bool { false }
    /// No book by default, for providers that know books by their ISBN only.
    package func search(title: String, author: String) async throws(ETLError) -> ProviderFindings {
        ProviderFindings()
    }
}

/// An offline catalog as a provider. It answers at once under the name of the provider whose dump it was
/// built from.
package struct CatalogProvider: BookProvider {
    private let catalog: Catalog

    package init(_ catalog: Catalog) { self.catalog = catalog }

    /// The provider whose dump the catalog was built from.
    package var provider: Provider { catalog.provider }

    /// Answers a batch from the catalog.
    package func answer(_ queries: BookQueries) async throws(ETLError) -> BookAnswers {
        try await catalog.answer(queries)
    }
}
