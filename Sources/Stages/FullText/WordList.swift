/// The words of a full-text index: how many documents hold one, and what a mistyped one may be meant for.
final class WordList {
    /// Words that one may stand for at the most.
    static let correctionLimit = 4
    /// Words whose corrections are remembered; when so many are, all are forgotten.
    private static let memoryLimit = 4_096

    private let documents: Statement
    private let near: Statement
    private let beginning: Statement
    /// Corrections of words that were asked for: a search asks twice for each of its words, and titles repeat theirs,
    /// while one takes a look-up for each of its letters. A list is read in one transaction, or opened for one search.
    private var remembered: [String: [(word: String, count: Int64)]] = [:]

    init(_ connection: Connection) throws(SQLiteError) {
        documents = try connection.prepare("SELECT documents FROM search_term WHERE term = ?")
        near = try connection.prepare(
            """
            SELECT t.term, w.documents FROM search_typo t JOIN search_term w ON w.term = t.term WHERE t.key = ?
            """)
        beginning = try connection.prepare(
            "SELECT term, documents FROM search_term WHERE term > ?1 AND term < ?2 LIMIT 256")
    }

    /// Documents that hold a word; 0 where none does.
    func count(_ word: String) throws(SQLiteError) -> Int64 {
        documents.bind(1, word)
        guard try documents.step() else { return 0 }
        defer { documents.reset() }
        return documents.integer(0)
    }

    /// Words one mistake away, those of more documents first.
    func corrections(of word: String) throws(SQLiteError) -> [(word: String, count: Int64)] {
        if let corrections = remembered[word] { return corrections }
        var found: [String: Int64] = [:]
        for key in TypoKeys.ofQuestion(Array(word.utf8)) {
            near.bind(1, key)
            while try near.step() {
                let other = near.string(0)
                if other != word, OneMistake.parts(word, other) { found[other] = near.integer(1) }
            }
        }
        let corrections = Self.commonest(found)
        if remembered.count >= Self.memoryLimit { remembered.removeAll(keepingCapacity: true) }
        remembered[word] = corrections
        return corrections
    }

    /// Words that begin with one of three letters or more, those of more documents first.
    func completions(of word: String) throws(SQLiteError) -> [(word: String, count: Int64)] {
        guard word.unicodeScalars.count >= 3 else { return [] }
        var found: [String: Int64] = [:]
        beginning.bind(1, word)
        beginning.bind(2, word + "\u{10FFFF}")
        while try beginning.step() { found[beginning.string(0)] = beginning.integer(1) }
        return Self.commonest(found)
    }

    private static func commonest(_ found: [String: Int64]) -> [(word: String, count: Int64)] {
        let sorted = found.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return sorted.prefix(correctionLimit).map { (word: $0.key, count: $0.value) }
    }
}
