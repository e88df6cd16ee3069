import Books
package import Database
package import System

/// Finds documents by words of their title and their authors' names, best first.
///
/// Candidates are, in this order: documents whose whole title was entered; documents with all words, the most
/// common documents first, up to ``candidateLimit``; and if these are few, documents with words that the
/// entered ones may be misspellings of. Candidates are then ranked by their text. The time depends on the
/// postings read, not on the number of matching documents.
package final class FullTextSearch {
    /// Maximum documents returned. The JSON contract allows 20 results.
    package static let resultLimit = 20
    /// Maximum documents ranked.
    static let candidateLimit = 300

    /// A matching document.
    package struct Hit: Hashable {
        package var document: Int64
        var editions: Int64
        package var score: Double
        /// Index of the ``SearchText/otherTitles`` that matched; nil if the document's own title matches as
        /// well.
        package var otherTitle: Int?
    }

    /// The folded text of a document; nil if it no longer exists.
    package typealias TextOf = (Int64) throws(ETLError) -> SearchText?

    private let list: WordList
    private let match: Statement
    private let byTitle: KeyBlockReader
    private let document: Statement
    private let total: Int64

    /// - Parameter connection: A database with the tables of ``FullTextSchema``.
    package init(_ connection: Connection) throws(ETLError) {
        list = try WordList(connection)
        total = try connection.integer("SELECT max(place) FROM search_document") ?? 0
        match = try connection.prepare(
            "SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid LIMIT \(Self.candidateLimit)")
        byTitle = try KeyBlockReader(connection, table: "search_title")
        document = try connection.prepare("SELECT document, editions FROM search_document WHERE place = ?")
    }

    /// - Parameters:
    ///   - title: Words of the title; empty for any.
    ///   - author: Words of authors' names; empty for any.
    ///   - isTyped: Whether the user typed the words and will choose from the results (``SearchWords``). The
    ///     title may then contain a series in brackets or a subtitle that the document lacks, and is
    ///     shortened like a row's title (``TitleSegments``).
    package func find(
        title: String, author: String, isTyped: Bool = false, _ text: TextOf
    ) throws(ETLError) -> [Hit] {
        var found = try search(title, author, isTyped, text)
        if isTyped {
            let shorter = TitleSegments.shorter(title)
            if let bare = shorter.bare {
                // Text in brackets is rarely part of the title, so matches of the whole text are less likely
                // to be right.
                for (place, hit) in try search(bare, author, isTyped, text)
                where hit.score - Ranking.cut > found[place]?.score ?? -.infinity {
                    found[place] = hit
                    found[place]?.score -= Ranking.cut
                }
            }
            if found.isEmpty, let first = shorter.first { found = try search(first, author, isTyped, text) }
        }
        let ranked = found.sorted { ($1.value.score, $0.key) < ($0.value.score, $1.key) }
        return ranked.prefix(Self.resultLimit).map(\.value)
    }

    private func search(
        _ title: String, _ author: String, _ isTyped: Bool, _ text: TextOf
    ) throws(ETLError) -> [Int64: Hit] {
        func query(doubts: Bool) throws(ETLError) -> Query {
            Query(
                title: try SearchWords(title, list, doubts: doubts, isTyped: isTyped),
                author: try SearchWords(author, list, doubts: doubts, isTyped: isTyped), isTyped: isTyped)
        }
        var words = try query(doubts: false)
        var found: [Int64: Hit] = [:]
        for place in try places(words, isFirst: true) where found[place] == nil {
            found[place] = try hit(place, words, text)
        }
        guard found.count < Self.resultLimit else { return found }
        words = try query(doubts: true)
        if words.isCorrected {
            for place in try places(words, isFirst: false) where found[place] == nil {
                found[place] = try hit(place, words, text)
            }
        }
        for expression in anywhere(words) + (isTyped ? withoutTiny(words) : []) where found.isEmpty {
            for place in try places(matching: expression) {
                found[place] = try hit(place, words, text)
            }
        }
        return found
    }

    /// `gatsby fitzgerald`: an author's name among the words of a title.
    private func anywhere(_ words: Query) -> [String] {
        guard !words.title.isEmpty, words.author.isEmpty else { return [] }
        return words.title.expression(total: total).map { [$0] } ?? []
    }

    /// `hobbit 2`: documents with the other words, if none has the tiny words as well.
    private func withoutTiny(_ words: Query) -> [String] {
        guard let all = expression(words, withoutTiny: true) else { return [] }
        guard words.author.isEmpty else { return [all] }
        return [all] + (words.title.expression(total: total, withoutTiny: true).map { [$0] } ?? [])
    }

    /// The condition on title and author, as an FTS5 expression. Nil if unknown words make a match
    /// impossible, or if tiny words are to be left out and there are none.
    private func expression(_ words: Query, withoutTiny: Bool = false) -> String? {
        var parts: [String] = []
        var isLess = false
        for (column, asked) in [("title", words.title), ("author", words.author)] where !asked.isEmpty {
            let less = withoutTiny ? asked.expression(total: total, withoutTiny: true) : nil
            guard let expression = less ?? asked.expression(total: total) else { return nil }
            if less != nil { isLess = true }
            parts.append("\(column) : (\(expression))")
        }
        return parts.isEmpty || isLess != withoutTiny ? nil : parts.joined(separator: " AND ")
    }

    private struct Query {
        var title: SearchWords
        var author: SearchWords
        var isTyped: Bool
        var isCorrected: Bool { title.isCorrected || author.isCorrected }
    }

    private func places(_ words: Query, isFirst: Bool) throws(ETLError) -> [Int64] {
        var places: [Int64] = []
        let isTitle = isFirst && !words.title.isEmpty && words.author.isEmpty
        if isTitle {
            places = try self.places(ofTitle: words.title.folded)
            if words.isTyped, words.title.bare != words.title.folded {
                places += try self.places(ofTitle: words.title.bare)
            }
        }
        guard let expression = expression(words) else { return places }
        let matching = try self.places(matching: expression)
        // All matching documents may include titles that start with an article, so add those.
        if isTitle, words.isTyped, matching.count == Self.candidateLimit {
            for article in TitleWords.articles.map(String.init(describing:)).sorted() {
                places += try self.places(ofTitle: "\(article) \(words.title.bare)")
            }
        }
        return places + matching
    }

    private func places(ofTitle title: String) throws(ETLError) -> [Int64] {
        try byTitle.values(of: FullTextWriter.key(ofTitle: title), limit: Self.resultLimit)
    }

    private func places(matching expression: String) throws(ETLError) -> [Int64] {
        var places: [Int64] = []
        match.bind(1, expression)
        while try match.next() { places.append(match.integer(0)) }
        return places
    }

    private func hit(_ place: Int64, _ words: Query, _ text: TextOf) throws(ETLError) -> Hit? {
        guard try document.first(place) else { return nil }
        let (number, editions) = (document.integer(0), document.integer(1))
        document.reset()
        guard let text = try text(number) else { return nil }
        guard !isScattered(words, text) else { return nil }
        let title = Ranking.score(words.title, in: text)
        let score =
            title.score + Ranking.score(words.author, in: text.author) + Ranking.score(editions: editions)
        return Hit(document: number, editions: editions, score: score, otherTitle: title.otherTitle)
    }

    /// Whether a document has the initials that a word may stand for, but not next to each other (which the
    /// index cannot tell), and nothing else that the word may stand for.
    private func isScattered(_ words: Query, _ text: SearchText) -> Bool {
        let texts = [text.wholeTitle, text.author] + text.otherTitles
        return (words.title.words + words.author.words).contains { word in
            guard let initials = word.initials?.split(separator: " "),
                texts.contains(where: { text in initials.allSatisfy { WordSet.text(text, holds: $0) } })
            else { return false }
            let held = texts.map { WordSet($0) }
            return !word.meant.contains { meant in held.contains { $0.holds(meant) } }
        }
    }
}
