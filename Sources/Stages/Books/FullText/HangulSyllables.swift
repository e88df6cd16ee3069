/// Where the syllables of folded Hangul are, which is kept letter by letter (``Folding``): who types one too few leaves
/// two or three letters out.
enum HangulSyllables {
    /// Syllables that a word of an index must have to be the correction of one with a syllable more, less or another.
    static let fewestOfTerm = 3
    /// Syllables that a word of a question must have to be corrected so.
    static let fewestOfQuestion = 4

    /// Syllables of a word; 0 where it holds anything but Hangul.
    static func count(_ word: String) -> Int {
        // Most words are not: their first byte tells.
        guard word.utf8.first == 0xE1 else { return 0 }
        return places(in: Array(word.utf8)).count
    }

    /// The bytes of each syllable: a leading consonant and the letters behind it. None where a word of UTF-8 holds
    /// anything else.
    static func places(in word: [UInt8]) -> [Range<Int>] {
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
