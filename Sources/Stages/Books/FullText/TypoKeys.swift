import Bytes

/// Keys under which a word and the words one mistake away from it meet: the word itself, and the word less each of
/// its letters.
///
/// Two words that differ by one letter missing, one too many, one wrong or two exchanged share a key: take the
/// letter away in which they differ, in the one, in the other or in both (the "symmetric delete" of SymSpell).
/// Words with digits are no words that are mistyped. Of Hangul, which is kept letter by letter, whole syllables are taken
/// away as well.
enum TypoKeys {
    /// Letters a word of an index must have.
    private static let indexed = 3...32
    /// Letters a word of a question must have: shorter ones are one mistake away from anything.
    private static let asked = 4...32

    /// Keys of a word of an index; none where it is never a correction.
    static func ofTerm(_ term: [UInt8]) -> [Int64] {
        keys(term, indexed, syllables: HangulSyllables.minPerTerm)
    }

    /// Keys of a word of a question; none where it is not corrected.
    static func ofQuestion(_ term: [UInt8]) -> [Int64] {
        keys(term, asked, syllables: HangulSyllables.minPerQuestion)
    }

    private static func keys(_ term: [UInt8], _ lengths: ClosedRange<Int>, syllables fewest: Int) -> [Int64] {
        var letters = 0
        for byte in term {
            if byte.isDigit { return [] }
            if byte & 0xC0 != 0x80 { letters += 1 }
        }
        guard lengths.contains(letters) else { return [] }
        var keys: [Int64] = []
        keys.reserveCapacity(letters + 1)
        term.withUnsafeBytes { term in
            keys.append(hash(term))
            withUnsafeTemporaryAllocation(byteCount: term.count, alignment: 1) { shorter in
                var start = 0
                while start < term.count {
                    var end = start + 1
                    while end < term.count, term[end] & 0xC0 == 0x80 { end += 1 }
                    // What is before the letter stands there from the one before it.
                    for place in end..<term.count { shorter[place - end + start] = term[place] }
                    let count = term.count - (end - start)
                    let key = hash(UnsafeRawBufferPointer(rebasing: shorter[..<count]))
                    if !keys.contains(key) { keys.append(key) }
                    for place in start..<end { shorter[place] = term[place] }
                    start = end
                }
            }
        }
        let syllables = HangulSyllables.places(in: term)
        for place in syllables.count >= fewest ? syllables : [] {
            let key = (term[..<place.lowerBound] + term[place.upperBound...]).withUnsafeBytes { hash($0) }
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    /// What hashes confuse is told apart by the words they lead to.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        Int64(bitPattern: KeyHash.hash(bytes, seed: 0x7E40))
    }
}

/// Where the syllables of folded Hangul are, which is kept letter by letter (``Folding``): who types one too few leaves
/// two or three letters out.
enum HangulSyllables {
    /// Syllables that a word of an index must have to be the correction of one with a syllable more, less or another.
    static let minPerTerm = 3
    /// Syllables that a word of a question must have to be corrected so.
    static let minPerQuestion = 4

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

/// Whether two words are one mistake apart: a letter missing, too many or wrong, or two neighbours exchanged.
enum SingleTypo {
    /// Hangul is folded to the letters of its syllables; a whole syllable is one mistake as well, in words of enough of
    /// them (``HangulSyllables``).
    static func parts(_ a: String, _ b: String) -> Bool {
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
