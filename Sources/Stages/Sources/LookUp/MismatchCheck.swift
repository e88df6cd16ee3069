import Books
import Bytes

/// Compares a row with the books that have its ISBN (``BookContradiction``).
struct MismatchCheck {
    /// The first of the books.
    let title: String
    let author: String
    /// The best verdict about one of them, never `agrees`.
    let verdict: BookContradiction.Verdict

    /// - Parameter range: The candidates found by the row's ISBN.
    /// - Returns: Nil if one of them agrees with the row, or if there are none.
    init?(_ row: Int, among range: Range<Int>, in matched: borrowing MatchedRows) {
        let library = matched.library.rows[row]
        guard !range.isEmpty, !library.title.isEmpty || !library.people.isEmpty,
            !Self.isPlainlyTheRows(range, library, in: matched)
        else {
            return nil
        }
        let arena = matched.library.arena
        let row = (
            contradiction: BookContradiction(
                title: arena[library.title],
                series: library.series.map {
                    SeriesPosition(
                        name: arena[matched.library.series[$0].name],
                        number: arena[matched.library.series[$0].number])
                },
                people: library.people.map { arena[matched.library.people[$0].name] }),
            language: arena[matched.library.cell(.language, ofRow: row)]
        )
        var first: Book?
        var best = BookContradiction.Verdict.contradicted
        for index in range {
            let book = Book(matched.candidates[index], in: matched)
            var verdict = row.contradiction.verdict(onTitles: book.titles, people: book.names)
            // The title can be that of a translation, but not if the book is in another language.
            if verdict == .otherTitle, book.isIn(languageOtherThan: row.language) { verdict = .contradicted }
            guard verdict != .agrees else { return nil }
            best = min(best, verdict)
            first = first ?? book
        }
        guard let first else { return nil }
        (title, author) = (first.titles.first?.title ?? "", first.names.first ?? "")
        verdict = best
    }

    /// Titles and people of a candidate.
    private struct Book {
        var titles: [(title: String, subtitle: String)] = []
        var names: [String] = []
        var language = ""

        init(_ candidate: Candidate, in matched: borrowing MatchedRows) {
            let arena = matched.library.arena
            for value in matched.values[candidate.values] {
                switch value.field {
                case .title, .editionTitle: titles.append((arena[value.value], ""))
                case .authorName, .authorAlternateName: names.append(arena[value.value])
                case .language: language = arena[value.value]
                default: break
                }
            }
            // Subtitles follow their titles in no fixed order.
            for value in matched.values[candidate.values]
            where value.field == .subtitle || value.field == .editionSubtitle {
                for index in titles.indices where titles[index].subtitle.isEmpty {
                    titles[index].subtitle = arena[value.value]
                }
            }
        }

        func isIn(languageOtherThan other: String) -> Bool {
            guard let ours = Languages.twoLetters(language), let theirs = Languages.twoLetters(other) else {
                return false
            }
            return ours != theirs
        }
    }

    /// Whether title and author are byte-identical, which is true for most rows.
    private static func isPlainlyTheRows(
        _ range: Range<Int>, _ row: LibraryRow, in matched: borrowing MatchedRows
    ) -> Bool {
        let author = row.people.first.map { matched.library.people[$0].name }
        return range.contains { index in
            var (isTitle, isAuthor) = (false, author == nil)
            for value in matched.values[matched.candidates[index].values] {
                switch value.field {
                case .title, .editionTitle:
                    isTitle = isTitle || matched.library.arena.equal(row.title, value.value)
                case .authorName, .authorAlternateName:
                    isAuthor =
                        isAuthor || author.map { matched.library.arena.equal($0, value.value) } ?? false
                default: break
                }
            }
            return isTitle && isAuthor
        }
    }
}
