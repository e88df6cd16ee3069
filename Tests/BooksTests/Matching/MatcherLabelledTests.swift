import Foundation
import TestSupport
import Testing

@testable import Books

/// Tests the matcher with the labelled set in `Tests/Labelled`, which was made before it.
@Suite struct MatcherLabelledTests {
    /// A question of the set and the matcher's result.
    private struct Answer {
        var question: LabelledQuestion
        var verdict: Matcher.Verdict
        var record: String?
        var best: String

        var isWrong: Bool { record.map { !question.expected.contains($0) } ?? false }
        /// Whether a correct book was offered and should have been matched.
        var isMissed: Bool { record == nil && !question.mayAbstain }
    }

    private static let answers: [Answer] = LabelledBooks.questions.map { question in
        let offered = LabelledBooks.offered(for: question)
        let (verdict, ranking) = Matcher(question.wanted).decide(among: offered)
        var record: String?
        if case .match(let number) = verdict { record = offered[number].record }
        let best = ranking.prefix(3).map {
            "\(offered[$0.number].record) \($0.score.value) \($0.score.evidence.map(\.rawValue))"
        }
        return Answer(
            question: question, verdict: verdict, record: record, best: best.joined(separator: ", "))
    }

    @Test func `the set is large enough and consistent`() {
        #expect(LabelledBooks.questions.count >= 300)
        #expect(Set(LabelledBooks.books.map(\.record)).count == LabelledBooks.books.count)
        let known = Set(LabelledBooks.books.map(\.record))
        for question in LabelledBooks.questions { #expect(question.expected.isSubset(of: known)) }
    }

    /// The promised error rate: at most one in a hundred.
    @Test func `at most one in a hundred questions is matched with a wrong book`() {
        let wrong = Self.answers.filter(\.isWrong)
        #expect(
            wrong.count * 100 <= Self.answers.count,
            "\(wrong.map { "\($0.question.title) by \($0.question.author): \($0.best)" }.joined(separator: "\n"))"
        )
    }

    /// The current number. A change that leaves more undecided is a regression and has to be justified.
    @Test func `no more questions are left undecided than before`() {
        let answerable = Self.answers.filter { !$0.question.mayAbstain }
        let missed = answerable.filter(\.isMissed)
        #expect(
            missed.count <= 14,
            "\(missed.map { "\($0.question.title) by \($0.question.author): \($0.verdict) \($0.best)" }.joined(separator: "\n"))"
        )
    }

    @Test func `the order of offered books does not matter`() {
        for question in LabelledBooks.questions {
            let offered = LabelledBooks.offered(for: question)
            let other = Array(offered.reversed())
            #expect(
                Self.record(Matcher(question.wanted).decide(among: offered).verdict, offered)
                    == Self.record(Matcher(question.wanted).decide(among: other).verdict, other))
        }
    }

    private static func record(_ verdict: Matcher.Verdict, _ offered: [MatchCandidate]) -> String {
        if case .match(let number) = verdict { offered[number].record } else { "\(verdict)" }
    }
}
