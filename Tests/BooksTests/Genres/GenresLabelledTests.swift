import TestSupport
import Testing

@testable import Books

/// Tests genres with the labelled sets in `Tests/Labelled`, which were judged by hand before the rules.
@Suite struct GenresLabelledTests {
    /// A term of a set and what it becomes.
    private struct Answer {
        var term: String
        /// The genres that are right; `-` if none is right too.
        var right: Set<String>
        var genres: [String]

        var isWrong: Bool { !genres.allSatisfy(right.contains) }
        var isMissed: Bool { genres.isEmpty && !right.contains("-") }
        var words: String { "\(term): \(genres) instead of \(right.sorted())" }
    }

    private static func answers(_ table: String, isShelf: Bool) -> [Answer] {
        var normalizer = GenreLine()
        return LabelledTable(table).rows.map { row in
            let term = row[isShelf ? "tag" : "subject"]
            return Answer(
                term: term, right: Set(row["genres"].split(separator: ";").map(String.init)),
                genres: normalizer.genres(of: [Array(term.utf8)]))
        }
    }

    /// The promise: at most one term in a hundred maps wrongly. The second number is the current one.
    @Test(arguments: [("user_tags.tsv", true), ("subjects.tsv", false)])
    func `at most one term in a hundred becomes a wrong genre`(table: String, isShelf: Bool) {
        let answers = Self.answers(table, isShelf: isShelf)
        let (wrong, missed) = (answers.filter(\.isWrong), answers.filter(\.isMissed))
        let mapped = answers.filter { !$0.genres.isEmpty }
        print(
            "\(table): \(answers.count) terms, \(mapped.count) give genres, \(wrong.count) wrong ones, "
                + "\(missed.count) should give one and do not")
        #expect(answers.count >= 200)
        #expect(mapped.count >= 150)
        #expect(wrong.count * 100 <= mapped.count, "\(wrong.map(\.words).joined(separator: "\n"))")
        #expect(missed.isEmpty, "\(missed.map(\.words).joined(separator: "\n"))")
    }

    @Test func `the sets name only known genres`() {
        let names = Set(GenreTable.standard.names.map { String(decoding: $0, as: UTF8.self) })
        let keepTheirSpelling: Set<String> = [
            "-", "Solarpunk", "Hopepunk", "French fiction", "Fan fiction", "Autobiographical fiction",
            "Family drama", "Courtroom drama",
        ]
        for answer in Self.answers("user_tags.tsv", isShelf: true)
            + Self.answers("subjects.tsv", isShelf: false)
        {
            #expect(answer.right.subtracting(names).isSubset(of: keepTheirSpelling), "\(answer.term)")
        }
    }
}
