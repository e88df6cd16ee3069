/// A Bloom filter: says that a key was certainly never inserted, or that it may have been.
///
/// It avoids most lookups if nearly all keys are absent. Its size is fixed. Too many keys cause additional
/// lookups, but no additional memory and no wrong results. Several indexes can share a filter; then keys of
/// one cause additional lookups in the others.
package final class BloomFilter {
    /// Empty until the first key is inserted, so that a store that is only read costs nothing.
    private var words: [UInt64] = []
    private let count: UInt64

    /// - Parameter bytes: Memory use, at most 32 GiB. With ten bits per key, about one absent key in fifty is
    ///   looked up unnecessarily; with five bits, one in eight.
    package init(bytes: Int) { count = UInt64(min(max(1, bytes / 8), Int(UInt32.max))) }

    /// Bytes of memory once there are keys.
    var byteCount: Int { Int(count) * 8 }

    /// All bits of a key are in one word, so that only one cache line is read.
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

    /// The word of a key, for prefetching.
    @inline(__always)
    func prefetch(_ hash: UInt64) -> UInt64 { words.isEmpty ? 0 : words[bits(hash).word] }

    package func isAbsent(_ hash: UInt64) -> Bool {
        if words.isEmpty { return true }
        let place = bits(hash)
        return words[place.word] & place.bits != place.bits
    }
}
