package import Pipeline
package import Services

/// Google Books over the network: volumes by ISBN, or by title and author.
package struct GoogleBooks: BookProvider {
    private let desk: ServiceDesk

    package init(_ desk: ServiceDesk) { self.desk = desk }

    package var provider: Provider { .googleBooks }
    package var asksNetwork: Bool { true }

    package func answer(_ questions: BookQuestions) async throws(StageFailure) -> BookAnswers {
        try await ServiceQuestions(questions, for: provider, asksTitles: true).answers(
            of: desk, as: provider, searching: { GoogleVolume.volumes(in: Array($0)) },
            packing: { (try? GoogleVolume($0))?.packed })
    }
}
