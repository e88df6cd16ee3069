import Bytes

/// Detects a book that has the row's ISBN but is not the row's book (``BookContradiction``).
struct MismatchCheck {
    let title: String
    let author: String

    /// - Parameter range: The candidates found by the row's ISBN.
    /// - Returns: Nil if one of them may be the row's book, or if there are none.
    init?(_ row: Int, among range: Range<Int>, in matched: borrowing MatchedRows) {
        let library = matched.library.rows[row]
        guard !range.isEmpty, !library.title.isEmpty,
            !Self.isPlainlyTheRows(range, library.title, in: matched)
        else { return nil }
        let arena = matched.library.arena
        let contradiction = BookContradiction(
            title: arena[library.title],
            series: library.series.map {
                SeriesPosition(
                    name: arena[matched.library.series[$0].name],
                    number: arena[matched.library.series[$0].number])
            },
            people: library.people.map { arena[matched.library.people[$0].name] })
        var first: (title: String, author: String)?
        for index in range {
            let book = Book(matched.candidates[index], in: matched)
            guard contradiction.isContradicted(byTitles: book.titles, people: book.names) else { return nil }
            if first == nil { first = (book.titles.first?.title ?? "", book.names.first ?? "") }
        }
        guard let first else { return nil }
        (title, author) = first
    }

    /// What a candidate says about titles and people.
    private struct Book {
        var titles: [(title: String, subtitle: String)] = []
        var names: [String] = []

        init(_ candidate: Candidate, in matched: borrowing MatchedRows) {
            let arena = matched.library.arena
            for value in matched.values[candidate.values] {
                switch value.field {
                case .title, .editionTitle: titles.append((arena[value.value], ""))
                case .authorName, .authorAlternateName: names.append(arena[value.value])
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
    }

    /// Whether a title is byte-identical, which is true for most rows.
    private static func isPlainlyTheRows(
        _ range: Range<Int>, _ title: Text, in matched: borrowing MatchedRows
    ) -> Bool {
        range.contains { index in
            matched.candidates[index].values.contains { place in
                let value = matched.values[place]
                return (value.field == .title || value.field == .editionTitle)
                    && matched.library.arena.equal(title, value.value)
            }
        }
    }
}
