import Bytes

/// Keys shared by a word and all words one mistake away: hashes of the word itself and of the word without
/// each of its letters.
///
/// Two words that differ by a missing, extra or wrong letter, or by two swapped letters, share a key.
/// Removing the differing letter from one word or from both makes them equal (the "symmetric delete" of
/// SymSpell). Words with digits have no keys, because they are not misspelled words. Hangul is stored as
/// single letters, so whole syllables are removed as well.
enum TypoKeys {
    /// Letters of a word in an index.
    private static let indexed = 3...32
    /// Letters of a word in a query. Shorter words are one mistake away from too many others.
    private static let asked = 4...32

    /// Keys of a word in an index; empty if it is never a correction.
    static func ofTerm(_ term: [UInt8]) -> [Int64] {
        keys(term, indexed, syllables: HangulSyllables.minPerTerm)
    }

    /// Keys of a word in a query; empty if it is not corrected.
    static func ofQuery(_ term: [UInt8]) -> [Int64] {
        keys(term, asked, syllables: HangulSyllables.minPerQuery)
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
                    // The bytes before the letter are already in place.
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

    /// Hash collisions do no harm: the words found are compared.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        Int64(bitPattern: KeyHash.hash(bytes, seed: 0x7E40))
    }
}

/// Finds the syllables of folded Hangul, which is stored as single letters (`Folding`). A missing syllable
/// is two or three missing letters.
enum HangulSyllables {
    /// Syllables a word of an index needs to be a correction by one missing, extra or wrong syllable.
    static let minPerTerm = 3
    /// Syllables a word of a query needs to be corrected like that.
    static let minPerQuery = 4

    /// Syllables of a word; 0 if it contains anything but Hangul.
    static func count(_ word: String) -> Int {
        // The first byte excludes most other words.
        guard word.utf8.first == 0xE1 else { return 0 }
        return places(in: Array(word.utf8)).count
    }

    /// The bytes of each syllable: a leading consonant and the letters after it. Empty if the UTF-8 word
    /// contains anything but Hangul.
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

/// Whether two words are one mistake apart: a missing, extra or wrong letter, or two swapped neighbors.
enum SingleTypo {
    /// Hangul is folded to single letters. In words with enough syllables, a whole syllable counts as one
    /// mistake too (``HangulSyllables``).
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
