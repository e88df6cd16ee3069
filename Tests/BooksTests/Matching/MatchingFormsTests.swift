import TestSupport
import Testing

@testable import Books

/// The rates of right, wrong and open answers for each form in which files name a book (``LabelledForms``).
///
/// The table is printed, and stands in `docs/matching.md`.
@Suite struct MatchingFormsTests {
    private typealias Form = LabelledForms.Form

    @Test func `each form of a title is answered, and a wrong book is rare in each`() async throws {
        let catalog = try await LabelledCatalog(.all)
        let dated = try await answers(LabelledForms.all, in: catalog)
        let undated = try await answers(LabelledForms.withoutYears, in: catalog)
        print("form: rows; right, wrong, open; the same without years")
        for form in Form.allCases {
            let (own, others) = (dated.of(form), undated.of(form))
            print("  | \(form.rawValue) | \(own.count) | \(rates(own)) | \(rates(others)) |")
            #expect(own.count >= 10, "\(form)")
            // One row of a small form is more than half a per cent.
            #expect(own.count(where: \.isWrong) <= 1 + own.count / 200, "\(wrong(own))")
            #expect(others.count(where: \.isWrong) <= 1 + others.count / 200, "\(wrong(others))")
            if let least = form.least {
                let right = own.count(where: \.isRight)
                #expect(Double(right) >= least * Double(own.count), "\(form): \(open(own))")
            }
        }
        for all in [dated, undated] {
            let answers = all.map(\.answer)
            #expect(answers.count(where: \.isWrong) * 1_000 <= answers.count * 3, "\(wrong(answers))")
        }
    }

    /// The set in parts, each looked up in a catalog without its books.
    @Test func `if the book is absent, five in a thousand at most get another one, with and without years`()
        async throws
    {
        var places: [String: Int] = [:]
        for (place, book) in LabelledBooks.books.enumerated() { places[book.record] = place }
        for (name, rows) in [
            ("with years", LabelledForms.all), ("without years", LabelledForms.withoutYears),
        ] {
            var answers: [MatchingRates.Answer] = []
            for fold in 0..<LabelledCatalog.folds {
                let own = rows.filter { row in
                    row.query.expected.contains { LabelledCatalog.fold(ofBook: places[$0] ?? 0) == fold }
                }
                let catalog = try await LabelledCatalog(.without(fold: fold))
                answers += try await self.answers(own, in: catalog).map(\.answer)
            }
            let wrong = answers.filter(\.isWrongForAbsent)
            print("absent, \(name): \(answers.count) rows, wrong \(wrong.count)")
            #expect(wrong.count * 1_000 <= answers.count * 5, "\(self.wrong(wrong))")
        }
    }

    private func answers(
        _ rows: [LabelledForms.Row], in catalog: LabelledCatalog
    ) async throws -> [(form: Form, answer: MatchingRates.Answer)] {
        let variants = rows.map { LabelledVariants.Variant(rule: .clean, query: $0.query) }
        return Array(zip(rows.map(\.form), try await MatchingRates.answers(variants, in: catalog)))
    }

    private func rates(_ answers: [MatchingRates.Answer]) -> String {
        let (right, wrong) = (answers.count(where: \.isRight), answers.count(where: \.isWrong))
        func percent(_ part: Int) -> String { "\(Double(part * 1_000 / max(1, answers.count)) / 10)" }
        return "\(percent(right)), \(percent(wrong)), \(percent(answers.count - right - wrong))"
    }

    private func wrong(_ answers: [MatchingRates.Answer]) -> String {
        answers.filter(\.isWrong).map(\.description).joined(separator: "\n")
    }

    private func open(_ answers: [MatchingRates.Answer]) -> String {
        answers.filter { !$0.isRight }.map(\.description).joined(separator: "\n")
    }
}

extension [(form: LabelledForms.Form, answer: MatchingRates.Answer)] {
    fileprivate func of(_ form: LabelledForms.Form) -> [MatchingRates.Answer] {
        filter { $0.form == form }.map(\.answer)
    }
}
