/// Finds documents by words of their title and their authors' names, the best first.
///
/// First the documents of which the whole title was typed; then those that hold all words, the commonest
/// documents first, as far as ``candidateLimit``; where they are few, those that hold what the words may be
/// misspellings of. Candidates are then ranked by their text. So the time is bounded by postings read, not by how
/// many documents match.
final class FullTextSearch {
    /// Documents handed out at the most (contract: up to 20 results).
    static let resultLimit = 20
    /// Documents that are ranked.
    static let candidateLimit = 300

    /// A document that was found.
    struct Hit: Hashable {
        var document: Int64
        var editions: Int64
        var score: Double
        /// Which of ``SearchText/otherTitles`` it was found by; nil where its own title fits as well.
        var otherTitle: Int?
    }

    /// What a document says, folded; nil where it is there no more.
    typealias TextOf = (Int64) throws(SQLiteError) -> SearchText?

    private let list: WordList
    private let match: Statement
    private let byTitle: KeyBlockReader
    private let document: Statement
    private let total: Int64

    /// - Parameter connection: A database with the tables of ``FullTextSchema``.
    init(_ connection: Connection) throws(SQLiteError) {
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
    func find(title: String, author: String, _ text: TextOf) throws(SQLiteError) -> [Hit] {
        var found: [Int64: Hit] = [:]
        for doubts in [false, true] where found.count < Self.resultLimit {
            let words = Question(
                title: try SearchWords(title, list, doubts: doubts),
                author: try SearchWords(author, list, doubts: doubts))
            if doubts, !words.isCorrected { break }
            for place in try places(words, isFirst: !doubts) where found[place] == nil {
                found[place] = try hit(place, words, text)
            }
        }
        if found.isEmpty, !title.isEmpty, author.isEmpty {
            // `gatsby fitzgerald`: an author's name among the words of a title.
            let words = Question(
                title: try SearchWords(title, list, doubts: true),
                author: try SearchWords("", list, doubts: false))
            guard let anywhere = words.title.expression(total: total) else { return [] }
            for place in try places(matching: anywhere) { found[place] = try hit(place, words, text) }
        }
        let ranked = found.sorted { ($1.value.score, $0.key) < ($0.value.score, $1.key) }
        return ranked.prefix(Self.resultLimit).map(\.value)
    }

    private struct Question {
        var title: SearchWords
        var author: SearchWords
        var isCorrected: Bool { title.isCorrected || author.isCorrected }
    }

    private func places(_ words: Question, isFirst: Bool) throws(SQLiteError) -> [Int64] {
        var places: [Int64] = []
        if isFirst, !words.title.isEmpty, words.author.isEmpty {
            places = try byTitle.values(
                of: FullTextWriter.key(ofTitle: words.title.folded), limit: Self.resultLimit)
        }
        var parts: [String] = []
        for (column, asked) in [("title", words.title), ("author", words.author)] where !asked.isEmpty {
            // Words that nobody knows find nothing.
            guard let expression = asked.expression(total: total) else { return places }
            parts.append("\(column) : (\(expression))")
        }
        guard !parts.isEmpty else { return places }
        return try places + self.places(matching: parts.joined(separator: " AND "))
    }

    private func places(matching expression: String) throws(SQLiteError) -> [Int64] {
        var places: [Int64] = []
        match.bind(1, expression)
        while try match.step() { places.append(match.integer(0)) }
        return places
    }

    private func hit(_ place: Int64, _ words: Question, _ text: TextOf) throws(SQLiteError) -> Hit? {
        document.bind(1, place)
        guard try document.step() else { return nil }
        let (number, editions) = (document.integer(0), document.integer(1))
        document.reset()
        guard let text = try text(number) else { return nil }
        let title = Ranking.score(words.title, in: text)
        let score =
            title.score + Ranking.score(words.author, in: text.author) + Ranking.score(editions: editions)
        return Hit(document: number, editions: editions, score: score, otherTitle: title.otherTitle)
    }
}
