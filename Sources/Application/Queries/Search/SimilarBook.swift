import Books
import Contract

/// A book that is similar to another one.
package struct SimilarBook: Sendable {
    package var book: FoundBook
    /// Cosine similarity of the two texts' vectors, at most 1.
    package var similarity: Double
    package var shared: SharedTraits
    /// Whether a library has the book: the named one, or any if none is named.
    package var isInLibrary: Bool
}

/// A book with what decides how similar another one is.
struct ComparedBook {
    /// What books of the same author, and books with the same genres, are nearer than their texts say. Chosen by the tags that
    /// readers gave to 540 well-known books (docs/similar.md).
    private static let (weightOfAuthor, weightOfGenres) = (0.1, 0.4)

    var book: FoundBook
    var genres: [String]

    /// The place of another book among the similar ones; the highest first.
    ///
    /// - Parameter cosine: The similarity of their texts.
    func score(_ other: ComparedBook, cosine: Double) -> Double {
        let (own, others) = (Set(genres), Set(other.genres))
        let all = own.union(others).count
        let overlap = all == 0 ? 0 : Double(own.intersection(others).count) / Double(all)
        return cosine + (sharesAuthor(with: other) ? Self.weightOfAuthor : 0) + Self.weightOfGenres * overlap
    }

    private func sharesAuthor(with other: ComparedBook) -> Bool {
        !Set(book.authors.map(\.name)).isDisjoint(with: other.book.authors.map(\.name))
    }

    /// Whether two records are of one work, or of parts of one: the same author, and the same main title.
    func isSameWork(as other: ComparedBook) -> Bool {
        book.work.id == other.book.work.id
            || sharesAuthor(with: other) && !mainTitles.isDisjoint(with: other.mainTitles)
    }

    /// The titles without subtitles, series and volumes, in the form in which titles are compared.
    private var mainTitles: Set<String> {
        let titles = [book.work.ownTitle, book.work.title, book.work.originalTitle, book.foundTitle]
        return Set(
            titles.compactMap { $0.flatMap { ParsedTitle($0).parts.first?.key } }.filter { !$0.isEmpty })
    }
}
