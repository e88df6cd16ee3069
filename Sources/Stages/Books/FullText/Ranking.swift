import Foundation

/// How well a document fits a question. A pure function of the two, so that results do not depend on how they were
/// found.
enum Ranking {
    /// Points for a text that is what was asked, word for word.
    private static let whole = 8.0
    /// Points for one that begins with it.
    private static let beginning = 2.0
    /// Points for words found, of all that were asked and of all that are there.
    private static let asked = 6.0
    private static let there = 3.0
    /// A word that was corrected counts less than one that was typed.
    private static let corrected = 0.7

    /// Points that a title counts less which is not the document's own: of two that fit alike the one comes first
    /// that has the title itself, unless far more people mean the other.
    private static let other = 2.0

    /// The same of one that fits what was typed without its brackets.
    static let cut = 1.0

    /// How well a document's titles fit, and which of its other titles does better than its own.
    static func score(
        _ question: SearchWords, in text: SearchText
    ) -> (score: Double, otherTitle: Int?) {
        var best = (
            score: score(question, in: text.wholeTitle, or: text.title), otherTitle: nil as Int?
        )
        guard !question.isEmpty else { return best }
        for (index, title) in text.otherTitles.enumerated() {
            let score = Self.score(question, in: title) - other
            if score > best.score { best = (score, index) }
        }
        return best
    }

    /// - Parameters:
    ///   - text: Folded.
    ///   - short: A part of it that stands for the whole as well: a title without its subtitle.
    static func score(_ question: SearchWords, in text: String, or short: String? = nil) -> Double {
        guard !question.isEmpty else { return 0 }
        let held = WordSet(text)
        var (found, covered) = (0.0, 0.0)
        for word in question.words {
            guard let (spelled, weight) = match(word, in: held) else { continue }
            found += weight
            covered += weight * Double(WordSet.count(spelled))
        }
        var score =
            asked * found / Double(max(1, question.words.count)) + there
            * min(1, covered / Double(max(1, held.count)))
        if isWhole(text, question) || short.map({ isWhole($0, question) }) ?? false {
            score += whole
        } else if text.hasPrefix(question.folded + " ")
            || TitleWords.withoutArticle(text).hasPrefix(question.bare + " ")
        {
            score += beginning
        }
        return score
    }

    /// The spelling by which a text holds a word, and what it counts.
    private static func match(_ word: SearchWord, in held: WordSet) -> (spelled: String, weight: Double)? {
        if held.holds(word.asked) { return (word.asked, 1) }
        if let spelling = word.spellings.first(where: held.holds) { return (spelling, 1) }
        return word.meant.first(where: held.holds).map { ($0, corrected) }
    }

    /// Whether a text is what was asked, but for the article that it begins with and for blanks.
    private static func isWhole(_ text: String, _ question: SearchWords) -> Bool {
        TitleWords.withoutArticle(text) == question.bare
            || text.utf8.lazy.filter { $0 != UInt8(ascii: " ") }.elementsEqual(question.letters)
    }

    /// Points for a work of many editions: among equals the one that more people mean.
    static func score(editions: Int64) -> Double { 0.5 * log2(Double(1 + max(0, editions))) }
}

/// The words that a folded text holds.
struct WordSet {
    private let words: Set<Substring>
    private let text: String

    /// How many there are, each once.
    var count: Int { words.count }

    init(_ text: String) {
        words = Set(text.split(separator: " "))
        self.text = text
    }

    /// Whether a word is there, or several behind each other.
    func holds(_ spelled: String) -> Bool {
        Self.count(spelled) == 1 ? words.contains(spelled[...]) : " \(text) ".contains(" \(spelled) ")
    }

    /// Words of a spelling.
    static func count(_ spelled: String) -> Int { 1 + spelled.utf8.count { $0 == UInt8(ascii: " ") } }

    /// Whether a text holds a word: for one question only, as a set of all words costs more.
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
