import Bytes

/// Finds the words at the end of a title that a catalog leaves out: those of an edition (``EditionWords``) or a volume
/// (``VolumeNumber``).
enum TitleEnd {
    private static let marks = WordTable<Void>([
        "edition", "ed", "edn", "editions", "auflage", "ausgabe", "revised", "expanded", "updated",
        "enlarged",
        "corrected", "augmented",
    ])

    /// Whether one of the last two words of a folded title can belong to such words. Most titles have none.
    static func isPossible(in folded: UnsafeRawBufferPointer) -> Bool {
        var end = folded.count
        for _ in 0..<2 {
            let start = folded[..<end].lastIndex(of: 0x20).map { $0 + 1 } ?? 0
            let word = UnsafeRawBufferPointer(rebasing: folded[start..<end])
            if marks.contains(word) || VolumeNoun(word) != nil { return true }
            guard start > 0 else { return false }
            end = start - 1
        }
        return false
    }

    /// The number of words before those; nil if there are none, or nothing before them.
    ///
    /// - Parameter words: Folded, without "and".
    static func kept(of words: [String]) -> Int? {
        var count = words.count - EditionWords.count(endOf: words)
        if let volume = VolumeNumber(in: Array(words[..<count])), volume.words.upperBound == count {
            count = volume.words.lowerBound
        }
        let isTitle = count > 1 || count == 1 && TitleWords.withoutArticle("\(words[0]) a") == "\(words[0]) a"
        return isTitle && count < words.count ? count : nil
    }
}
