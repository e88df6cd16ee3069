import Bytes

/// Detects a book that has the row's ISBN but clearly is not the row's book, because neither title nor people
/// agree. The causes are a typo that gives another valid number, or a cell shifted into the next row.
///
/// An unknown author or another script is not a contradiction. Neither is a translation, because its author
/// is the same.
struct MismatchCheck {
    let title: String
    let author: String

    /// - Parameter range: The candidates found by the row's ISBN.
    /// - Returns: Nil if one of them may be the row's book, or if there are none.
    init?(_ row: Int, among range: Range<Int>, in matched: borrowing MatchedRows) {
        let people = matched.library.rows[row].people
        let title = matched.library.rows[row].title
        guard !range.isEmpty, !people.isEmpty, !title.isEmpty,
            !Self.isPlainlyTheRows(range, title, people, in: matched)
        else { return nil }
        var (titles, names): ([Text], [Text]) = ([], [])
        for index in range {
            let count = names.count
            for value in matched.values[matched.candidates[index].values] {
                if Self.isName(value.field) { names.append(value.value) }
                if Self.isTitle(value.field) { titles.append(value.value) }
            }
            // A candidate without an author may be the row's book.
            guard names.count > count else { return nil }
        }
        let arena = matched.library.arena
        let own = people.map { arena[matched.library.people[$0].name] }
        guard Self.areUnrelated(own, names.map { arena[$0] }),
            Self.shareNoWord(arena[title], titles.map { arena[$0] }), let first = titles.first
        else { return nil }
        self.title = arena[first]
        author = names.first.map { arena[$0] } ?? ""
    }

    /// Whether a title or name is byte-identical, which is true for nearly every row.
    private static func isPlainlyTheRows(
        _ range: Range<Int>, _ title: Text, _ people: Range<Int>, in matched: borrowing MatchedRows
    ) -> Bool {
        for index in range {
            for place in matched.candidates[index].values {
                let value = matched.values[place]
                if isTitle(value.field), matched.library.arena.equal(title, value.value) { return true }
                guard isName(value.field) else { continue }
                for person in people
                where matched.library.arena.equal(matched.library.people[person].name, value.value) {
                    return true
                }
            }
        }
        return false
    }

    private static func isName(_ field: Field) -> Bool {
        field == .authorName || field == .authorAlternateName
    }

    private static func isTitle(_ field: Field) -> Bool {
        switch field {
        case .title, .editionTitle, .subtitle, .editionSubtitle: true
        default: false
        }
    }

    /// Whether no name agrees with any of the others. Names in other scripts are not compared.
    private static func areUnrelated(_ own: [String], _ others: [String]) -> Bool {
        let others = others.filter(isLatin).map { ParsedName($0) }
        guard own.allSatisfy(isLatin), !others.isEmpty else { return false }
        let own = own.map { ParsedName($0) }
        return own.allSatisfy { name in
            others.allSatisfy { other in
                NameAgreement.score(name, other).value == 0 && Set(name.words).isDisjoint(with: other.words)
            }
        }
    }

    /// Whether a title shares no significant word with any of the others.
    private static func shareNoWord(_ own: String, _ others: [String]) -> Bool {
        let others = others.filter(isLatin)
        guard isLatin(own), !others.isEmpty else { return false }
        let words = words(own)
        return !words.isEmpty && others.allSatisfy { words.isDisjoint(with: Self.words($0)) }
    }

    private static let shortest = 4

    /// A title's words, folded. Short words are used only if there are no others.
    private static func words(_ title: String) -> Set<String> {
        let all = TitleWords.compared(TitleWords.words(title))
        let long = all.filter { $0.utf8.count >= shortest }
        return Set(long.isEmpty ? all : long)
    }

    /// Whether the folded text has only Latin letters and digits.
    private static func isLatin(_ text: String) -> Bool {
        let folded = Folding.fold(text)
        return !folded.isEmpty && folded.utf8.allSatisfy { $0 < 0x80 }
    }
}
