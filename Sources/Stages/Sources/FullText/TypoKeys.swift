import Books
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
