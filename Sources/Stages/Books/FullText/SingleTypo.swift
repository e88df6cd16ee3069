/// Whether two words are one mistake apart: a letter missing, too many or wrong, or two neighbours exchanged.
enum SingleTypo {
    /// Hangul is folded to the letters of its syllables; a whole syllable is one mistake as well, in words of enough of
    /// them (``HangulSyllables``).
    static func parts(_ a: String, _ b: String) -> Bool {
        if parts(Array(a.unicodeScalars), Array(b.unicodeScalars)) { return true }
        let count = min(HangulSyllables.count(a), HangulSyllables.count(b))
        return count >= HangulSyllables.fewestOfTerm && parts(Array(a), Array(b))
    }

    private static func parts<Letter: Equatable>(_ a: [Letter], _ b: [Letter]) -> Bool {
        let (shorter, longer) = a.count <= b.count ? (a, b) : (b, a)
        guard longer.count - shorter.count <= 1 else { return false }
        guard let first = shorter.indices.first(where: { shorter[$0] != longer[$0] }) else {
            return longer.count == shorter.count + 1
        }
        if longer.count > shorter.count { return shorter[first...] == longer[(first + 1)...] }
        if shorter[(first + 1)...] == longer[(first + 1)...] { return true }
        return first + 1 < shorter.count && shorter[first] == longer[first + 1]
            && shorter[first + 1] == longer[first] && shorter[(first + 2)...] == longer[(first + 2)...]
    }
}
