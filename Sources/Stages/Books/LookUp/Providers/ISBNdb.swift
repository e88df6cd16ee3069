package import Pipeline
package import Services

/// ISBNdb over the network: books by ISBN. By title it is not asked: reprints on demand crowd out what was meant.
package struct ISBNdb: BookProvider {
    private let desk: ServiceDesk

    package init(_ desk: ServiceDesk) { self.desk = desk }

    package var provider: Provider { .isbndb }
    package var asksNetwork: Bool { true }

    package func answer(_ questions: BookQuestions) async throws(StageFailure) -> BookAnswers {
        try await ServiceQuestions(questions, for: provider, asksTitles: false).answers(
            of: desk, as: provider)
    }
}
