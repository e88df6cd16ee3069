import Foundation
import Pipeline
import System
import TestSupport

@testable import Books
@testable import Bytes
@testable import Formats
@testable import Sources

/// Results of an import's lookup for labelled rows in a catalog, through the stages that an import uses.
struct MatchingRates {
    struct Answer {
        var variant: LabelledVariants.Variant
        /// The id of the matched book; nil if none was matched.
        var record: String?
        var options: String
        /// The score of the match; 1 if the ISBN decided.
        var score: Double?
        /// Whether the row's ISBN gave the book, and the row has a warning that it may be another one.
        var isDoubted: Bool

        var isWrong: Bool { record.map { !variant.query.expected.contains($0) } ?? false }
        /// Whether the match is wrong although the right book is absent: it is not another edition of it either.
        var isWrongForAbsent: Bool {
            guard let record, isWrong else { return false }
            return LabelledBooks.originals[record].map(variant.query.expected.contains) != true
                && !variant.query.expected.contains { LabelledBooks.originals[$0] == record }
        }
        var isRight: Bool { record.map { variant.query.expected.contains($0) } ?? false }

        var description: String {
            "\(variant.rule.rawValue): “\(variant.query.title)” by \(variant.query.author): "
                + "\(record ?? "none"), expected \(variant.query.expected.sorted()); \(options)"
        }
    }

    /// - Parameter isbn: The row's ISBN.
    static func answers(
        _ variants: [LabelledVariants.Variant], in catalog: LabelledCatalog,
        isbn: (LabelledVariants.Variant) -> String = { _ in "" }
    ) async throws -> [Answer] {
        let folder = try TemporaryFolder()
        let table =
            "Title,Author,Year Published,Original Publication Year,Language,ISBN13\n"
            + variants.map { variant in
                let query = variant.query
                return [
                    query.title, query.author, query.year.map(String.init) ?? "",
                    query.firstYear.map(String.init) ?? "", query.language, isbn(variant),
                ]
                .map { "\"\($0.replacingOccurrences(of: "\"", with: "\"\""))\"" }.joined(separator: ",")
            }.joined(separator: "\n") + "\n"
        let file = try folder.write(table, to: "rows.csv")
        let answers = Guarded<[Answer]>([])
        let failure = Guarded<(any Error)?>(nil)
        let stage = LookUpBooks(providers: [CatalogProvider(catalog.fixture.catalog)])
        let emitter = Emitter<LibraryRows> { rows, end, count, _ in
            do {
                let batch = Batch(sequence: 0, end: end, recordsRead: count, payload: rows)
                let matched = try await stage.process(try await ValidateISBN().process(batch)).payload
                answers.withLock { answers in
                    for row in 0..<matched.count {
                        answers.append(answer(row, of: matched, variants[answers.count]))
                    }
                }
                return true
            } catch {
                failure.withLock { $0 = error }
                return false
            }
        }
        try await ReadLibrary(ReadSettings(files: [file])).read(from: .start, into: emitter)
        if let error = failure.withLock({ $0 }) { throw error }
        return answers.withLock { $0 }
    }

    private static func answer(
        _ row: Int, of matched: MatchedRows, _ variant: LabelledVariants.Variant
    ) -> Answer {
        let arena = matched.library.arena
        let candidate = matched.candidates[matched.candidatesOfRow[row]].first
        let key = candidate.flatMap { candidate in
            matched.values[candidate.values].first { $0.field == .workKey }.map { arena[$0.value] }
        }
        let options = matched.abstentions.first { $0.row == row }?.options ?? []
        return Answer(
            variant: variant,
            record: key.map { LabelledCatalog.book(ofWork: $0)?.record ?? "another book" },
            options: options.map {
                "\(LabelledCatalog.book(ofWork: $0.record)?.record ?? "") \($0.score) \($0.evidence)"
            }.joined(separator: "; "),
            score: matched.matches.first { $0.row == row }?.match.score
                ?? (candidate?.match == .isbn ? 1 : nil),
            isDoubted: matched.isbns[row].doubt != nil)
    }
}
