/// Says of a key that it was certainly never inserted, or that it may have been (a Bloom filter).
///
/// Where nearly every key that is asked for is absent, it answers without the index being touched. Its size is fixed by
/// configuration. More keys than it was made for cost look-ups, never memory and never a wrong answer. Indexes may
/// share one: a key that another has may then be looked up in vain.
package final class BloomFilter {
    /// Empty until the first key comes: a store that is only looked at costs nothing.
    private var words: [UInt64] = []
    private let count: UInt64

    /// - Parameter bytes: Memory to spend, 32 GiB at the most; at ten bits a key about one absent key in fifty is looked
    ///   up in vain, at five one in eight.
    package init(bytes: Int) { count = UInt64(min(max(1, bytes / 8), Int(UInt32.max))) }

    /// All bits of a key lie in one word: one cache line is touched.
    private func bits(_ hash: UInt64) -> (word: Int, bits: UInt64) {
        let spread = hash &* 0x9E37_79B9_7F4A_7C15
        let bits =
            (1 << (spread & 63)) | (1 << ((spread >> 6) & 63)) | (1 << ((spread >> 12) & 63))
            | (1 << ((spread >> 18) & 63)) as UInt64
        return (Int(((spread >> 32) &* count) >> 32), bits)
    }

    package func insert(_ hash: UInt64) {
        if words.isEmpty { words = Array(repeating: 0, count: Int(count)) }
        let place = bits(hash)
        words[place.word] |= place.bits
    }

    /// The word that speaks of a key.
    @inline(__always)
    func touch(_ hash: UInt64) -> UInt64 { words.isEmpty ? 0 : words[bits(hash).word] }

    package func isAbsent(_ hash: UInt64) -> Bool {
        if words.isEmpty { return true }
        let place = bits(hash)
        return words[place.word] & place.bits != place.bits
    }
}
