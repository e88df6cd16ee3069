import Books
import FoundationEssentials
import Glibc

/// Score of a document for a query. The score depends on nothing but the two, so results do not depend on how
/// documents were found.
enum Ranking {
    /// Points for a text that is exactly the query.
    private static let whole = 8.0
    /// Points for a text that starts with the query.
    private static let beginning = 2.0
    /// Points for the share of the query's words that are found, and for the share of the text's words
    /// they cover.
    private static let asked = 6.0
    private static let there = 3.0
    /// Weight of a word that matches only after correction.
    private static let corrected = 0.7

    /// Points subtracted for a match of a title that is not the document's own. Of two equally good matches,
    /// the document with that title wins, unless the other is far more popular.
    private static let other = 2.0

    /// Points subtracted for a match of the query without its bracketed part.
    static let cut = 1.0

    /// Score of a document's titles, and the other title that fits better than its own.
    static func score(
        _ query: SearchWords, in text: SearchText
    ) -> (score: Double, otherTitle: Int?) {
        var best = (
            score: score(query, in: text.wholeTitle, or: text.title), otherTitle: nil as Int?
        )
        guard !query.isEmpty else { return best }
        for (index, title) in text.otherTitles.enumerated() {
            let score = Self.score(query, in: title) - other
            if score > best.score { best = (score, index) }
        }
        return best
    }

    /// - Parameters:
    ///   - text: Folded.
    ///   - short: A part that also counts as the whole: a title without its subtitle.
    static func score(_ query: SearchWords, in text: String, or short: String? = nil) -> Double {
        guard !query.isEmpty else { return 0 }
        let held = WordSet(text)
        var (found, covered) = (0.0, 0.0)
        for word in query.words {
            guard let (spelled, weight) = match(word, in: held) else { continue }
            found += weight
            covered += weight * Double(WordSet.count(spelled))
        }
        var score =
            asked * found / Double(max(1, query.words.count)) + there
            * min(1, covered / Double(max(1, held.count)))
        if isWhole(text, query) || short.map({ isWhole($0, query) }) ?? false {
            score += whole
        } else if text.hasPrefix(query.folded + " ")
            || TitleWords.withoutArticle(text).hasPrefix(query.bare + " ")
        {
            score += beginning
        }
        return score
    }

    /// The spelling in which a text contains a word, and its weight.
    private static func match(_ word: SearchWord, in held: WordSet) -> (spelled: String, weight: Double)? {
        if held.holds(word.asked) { return (word.asked, 1) }
        if let spelling = word.spellings.first(where: held.holds) { return (spelling, 1) }
        return word.meant.first(where: held.holds).map { ($0, corrected) }
    }

    /// Whether a text equals the query, ignoring a leading article and spaces.
    private static func isWhole(_ text: String, _ query: SearchWords) -> Bool {
        TitleWords.withoutArticle(text) == query.bare
            || text.utf8.lazy.filter { $0 != UInt8(ascii: " ") }.elementsEqual(query.letters)
    }

    /// Points for a work's editions: among equal matches, the more popular work wins.
    static func score(editions: Int64) -> Double { 0.5 * log2(1 + Double(max(0, editions))) }
}

/// The words of a folded text.
struct WordSet {
    private let words: Set<Substring>
    private let text: String

    /// Number of distinct words.
    var count: Int { words.count }

    init(_ text: String) {
        words = Set(text.split(separator: " "))
        self.text = text
    }

    /// Whether the text contains a word, or several consecutive words.
    func holds(_ spelled: String) -> Bool {
        Self.count(spelled) == 1 ? words.contains(spelled[...]) : " \(text) ".contains(" \(spelled) ")
    }

    /// Number of words in a spelling.
    static func count(_ spelled: String) -> Int { 1 + spelled.utf8.count { $0 == UInt8(ascii: " ") } }

    /// Whether a text contains a word. Cheaper than building a ``WordSet`` for a single lookup.
    static func text(_ text: String, holds word: Substring) -> Bool {
        var rest = text.utf8[...]
        while true {
            let end = rest.firstIndex(of: UInt8(ascii: " ")) ?? rest.endIndex
            if rest[..<end].elementsEqual(word.utf8) { return true }
            guard end < rest.endIndex else { return false }
            rest = rest[rest.index(after: end)...]
        }
    }
}
