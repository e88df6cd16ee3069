import Foundation
import TestSupport
import Testing

@testable import Books

/// The promised rates of right and wrong matches, measured on rows that an import reads and looks up in a catalog.
///
/// The figures are printed, and stand in `docs/matching.md`.
@Suite struct MatchingRatesTests {
    private static let rows = LabelledVariants.all
    private static let doubted = 0.05
    private static let (clean, spelling, mistyped, doubled) = (0.97, 0.9, 0.7, 0.95)

    @Test func `the set has at least 1,500 rows`() {
        #expect(Self.rows.count >= 1_500 && LabelledBooks.queries.count >= 1_000)
    }

    @Test func `rows without an ISBN are answered, and three in a thousand at most get a wrong book`()
        async throws
    {
        let answers = try await MatchingRates.answers(Self.rows, in: LabelledCatalog(.all))
        report("in the catalog", answers)
        expect(answers, wrong: 0.003)
        for rule in LabelledVariants.Rule.allCases {
            let wanted = rule == .clean ? Self.clean : rule == .typo ? Self.mistyped : Self.spelling
            expect(answers.filter { $0.variant.rule == rule }, "\(rule.rawValue)", right: wanted)
        }
        expectCalibrated(answers)
    }

    @Test func `a second record of every work changes little`() async throws {
        let answers = try await MatchingRates.answers(Self.rows, in: LabelledCatalog(.doubled))
        report("every work twice", answers)
        expect(answers, wrong: 0.003)
        expect(answers.filter { $0.variant.rule != .typo }, "all", right: Self.doubled)
    }

    /// The set in parts, each looked up in a catalog without its books.
    @Test func `if the book is absent, five in a thousand at most get another one`() async throws {
        var places: [String: Int] = [:]
        for (place, book) in LabelledBooks.books.enumerated() { places[book.record] = place }
        var answers: [MatchingRates.Answer] = []
        for fold in 0..<LabelledCatalog.folds {
            let asked = Self.rows.filter { row in
                !row.query.expected.isEmpty
                    && row.query.expected.allSatisfy { LabelledCatalog.fold(ofBook: places[$0] ?? 0) == fold }
            }
            answers += try await MatchingRates.answers(asked, in: LabelledCatalog(.without(fold: fold)))
        }
        let wrong = answers.filter(\.isWrongForAbsent)
        print(
            "absent: \(answers.count) rows, wrong \(wrong.count) = \(Self.percent(wrong.count, answers.count))"
        )
        #expect(
            Double(wrong.count) <= 0.005 * Double(answers.count),
            "\(wrong.map(\.description).joined(separator: "\n"))")
    }

    @Test func `rows with an ISBN get its book, whatever their title's spelling`() async throws {
        var places: [String: Int] = [:]
        for (place, book) in LabelledBooks.books.enumerated() { places[book.record] = place }
        let rows = Self.rows.filter { $0.query.expected.count == 1 }
        let answers = try await MatchingRates.answers(rows, in: LabelledCatalog(.all)) { row in
            row.query.expected.first.flatMap { places[$0] }.map { LabelledCatalog.isbn(ofBook: $0) } ?? ""
        }
        let wrong = answers.filter(\.isWrong)
        let right = answers.count(where: \.isRight)
        let doubted = answers.count(where: \.isDoubted)
        print(
            "with ISBN: \(answers.count) rows, right \(Self.percent(right, answers.count)), wrong \(wrong.count), "
                + "doubted \(Self.percent(doubted, answers.count))"
        )
        #expect(Double(doubted) <= Self.doubted * Double(answers.count))
        #expect(
            Double(wrong.count) <= 0.001 * Double(answers.count),
            "\(wrong.map(\.description).joined(separator: "\n"))")
        let open = answers.filter { !$0.isRight }
        #expect(
            Double(right) >= Self.clean * Double(answers.count),
            "\(open.map(\.description).joined(separator: "\n"))")
    }

    // MARK: Rates

    private func expect(_ answers: [MatchingRates.Answer], wrong most: Double) {
        let wrong = answers.filter(\.isWrong)
        #expect(
            Double(wrong.count) <= most * Double(answers.count),
            "\(wrong.map(\.description).joined(separator: "\n"))")
    }

    private func expect(_ answers: [MatchingRates.Answer], _ name: String, right least: Double) {
        let answerable = answers.filter { !$0.variant.query.mayAbstain }
        let open = answerable.filter { !$0.isRight }
        #expect(
            Double(answerable.count - open.count) >= least * Double(answerable.count),
            "\(name): \(open.count) of \(answerable.count)\n\(open.map(\.description).joined(separator: "\n"))"
        )
    }

    /// Of matches with a score of at least 0.95, at most five in a thousand are wrong.
    private func expectCalibrated(_ answers: [MatchingRates.Answer]) {
        let certain = answers.filter { $0.score ?? 0 >= 0.95 }
        let wrong = certain.count(where: \.isWrong)
        print(
            "scored 0.95 or more: \(certain.count) of \(answers.count { $0.record != nil }), wrong \(wrong)")
        #expect(certain.count > 1_000 && Double(wrong) <= 0.005 * Double(certain.count))
        #expect(answers.allSatisfy { ($0.record == nil) == ($0.score == nil) })
    }

    private func report(_ name: String, _ answers: [MatchingRates.Answer]) {
        print("\(name): \(answers.count) rows, wrong \(answers.count(where: \.isWrong))")
        for rule in LabelledVariants.Rule.allCases {
            let own = answers.filter { $0.variant.rule == rule }
            let answerable = own.filter { !$0.variant.query.mayAbstain }
            let right = answerable.count(where: \.isRight)
            print(
                "  \(rule.rawValue): right \(right) of \(answerable.count) = \(Self.percent(right, answerable.count))"
            )
        }
    }

    private static func percent(_ part: Int, _ all: Int) -> String {
        "\(Double(part * 1_000 / max(1, all)) / 10) %"
    }
}
