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
        keys(term, indexed, syllables: HangulSyllables.fewestOfTerm)
    }

    /// Keys of a word of a question; none where it is not corrected.
    static func ofQuestion(_ term: [UInt8]) -> [Int64] {
        keys(term, asked, syllables: HangulSyllables.fewestOfQuestion)
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
