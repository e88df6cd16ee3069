/// Finds the syllables of folded Hangul, which is stored as single letters (`Folding`). A missing syllable
/// is two or three missing letters.
package enum HangulSyllables {
    /// Syllables a word of an index needs to be a correction by one missing, extra or wrong syllable.
    package static let minPerTerm = 3
    /// Syllables a word of a query needs to be corrected like that.
    package static let minPerQuery = 4

    /// Syllables of a word; 0 if it contains anything but Hangul.
    package static func count(_ word: String) -> Int {
        // The first byte excludes most other words.
        guard word.utf8.first == 0xE1 else { return 0 }
        return places(in: Array(word.utf8)).count
    }

    /// The bytes of each syllable: a leading consonant and the letters after it. Empty if the UTF-8 word
    /// contains anything but Hangul.
    package static func places(in word: [UInt8]) -> [Range<Int>] {
        guard word.first == 0xE1, word.count % 3 == 0 else { return [] }
        var places: [Range<Int>] = []
        for start in stride(from: 0, to: word.count, by: 3) {
            // U+1100...U+11FF is E1 84 80 ... E1 87 BF.
            guard word[start] == 0xE1, 0x84...0x87 ~= word[start + 1] else { return [] }
            let letter = Int(word[start + 1] - 0x84) << 6 | Int(word[start + 2] & 0x3F)
            if letter < 0x60 {
                places.append(start..<start + 3)
            } else if let last = places.popLast() {
                places.append(last.lowerBound..<start + 3)
            } else {
                return []
            }
        }
        return places
    }
}

/// Whether two words are one mistake apart: a missing, extra or wrong letter, or two swapped neighbors.
package enum SingleTypo {
    /// Hangul is folded to single letters. In words with enough syllables, a whole syllable counts as one
    /// mistake too (``HangulSyllables``).
    package static func parts(_ a: String, _ b: String) -> Bool {
        if parts(Array(a.unicodeScalars), Array(b.unicodeScalars)) { return true }
        let count = min(HangulSyllables.count(a), HangulSyllables.count(b))
        return count >= HangulSyllables.minPerTerm && parts(Array(a), Array(b))
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
