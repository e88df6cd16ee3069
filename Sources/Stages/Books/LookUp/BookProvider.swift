public import Pipeline
package import Services

/// Somebody who knows books: the offline catalog, or a service.
///
/// A provider is asked by several workers at once, for a whole batch at a time. Its contract, which
/// `BookProviderContract` in the test support checks for each provider:
///
/// 1. One answer for each question, in the order of the questions; none for no question.
/// 2. An answer depends on its question alone: neither on its neighbours, nor on its place, nor on what was
///    asked
///    before. The same question twice has the same answer twice.
/// 3. `found` names the provider's own record and has at least one value; any other outcome has neither.
///    Values of
///    an answer lie together, and every text lies in the answers' arena.
/// 4. Found by ISBN means that the record bears that ISBN. Found by title and author means that both agree
///    when
///    folded (``Folding``); what fits several books equally well is `ambiguous`, never the first of them.
/// 5. A book that is not known is an outcome, never an error. Thrown is only what concerns the provider as a
///    whole.
public protocol BookProvider: Sendable {
    /// The name its answers are kept under.
    var provider: Provider { get }

    /// Whether it is asked over the network: then it may leave questions unsettled, and is not asked for what an
    /// offline provider of the same name has found.
    var asksNetwork: Bool { get }

    /// Answers a batch of questions.
    func answer(_ questions: BookQueries) async throws(StageFailure) -> BookAnswers
}

extension BookProvider {
    /// Offline, unless it says otherwise.
    public var asksNetwork: Bool { false }
}

/// What services are asked by for books and people.
extension ServiceKey.Kind {
    private static let day: Int64 = 86_400_000

    /// A title and an author, as they were asked for, parted by a tab.
    package static let title = Self("title", urgency: 0, lifetime: day)
    /// A service's own key of an author.
    package static let author = Self("author", urgency: 1, lifetime: 7 * day)
    /// A service's own key of a work.
    package static let work = Self("work", urgency: 2, lifetime: 7 * day)
    /// An ISBN-13.
    package static let isbn = Self("isbn", urgency: 3, lifetime: 7 * day)
    /// An item of Wikidata: `Q42`.
    package static let item = Self("item", urgency: 4, lifetime: 7 * day)
    /// Open Library's key of an author, which leads to items.
    package static let authorItems = Self("authorItems", urgency: 5, lifetime: 7 * day)
    /// A name, which leads to items.
    package static let nameItems = Self("nameItems", urgency: 6, lifetime: day)

    /// Every kind. What finishes a record is asked before what begins another, so that records are finished one after the
    /// other and not all at the end.
    package static let all: [Self] = [title, author, work, isbn, item, authorItems, nameItems]
}

/// The offline catalog as a provider: it answers under the name of the provider whose dump it was built from,
/// at once and without the network.
public struct CatalogProvider: BookProvider {
    private let catalog: Catalog

    package init(_ catalog: Catalog) { self.catalog = catalog }

    /// The provider whose dump the catalog was built from.
    public var provider: Provider { catalog.provider }

    /// Answers a batch from the catalog.
    public func answer(_ questions: BookQueries) async throws(StageFailure) -> BookAnswers {
        try await catalog.answer(questions)
    }
}
