import Books
import Bytes
import Contract
import Database
import Store
import System
import Vectors

// Similar books.
extension StoreSearch {
    /// Candidates that are compared with all that is known about them.
    private static let candidates = 64

    /// The books that are similar to a work, the most similar first. Other editions, parts and translations of it are left
    /// out, and so is a second record of a book.
    ///
    /// - Parameters:
    ///   - library: The library whose books are found; nil for all.
    /// - Returns: Nil if the work has no vector.
    /// - Throws: `.missing` if the store has no vectors.
    func similar(
        to work: Int64, in library: String?, _ order: EditionOrder, atMost limit: Int
    ) throws(ETLError) -> [SimilarBook]? {
        guard let vectors = try vectors() else { throw StoreVectors.missing }
        guard let own = try compared(work, order),
            let vector = vectors.vector(of: work, key: own.book.work.id)
        else { return nil }
        let hits = try vectors.nearest(
            to: vector, atMost: max(Self.candidates, limit * 2), among: works(of: library)
        ) { (item) throws(ETLError) in
            guard item.id != work, try isCurrent(item) else { return false }
            return try has(library, item.id)
        }
        var found: [(book: ComparedBook, hit: VectorFile.Hit, score: Double)] = []
        for hit in hits {
            guard let other = try compared(hit.item.id, order), !other.isSameWork(as: own) else { continue }
            found.append((other, hit, own.score(other, cosine: Double(hit.cosine))))
        }
        found.sort { $0.score != $1.score ? $0.score > $1.score : $0.hit.row < $1.hit.row }
        var kept: [(book: ComparedBook, hit: VectorFile.Hit, score: Double)] = []
        for next in found where kept.count < limit {
            if kept.allSatisfy({ !$0.book.isSameWork(as: next.book) }) { kept.append(next) }
        }
        let owned = try owned(kept.map(\.hit.item.id))
        return kept.map { next in
            var book = next.book.book
            book.score = next.score
            return SimilarBook(
                book: book, similarity: Double(next.hit.cosine),
                shared: SharedTraits(book, own.book, genres: (next.book.genres, own.genres)),
                isInLibrary: owned.contains(next.hit.item.id))
        }
    }

    /// The books whose words or meaning fit a text: both lists are fused by reciprocal rank. A book with exactly that title
    /// comes first.
    ///
    /// - Parameter query: The text as a vector.
    func find(
        meaning text: String, _ query: QueryVector, in library: String?, _ order: EditionOrder
    ) throws(ETLError) -> [FoundBook] {
        guard let vectors = try vectors() else { throw StoreVectors.missing }
        guard vectors.file.model.isComparable(to: query.model) else {
            throw ETLError(
                .configuration,
                "The store's vectors are of the model \(vectors.file.model.name), and the query's vector is of the model \(query.model.name).",
                advice: "\(UserCommand.embed) computes the vectors again, with the other model.")
        }
        // Words that no title has are no reason to find nothing.
        let byWords = SearchQuery.title(text).refusal == nil ? try find(.title(text), in: library, order) : []
        let hits = try vectors.nearest(
            to: query.numbers, atMost: BookSearch.resultLimit * 2, among: works(of: library)
        ) { (item) throws(ETLError) in
            guard try isCurrent(item) else { return false }
            return try has(library, item.id)
        }
        var fusion = RankFusion()
        var books: [String: FoundBook] = [:]
        for book in byWords {
            books[book.work.id] = book
            fusion.add(book.work.id)
        }
        fusion.beginList()
        for hit in hits {
            guard let book = try compared(hit.item.id, order)?.book else { continue }
            books[book.work.id] = books[book.work.id] ?? book
            fusion.add(book.work.id)
        }
        let title = Folding.fold(text)
        return fusion.ranked.compactMap { key, score in
            guard var book = books[key] else { return nil }
            let titles = [book.work.title, book.work.ownTitle, book.work.originalTitle, book.foundTitle]
            book.score = titles.contains { $0.map { Folding.fold($0) } == title } ? score + 1 : score
            return book
        }
    }

    /// A work as it is shown; nil if it no longer exists.
    func book(of work: Int64, _ order: EditionOrder) throws(ETLError) -> FoundBook? {
        try compared(work, order)?.book
    }

    private func compared(_ work: Int64, _ order: EditionOrder) throws(ETLError) -> ComparedBook? {
        let editions = try items(of: work, nil) { _ in nil }
        guard let book = try book(work, editions, order, score: 0) else { return nil }
        return ComparedBook(book: book, genres: try genres(of: work))
    }

    /// Reads the works of a library; nil for all.
    private func works(of library: String?) -> (() throws(ETLError) -> Set<Int64>)? {
        guard let library else { return nil }
        return { () throws(ETLError) in
            let rows = try self.store.query(
                """
                SELECT DISTINCT d.work FROM entries e JOIN libraries l ON l.id = e.library JOIN editions d ON d.id = e.edition
                WHERE l.name = ?1
                """, library)
            var works: Set<Int64> = []
            while try rows.next() { works.insert(rows.integer(0)) }
            return works
        }
    }

    /// Whether a vector belongs to the work that has its number now.
    private func isCurrent(_ item: VectorItem) throws(ETLError) -> Bool {
        try key(of: item.id).map { StoreVectors.hash($0) == item.key } ?? false
    }

    /// The works that libraries have, of some.
    private func owned(_ works: [Int64]) throws(ETLError) -> Set<Int64> {
        guard !works.isEmpty else { return [] }
        let list = works.map { "\($0)" }.joined(separator: ", ")
        // No index leads to entries by their edition, so all works are looked up together.
        let rows = try store.query(
            """
            SELECT DISTINCT d.work FROM entries e JOIN editions d ON d.id = e.edition WHERE d.work IN (\(list))
            """)
        var owned: Set<Int64> = []
        while try rows.next() { owned.insert(rows.integer(0)) }
        return owned
    }
}

/// Fuses ranked lists by reciprocal rank: what is high in several lists comes before what is high in one.
struct RankFusion {
    /// The usual constant, which keeps the first places from deciding alone.
    private static let constant = 60.0

    private var scores: [String: Double] = [:]
    private var order: [String] = []
    private var rank = 0

    /// Adds the next item of the current list.
    mutating func add(_ key: String) {
        rank += 1
        if scores[key] == nil { order.append(key) }
        scores[key, default: 0] += 1 / (Self.constant + Double(rank))
    }

    /// Begins another list.
    mutating func beginList() { rank = 0 }

    /// All items, the best first; of equal ones, the one that was added first.
    var ranked: [(key: String, score: Double)] {
        order.enumerated().map { (offset: $0, key: $1, score: scores[$1] ?? 0) }
            .sorted { $0.score != $1.score ? $0.score > $1.score : $0.offset < $1.offset }
            .map { ($0.key, $0.score) }
    }
}
