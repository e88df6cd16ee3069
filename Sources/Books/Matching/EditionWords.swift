import Bytes

/// Words at the end of a title that name an edition of the book: `Third Edition`, `2nd ed`, `Edition 1`, `Revised and
/// Expanded`. All editions are one work.
enum EditionWords {
    private static let nouns: Set<String> = ["edition", "ed", "edn", "editions", "auflage", "ausgabe"]
    /// Words that are left of `edition` when its words are the last ones of a title.
    private static let qualities: Set<String> = [
        "revised", "rev", "expanded", "updated", "enlarged", "corrected", "augmented", "new", "special",
        "deluxe",
        "anniversary", "international", "student", "reprint", "reissue", "first", "second", "third", "fourth",
        "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "fully", "completely", "limited", "edition",
        "collectors", "centenary", "tie", "in", "movie", "uberarbeitete", "erweiterte", "neue",
    ]
    /// Words that need no `edition` behind them if there are two.
    private static let changes: Set<String> = [
        "revised", "expanded", "updated", "enlarged", "corrected", "augmented", "fully", "completely",
        "newly",
    ]

    /// The number of words at the end that name an edition. At least one word is left, unless the title has no other.
    ///
    /// - Parameter words: Folded, without "and".
    static func count(endOf words: [String]) -> Int {
        guard let last = words.last else { return 0 }
        if nouns.contains(last) {
            let named = words.dropLast().reversed().prefix { qualities.contains($0) || isOrdinal($0) }.count
            return named > 0 ? named + 1 : 0
        }
        // `Edition 1` of a bookseller.
        if words.count > 1, words[words.count - 2] == "edition", last.utf8.count <= 2,
            last.utf8.allSatisfy({ $0.isDigit })
        {
            return 2
        }
        let changed = words.reversed().prefix { changes.contains($0) }.count
        return changed > 1 ? changed : 0
    }

    /// Whether all the words name an edition, as a part of a title or the content of a bracket.
    static func areAll(_ words: [String]) -> Bool {
        guard !words.isEmpty else { return false }
        return count(endOf: words) == words.count || words.allSatisfy(changes.contains)
    }

    /// `3rd`, `11th`.
    private static func isOrdinal(_ word: String) -> Bool {
        guard let first = word.utf8.first, first.isDigit, word.utf8.count <= 5 else { return false }
        let letters = String(word.drop { $0.isNumber })
        return ["st", "nd", "rd", "th"].contains(letters)
    }
}
