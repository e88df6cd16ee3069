/// Spellings that differ by blanks: `jrr` and `J. R. R.`, `usa` and `U.S.A.`, `O Brien` and `O'Brien`.
enum SplitSpellings {
    /// Letters of a word that may be initials.
    private static let lengths = 2...4

    /// The initials that a word may be, parted by blanks; nil where it is too long, or has no small and great letters.
    static func initials(_ word: String) -> String? {
        let letters = word.unicodeScalars
        guard lengths.contains(letters.count), letters.allSatisfy(\.properties.isLowercase) else {
            return nil
        }
        return letters.map { String($0) }.joined(separator: " ")
    }

    /// Words in groups: letters that follow each other, each of which is a word, as one; a single one with the word
    /// behind it; every other word alone.
    static func groups(of words: [String]) -> [ArraySlice<String>] {
        var groups: [ArraySlice<String>] = []
        var start = 0
        while start < words.count {
            var end = start
            while end < words.count, isLetter(words[end]) { end += 1 }
            if end == start || end == start + 1, end < words.count { end += 1 }
            groups.append(words[start..<end])
            start = end
        }
        return groups
    }

    /// Whether a word is a letter, of a script in which a letter is no word.
    private static func isLetter(_ word: String) -> Bool {
        let letters = word.unicodeScalars
        return letters.count == 1 && letters.allSatisfy(\.properties.isLowercase)
    }

    /// Whether a folded word is of a script that is written without blanks, or without one between a word and what
    /// belongs to it: Han, kana, Hangul. Names and titles are single words there.
    static func isRun(_ word: String) -> Bool {
        guard let first = word.unicodeScalars.first else { return false }
        return first.properties.isIdeographic || 0x3041...0x30FF ~= first.value
            || 0x1100...0x11FF ~= first.value
    }
}
