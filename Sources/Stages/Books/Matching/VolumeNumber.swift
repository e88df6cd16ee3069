/// Which part of a work in several volumes a title names, and the words that said so.
struct VolumeNumber: Equatable {
    /// `2`, or `1-4` for several at once.
    var number: String
    /// The words that say it, in the part of the title they stand in.
    var words: Range<Int>
    /// Whether it is a place in a series (`Book One of the Farseer Trilogy`), which the same book may bear or not.
    var isOfSeries: Bool

    private static let nouns: Set<String> = [
        "vol", "vols", "volume", "volumes", "book", "books", "part", "parts", "tome", "tomo", "band", "bd",
        "teil",
        "deel",
    ]
    private static let ordered: Set<String> = nouns.union(["series"])

    /// The first one in words that still have their "and"s (as blanks they are gone): nil where there is none.
    init?(in words: [String]) {
        for (index, word) in words.enumerated() {
            if Self.nouns.contains(word), index + 1 < words.count,
                let number = TitleWords.number(words[index + 1])
            {
                var end = index + 2
                self.number = number
                if end < words.count, let last = TitleWords.number(words[end]), last != number {
                    self.number = "\(number)-\(last)"
                    end += 1
                }
                self.words = index..<end
                isOfSeries = index == 0 && end < words.count && ["of", "in"].contains(words[end])
                return
            }
            if let ordinal = TitleWords.ordinals[word], index + 1 < words.count,
                Self.ordered.contains(words[index + 1])
            {
                let before = index > 0 ? TitleWords.ordinals[words[index - 1]] : nil
                number = before.map { "\($0)-\(ordinal)" } ?? String(ordinal)
                self.words = (before == nil ? index : index - 1)..<index + 2
                isOfSeries = false
                return
            }
        }
        return nil
    }
}
