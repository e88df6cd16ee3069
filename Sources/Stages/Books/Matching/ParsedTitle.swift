/// A title, split for comparison: its parts, its volume, and what kind of book it names.
///
/// `A Storm of Swords, Part 2: Blood and Gold (A Song of Ice and Fire, #3.2)` has the parts `storm of swords`
/// and `blood gold` and the volume `2`. The series in brackets does not identify the book, so it is ignored.
struct ParsedTitle {
    /// A piece between colons, or a subtitle.
    struct Part: Equatable {
        var words: [String]
        /// The words joined without separators, so that `wallpaper` and `wall paper` are equal. After them
        /// come the signs that distinguish `C++` from `C`.
        var key: String
        /// Whether the part describes the edition or fits any book: `A Novel`, `50th Anniversary Edition`.
        var isIdle: Bool
        /// Whether the source had the part as a separate subtitle.
        var isSubtitle: Bool
    }

    private(set) var parts: [Part] = []
    private(set) var volume: String?
    /// Whether the volume is a position in a series, which other titles of the same book leave out.
    private(set) var isVolumeOfSeries = false
    /// Index of the part with the volume's number. The parts after it are the volume's own title.
    private(set) var partOfVolume = 0
    private(set) var kinds: Set<BookKind> = []

    /// The keys of all parts joined. Idle parts are left out unless there are no others.
    private(set) var key = ""

    /// Longest title that is parsed, in bytes. The time grows with the square of the length. Longer titles
    /// match nothing.
    static let byteLimit = 1_024

    init(_ title: String, subtitle: String = "") {
        guard title.utf8.count <= Self.byteLimit else { return }
        read(title, isSubtitle: false)
        if !subtitle.isEmpty, subtitle.utf8.count <= Self.byteLimit { read(subtitle, isSubtitle: true) }
        let significant = parts.filter { !$0.isIdle }
        key = (significant.isEmpty ? parts : significant).map(\.key).joined()
    }

    /// The parts that distinguish books.
    var significant: [Part] { parts.filter { !$0.isIdle } }

    // MARK: Parsing

    private mutating func read(_ text: String, isSubtitle: Bool) {
        var bare = Array(text.utf8)
        TitleSegments.takeOutBrackets(of: &bare, canVanish: isSubtitle) { inside in
            readBracket(String(decoding: inside, as: UTF8.self))
        }
        for piece in TitleSegments.pieces(of: bare) {
            let words = TitleWords.words(String(decoding: bare[piece], as: UTF8.self))
            add(words, KeyNormalizer.endings(of: bare[piece]), isSubtitle)
        }
    }

    private mutating func readBracket(_ inside: String) {
        // A position in a series is not a volume of this work.
        guard !inside.contains("#") else { return }
        let words = TitleWords.words(inside)
        kinds.formUnion(BookKind.kinds(in: words, isFirst: false))
        guard volume == nil, let named = VolumeNumber(in: words) else { return }
        volume = named.number
        isVolumeOfSeries = named.isOfSeries || named.words.count < words.count || words.first == "book"
    }

    private mutating func add(_ words: [String], _ signs: [UInt8], _ isSubtitle: Bool) {
        var words = words
        if let named = VolumeNumber(in: words) {
            if volume == nil {
                volume = named.number
                isVolumeOfSeries = named.isOfSeries
                partOfVolume = named.words.lowerBound == 0 ? parts.count - 1 : parts.count
            }
            // The rest of such a part names the series: `Book One of the Farseer Trilogy`.
            if named.isOfSeries { return }
            words.removeSubrange(named.words)
        }
        kinds.formUnion(BookKind.kinds(in: words, isFirst: parts.isEmpty))
        guard !words.isEmpty else { return }
        let compared = TitleWords.compared(words)
        parts.append(
            Part(
                words: compared, key: compared.joined() + String(decoding: signs, as: UTF8.self),
                isIdle: !parts.isEmpty && Self.isIdle(words), isSubtitle: isSubtitle))
    }

    private static let ofEditions: Set<String> = [
        "edition", "editions", "classics", "text", "volume", "ausgabe", "auflage", "unabridged", "reprint",
    ]
    private static let ofAnyBook: Set<String> = [
        "a", "an", "the", "novel", "novels", "memoir", "story", "stories", "tale", "thriller", "mystery",
        "roman",
        "romance", "poems", "of", "in", "parts", "epilogue", "with",
    ]

    private static func isIdle(_ words: [String]) -> Bool {
        if words.contains(where: ofEditions.contains) { return true }
        // Such as "A Sherlock Holmes Novel".
        if let first = words.first, let last = words.last, ["a", "an", "the"].contains(first),
            ["novel", "mystery", "thriller", "romance"].contains(last)
        {
            return true
        }
        let compared = TitleWords.compared(words)
        return compared.contains(where: ofAnyBook.contains)
            && compared.allSatisfy { ofAnyBook.contains($0) || $0.utf8.count == 1 }
    }
}

/// The volume that a title names, and the words that name it.
struct VolumeNumber: Equatable {
    /// `2`, or `1-4` for several volumes.
    var number: String
    /// The range of those words in their part of the title.
    var words: Range<Int>
    /// Whether it is a position in a series (`Book One of the Farseer Trilogy`), which other titles of the
    /// same book leave out.
    var isOfSeries: Bool

    private static let nouns: Set<String> = [
        "vol", "vols", "volume", "volumes", "book", "books", "part", "parts", "tome", "tomo", "band", "bd",
        "teil",
        "deel",
    ]
    private static let ordered: Set<String> = nouns.union(["series"])

    /// The first volume number in a list of words; nil if there is none.
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
