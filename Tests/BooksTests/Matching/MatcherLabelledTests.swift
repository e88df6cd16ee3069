import Foundation
import TestSupport
import Testing

@testable import Books

/// Tests the matcher with the labelled set in `Tests/Labelled`, which was made before it.
@Suite struct MatcherLabelledTests {
    /// A question of the set and the matcher's result.
    private struct Answer {
        var query: LabelledQuery
        var verdict: Matcher.Verdict
        var record: String?
        var best: String

        var isWrong: Bool { record.map { !query.expected.contains($0) } ?? false }
        /// Whether a correct book was offered and should have been matched.
        var isMissed: Bool { record == nil && !query.mayAbstain }
    }

    private static let answers: [Answer] = LabelledBooks.queries.map { query in
        let offered = LabelledBooks.offered(for: query)
        let decision = Matcher(query.wanted).decide(among: offered)
        var record: String?
        if case .match(let number) = decision.verdict { record = offered[number].record }
        let best = decision.ranking.prefix(3).map {
            "\(offered[$0.index].record) \($0.score.value) \($0.score.evidence.map(\.rawValue))"
        }
        return Answer(
            query: query, verdict: decision.verdict, record: record, best: best.joined(separator: ", "))
    }

    @Test func `the set is large enough and consistent`() {
        #expect(LabelledBooks.queries.count >= 300)
        #expect(Set(LabelledBooks.books.map(\.record)).count == LabelledBooks.books.count)
        let known = Set(LabelledBooks.books.map(\.record))
        for query in LabelledBooks.queries { #expect(query.expected.isSubset(of: known)) }
    }

    /// The promised error rate: at most one in a hundred.
    @Test func `at most one in a hundred questions is matched with a wrong book`() {
        let wrong = Self.answers.filter(\.isWrong)
        #expect(
            wrong.count * 100 <= Self.answers.count,
            "\(wrong.map { "\($0.query.title) by \($0.query.author): \($0.best)" }.joined(separator: "\n"))"
        )
    }

    /// The promised rate of answers.
    @Test func `at most three in a hundred questions are left undecided`() {
        let answerable = Self.answers.filter { !$0.query.mayAbstain }
        let missed = answerable.filter(\.isMissed)
        #expect(
            missed.count * 100 <= answerable.count * 3,
            "\(missed.map { "\($0.query.title) by \($0.query.author): \($0.verdict) \($0.best)" }.joined(separator: "\n"))"
        )
    }

    @Test func `the order of offered books does not matter`() {
        for query in LabelledBooks.queries {
            let offered = LabelledBooks.offered(for: query)
            let other = Array(offered.reversed())
            #expect(
                Self.record(Matcher(query.wanted).decide(among: offered).verdict, offered)
                    == Self.record(Matcher(query.wanted).decide(among: other).verdict, other))
        }
    }

    private static func record(_ verdict: Matcher.Verdict, _ offered: [MatchCandidate]) -> String {
        if case .match(let number) = verdict { offered[number].record } else { "\(verdict)" }
    }
}
