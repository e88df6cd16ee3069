import Books
import Bytes
import System

extension BookBatch {
    /// A person whom only a row names, and the key of a provider's author who may be the same.
    private struct Pair {
        /// Index in ``BookBatch/books``.
        var book: Int
        /// Index in ``BookBatch/authors``.
        var person: Int
        var key: String
    }

    /// Removes people whom only the row names and who are one of the provider's authors in another script, as the
    /// directory knows: Goodreads lists 村上 春樹 as a second author beside Haruki Murakami. Anybody else in another
    /// script, such as a translator, stays.
    mutating func removeOtherNames(knownTo directory: some PersonDirectory) async throws(ETLError) {
        let pairs = pairsInTwoScripts()
        guard !pairs.isEmpty else { return }
        let names = try await directory.otherNames(ofAuthors: pairs.map(\.key))
        var same: [(book: Int, person: Int)] = []
        for (pair, names) in zip(pairs, names) where !same.contains(where: { $0.person == pair.person }) {
            let name = Self.joined(arena[authors[pair.person].name])
            if names.contains(where: { Self.joined($0) == name }) { same.append((pair.book, pair.person)) }
        }
        // From behind, so that the places before stay.
        for (book, person) in same.sorted(by: { $0.person > $1.person }) {
            // A book's people are a range of all. What is behind the range belongs to no book.
            let end = books[book].authors.upperBound
            authors[person..<end].rotateFirstToBack()
            books[book].authors = books[book].authors.lowerBound..<end - 1
        }
    }

    private func pairsInTwoScripts() -> [Pair] {
        var pairs: [Pair] = []
        for (number, book) in books.enumerated() where book.authors.count > 1 {
            for person in book.authors where authors[person].origin == .row {
                let script = isForeign(person)
                for known in book.authors
                where !authors[known].key.isEmpty && isForeign(known) != script {
                    pairs.append(Pair(book: number, person: person, key: arena[authors[known].key]))
                }
            }
        }
        return pairs
    }

    /// Whether a name begins in another script than Latin.
    private func isForeign(_ person: Int) -> Bool {
        // U+0370 and what follows.
        arena.withBytes(authors[person].name) { ($0.first ?? 0) >= 0xCD }
    }

    /// A name as it is compared. Blanks are written in some places and not in others: 村上 春樹, 村上春樹.
    private static func joined(_ name: String) -> String { Folding.fold(name).filter { $0 != " " } }
}

extension ArraySlice {
    fileprivate mutating func rotateFirstToBack() {
        if let first = popFirst() { append(first) }
    }
}
