/// Says of a key that it was certainly never inserted, or that it may have been (a Bloom filter).
///
/// Nearly every key of a library is new when it is imported first: the filter answers that without touching the
/// index. Its size is fixed by configuration. More keys than it was made for cost look-ups, never memory and never
/// a wrong answer.
struct AbsenceFilter {
    /// Empty until the first key comes: an index that is never used costs nothing.
    private var words: [UInt64] = []
    private let mask: UInt64

    /// - Parameter bytes: Memory to spend, rounded down to a power of two; at ten bits a key about one absent key
    ///   in a hundred is looked up in vain.
    init(bytes: Int) {
        var count = 1
        while count * 2 <= max(1, bytes / 8) { count *= 2 }
        mask = UInt64(count - 1)
    }

    /// All bits of a key lie in one word: one cache line is touched.
    private func bits(_ hash: UInt64) -> (word: Int, bits: UInt64) {
        let spread = hash &* 0x9E37_79B9_7F4A_7C15
        let bits =
            (1 << (spread & 63)) | (1 << ((spread >> 6) & 63)) | (1 << ((spread >> 12) & 63))
            | (1 << ((spread >> 18) & 63)) as UInt64
        return (Int((spread >> 32) & mask), bits)
    }

    mutating func insert(_ hash: UInt64) {
        if words.isEmpty { words = Array(repeating: 0, count: Int(mask) + 1) }
        let place = bits(hash)
        words[place.word] |= place.bits
    }

    func isAbsent(_ hash: UInt64) -> Bool {
        if words.isEmpty { return true }
        let place = bits(hash)
        return words[place.word] & place.bits != place.bits
    }
}
