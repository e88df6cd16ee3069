import Books
import System

/// When a service is asked about a book.
package enum LookupStrategy: String, Sendable, CaseIterable, Hashable {
    /// About every book that the offline provider of the same name did not find.
    case all
    /// Only while something is missing that the providers before it do not have.
    case fallback

    /// The fields that a record should have; one of each group is enough.
    private static let wanted: [[Field]] = [
        [.title, .editionTitle], [.authorName], [.description, .editionDescription],
        [.workCover, .editionCover],
        [.subject],
    ]
    private static let wantedOfEdition: [[Field]] = [
        [.publisher], [.publicationDate], [.pageCount], [.format], [.language],
    ]

    /// Whether the next service should be asked.
    ///
    /// - Parameters:
    ///   - answers: The answers of the providers before it.
    ///   - values: The values of all answers.
    static func needsMore(
        _ answers: [BookAnswer], to query: BookQueries.Query, _ values: [CandidateValue]
    ) -> Bool {
        // The answer of a service that is only slow is not known yet. The record is pending, and asked about
        // again. A service that was silent for a request's time limit, three times, is not slow but down.
        if answers.contains(where: { !$0.outcome.isAnswered && $0.outcome.isLikelyToEnd }) { return false }
        var fields: Set<Field> = []
        for answer in answers where answer.outcome == .found {
            for value in values[answer.values] { fields.insert(value.field) }
        }
        // A match by title does not determine the edition.
        let isOfEdition = if case .described = query { false } else { true }
        let groups = isOfEdition ? wanted + wantedOfEdition : wanted
        return groups.contains { fields.isDisjoint(with: $0) }
    }
}
