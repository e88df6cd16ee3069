/// Keys under which a word and the words one mistake away from it meet: the word itself, and the word less each of
/// its letters.
///
/// Two words that differ by one letter missing, one too many, one wrong or two exchanged share a key: take the
/// letter away in which they differ, in the one, in the other or in both (the "symmetric delete" of SymSpell).
/// Words with digits are no words that are mistyped.
enum TypoKeys {
    /// Letters a word of an index must have.
    private static let indexed = 3...32
    /// Letters a word of a question must have: shorter ones are one mistake away from anything.
    private static let asked = 4...32

    /// Keys of a word of an index; none where it is never a correction.
    static func ofTerm(_ term: [UInt8]) -> [Int64] { keys(term, indexed) }

    /// Keys of a word of a question; none where it is not corrected.
    static func ofQuestion(_ term: [UInt8]) -> [Int64] { keys(term, asked) }

    private static func keys(_ term: [UInt8], _ lengths: ClosedRange<Int>) -> [Int64] {
        // Where each letter begins.
        let starts = term.indices.filter { term[$0] & 0xC0 != 0x80 }
        guard lengths.contains(starts.count), !term.contains(where: \.isDigit) else { return [] }
        var keys: [Int64] = [hash(term)]
        var shorter: [UInt8] = []
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1] : term.count
            shorter.removeAll(keepingCapacity: true)
            shorter.append(contentsOf: term[..<start])
            shorter.append(contentsOf: term[end...])
            let key = hash(shorter)
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    /// What hashes confuse is told apart by the words they lead to.
    private static func hash(_ bytes: [UInt8]) -> Int64 {
        Int64(bitPattern: KeyHash.hash(bytes, seed: 0x7E40))
    }
}
