import Bytes

/// A title's words in the form in which titles are compared: folded, without "and", numbers as digits.
enum TitleWords {
    private static let joining: Set<String> = ["and", "und", "et"]

    /// Leading words that are often left out of a title.
    static let articles: Set<String> = [
        "the", "a", "an", "le", "la", "les", "l", "un", "une", "der", "die", "das", "ein", "eine", "el",
        "los", "las", "il", "lo", "gli", "het", "een",
    ]

    /// Folded text without its leading article. Text that is only an article is kept.
    static func withoutArticle(_ folded: String) -> Substring {
        guard let blank = folded.utf8.firstIndex(of: UInt8(ascii: " ")),
            articles.contains(String(folded[..<blank]))
        else { return folded[...] }
        return folded[folded.utf8.index(after: blank)...]
    }

    private static let units: [String: Int] = [
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
        "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
        "seventeen": 17, "eighteen": 18, "nineteen": 19,
    ]
    private static let tens: [String: Int] = [
        "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
        "ninety": 90,
    ]
    static let ordinals: [String: Int] = [
        "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "erster": 1, "erstes": 1, "zweiter": 2,
        "zweites": 2, "dritter": 3, "premier": 1, "deuxieme": 2,
    ]
    private static let romans: [String: Int] = [
        "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10, "xi": 11,
        "xii": 12,
    ]

    /// Whether a folded word is "and" in one of three languages.
    static func joins(_ word: UnsafeRawBufferPointer) -> Bool {
        joining.contains(String(decoding: word, as: UTF8.self))
    }

    /// The words of a text, folded, without "and" in three languages, as `&` is also dropped.
    static func words(_ text: some StringProtocol) -> [String] {
        let folded = Folding.fold(text).split(separator: " ").map(String.init)
        return folded.count == 1 ? folded : folded.filter { !joining.contains($0) }
    }

    /// The words with numbers as digits (`eighty four` becomes `84`) and without a leading article.
    static func compared(_ words: [String]) -> [String] {
        var out: [String] = []
        out.reserveCapacity(words.count)
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            if let ten = tens[word] {
                let unit = index < words.count ? units[words[index]].flatMap { $0 < 10 ? $0 : nil } : nil
                if unit != nil { index += 1 }
                out.append(String(ten + (unit ?? 0)))
            } else {
                out.append(units[word].map(String.init) ?? word)
            }
        }
        if out.count > 1, articles.contains(out[0]) { out.removeFirst() }
        return out
    }

    /// The number in a word after "volume": `2`, `4a`, `II`, `two`.
    static func number(_ word: String) -> String? {
        if let first = word.utf8.first, first &- 0x30 < 10, word.utf8.count <= 4 { return word }
        return (units[word] ?? romans[word]).map(String.init)
    }
}
