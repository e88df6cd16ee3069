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
        let words = Set(text.split(separator: " ").map(String.init))
        var found = 0.0
        for word in question.words {
            if words.contains(word.asked) {
                found += 1
            } else if word.meant.contains(where: words.contains) {
                found += corrected
            }
        }
        var score =
            asked * found / Double(max(1, question.words.count)) + there * found / Double(max(1, words.count))
        if text == question.folded || short == question.folded {
            score += whole
        } else if text.hasPrefix(question.folded + " ") {
            score += beginning
        }
        return score
    }

    /// Points for a work of many editions: among equals the one that more people mean.
    static func score(editions: Int64) -> Double { 0.5 * log2(Double(1 + max(0, editions))) }
}
