public import Pipeline

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
