import Bytes

/// The spellings of genres without blanks and diacritics, for tags that write them in another way: `youngadult`,
/// `steam-punk`, `ciencia-ficcion`, `ww1`, `kid-lit`, `screenplay`, `sience-fiction`.
struct JoinedSpellings: Sendable {
    /// Shorter ones are compared only with their numbers.
    private static let shortest = 6
    /// Shorter ones are not compared with typing errors.
    private static let shortestMistyped = 9

    private var genres = GenreKeys(expected: 4096)
    /// Those long enough for typing errors, by their first and last byte.
    private var long: [UInt16: [(spelling: String, genre: GenreTable.Genre)]] = [:]

    /// Adds the spelling of a genre. Compounds, such as `fiction / ghost`, are no words to join.
    mutating func insert(_ spelling: UnsafeRawBufferPointer, as genre: GenreTable.Genre) {
        var key: [UInt8] = []
        GenreKey.append(spelling, to: &key)
        guard !key.contains(UInt8(ascii: "/")) else { return }
        let folded = key.withUnsafeBytes { Self.folded($0) }
        let joined = folded.filter { $0 != 0x20 }
        guard joined.withUnsafeBytes({ genres.value(of: $0) }) == nil else { return }
        genres.insert(joined, as: genre)
        // `food-drink` is `Food & Drink`.
        let short = Self.withoutAnd(folded)
        if short.count < folded.count { genres.insert(short.filter { $0 != 0x20 }, as: genre) }
        if joined.count >= Self.shortestMistyped {
            long[Self.ends(folded), default: []].append((String(decoding: folded, as: UTF8.self), genre))
        }
    }

    /// The genre of a key (``GenreKey``).
    ///
    /// - Parameter isMistyped: Whether it may have a typing error.
    func genre(
        of key: UnsafeRawBufferPointer, isMistyped: Bool, scratch: inout [UInt8]
    ) -> GenreTable.Genre? {
        let folded = Self.folded(key)
        if let genre = genre(ofJoined: folded.filter { $0 != 0x20 }, &scratch) { return genre }
        let full = Self.writtenOut(folded)
        if full.count != folded.count, let genre = genre(ofJoined: full.filter { $0 != 0x20 }, &scratch) {
            return genre
        }
        return isMistyped ? mistyped(full) : nil
    }

    /// Numbers that are also written as Roman ones, of as many letters.
    private static let numbers = UInt8(ascii: "1")...UInt8(ascii: "3")

    private func genre(ofJoined joined: [UInt8], _ scratch: inout [UInt8]) -> GenreTable.Genre? {
        var joined = joined
        if let last = joined.last, Self.numbers.contains(last), joined.count > 2 {
            joined.removeLast()
            let number = Int(last - UInt8(ascii: "0"))
            joined.append(contentsOf: repeatElement(UInt8(ascii: "i"), count: number))
            return joined.withUnsafeBytes { genres.value(of: $0) }
        }
        guard joined.count >= Self.shortest else { return nil }
        let found = joined.withUnsafeBytes { joined in
            genres.value(of: joined)
                ?? SingularForm.first(of: joined, scratch: &scratch) { genres.value(of: $0) }
        }
        if let found { return found }
        if joined.last == UInt8(ascii: "y") {
            let plural = joined.dropLast() + Array("ies".utf8)
            if let genre = plural.withUnsafeBytes({ genres.value(of: $0) }) { return genre }
        }
        joined.append(UInt8(ascii: "s"))
        return joined.withUnsafeBytes { genres.value(of: $0) }
    }

    /// The genre of which a text is a spelling with one typing error, in a long word, but not in the first or last
    /// letter; nil if it may be that of several genres.
    private func mistyped(_ folded: [UInt8]) -> GenreTable.Genre? {
        guard folded.count >= Self.shortestMistyped, !folded.contains(where: \.isDigit) else { return nil }
        let text = String(decoding: folded, as: UTF8.self)
        var found: GenreTable.Genre?
        for (spelling, genre) in long[Self.ends(folded)] ?? []
        where abs(spelling.utf8.count - folded.count) <= 1 && SingleTypo.parts(text, spelling)
            && Self.isInLongWord(folded, Array(spelling.utf8))
        {
            if let found, found != genre { return nil }
            found = genre
        }
        return found
    }

    /// Whether the first difference is in a word of at least five letters.
    private static func isInLongWord(_ text: [UInt8], _ spelling: [UInt8]) -> Bool {
        let first = zip(text, spelling).prefix { $0 == $1 }.count
        let start = (text[..<first].lastIndex(of: 0x20) ?? -1) + 1
        let end = text[first...].firstIndex(of: 0x20) ?? text.count
        return end - start >= 5
    }

    private static func ends(_ text: [UInt8]) -> UInt16 {
        guard let first = text.first, let last = text.last else { return 0 }
        return UInt16(first) << 8 | UInt16(last)
    }

    private static func folded(_ key: UnsafeRawBufferPointer) -> [UInt8] {
        var folded: [UInt8] = []
        Folding.fold(key, into: &folded)
        return folded
    }

    private static func withoutAnd(_ folded: [UInt8]) -> [UInt8] {
        let words = folded.split(separator: 0x20).filter { !$0.elementsEqual("and".utf8) }
        return Array(words.joined(separator: [0x20]))
    }

    /// With abbreviations written out.
    private static func writtenOut(_ folded: [UInt8]) -> [UInt8] {
        var full: [UInt8] = []
        for word in folded.split(separator: 0x20) {
            if !full.isEmpty { full.append(0x20) }
            word.withUnsafeBytes { word in
                if let (_, long) = abbreviations.first(where: { $0.0 == word }) {
                    long.withUTF8Buffer { full.append(contentsOf: $0) }
                } else {
                    full.append(contentsOf: word)
                }
            }
        }
        return full
    }

    private static let abbreviations: [(StaticString, StaticString)] = [
        ("lit", "literature"), ("fic", "fiction"), ("nf", "nonfiction"), ("hist", "historical"),
        ("kid", "childrens"), ("kids", "childrens"), ("child", "childrens"), ("children", "childrens"),
        ("sci", "science"), ("bios", "biographies"), ("psych", "psychological"),
    ]
}
