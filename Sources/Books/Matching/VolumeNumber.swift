import Bytes

/// Meaning of the word before a volume's number. Volume 1 of a comic is not its issue 1, and the first part of a book
/// that was printed in two is not the book.
enum VolumeNoun: UInt8 {
    /// `Vol. 1`, `Tome 1`, `Band 1`.
    case volume
    /// `Book 1`: a volume, a position in a series, or a larger volume of a comic.
    case book
    /// `Part 1`, `Teil 1`.
    case part
    /// A single issue of a periodical.
    case issue
    /// The difficulty of a reader: `Level 3`.
    case level
    /// `#3`: a volume or an issue.
    case number
    /// A position in the series that has the title's name: any of the above.
    case any

    private static let words = WordTable<VolumeNoun>([
        ("vol", .volume), ("vols", .volume), ("volume", .volume), ("volumes", .volume), ("tome", .volume),
        ("tomes", .volume), ("tomo", .volume), ("band", .volume), ("bd", .volume), ("bande", .volume),
        ("deel", .volume), ("volumen", .volume), ("bind", .volume),
        ("book", .book), ("books", .book), ("bk", .book), ("buch", .book), ("livre", .book), ("libro", .book),
        ("part", .part), ("parts", .part), ("pt", .part), ("teil", .part), ("partie", .part),
        ("parte", .part),
        ("issue", .issue), ("issues", .issue), ("heft", .issue), ("chapter", .issue), ("episode", .issue),
        ("level", .level), ("stage", .level), ("grade", .level), ("stufe", .level), ("niveau", .level),
        ("nr", .number), ("numero", .number),
    ])

    /// Nil if a folded word does not name a volume.
    init?(_ word: UnsafeRawBufferPointer) {
        guard let noun = Self.words[word] else { return nil }
        self = noun
    }

    init?(_ word: String) {
        guard let noun = Self.words[word] else { return nil }
        self = noun
    }

    /// Whether both can name the same volume.
    func isLike(_ other: VolumeNoun) -> Bool {
        if self == other || self == .any || other == .any { return true }
        let isUnspecific = self == .number || other == .number
        return isUnspecific && [self, other].contains { $0 == .volume || $0 == .issue }
    }

    /// Whether the two certainly name different things.
    func excludes(_ other: VolumeNoun) -> Bool {
        guard !isLike(other) else { return false }
        return self == .issue || other == .issue || self == .level || other == .level
    }
}

/// The volume that a title names, and the words that name it.
struct VolumeNumber: Equatable {
    /// `2`, or `1-4` for several volumes. Without leading zeros.
    var number: String
    var noun: VolumeNoun
    /// The range of those words in their part of the title.
    var words: Range<Int>
    /// Whether it is a position in a series (`Book One of the Farseer Trilogy`, `Book 1 of 7`), which other
    /// titles of the same book leave out.
    var isOfSeries: Bool
    /// Whether it is in brackets, as shops number the books of a series: `(Volume 2)`.
    var isInBrackets = false
    /// Whether it is behind the title, without a separator but a comma.
    var isInFirstPart = false
    /// Whether it can be a position in a series that nobody names, and which a catalog leaves out: `Ashfall, Book 2`,
    /// `Ashfall (Volume 2)`. `Monte Cristo, Volume 2` is the second half of a book.
    var canBeUnsaid: Bool { !areSeveral && (isInBrackets || noun == .book && isInFirstPart) }
    /// Whether the title names several volumes.
    var areSeveral: Bool { number.contains("-") }
}

extension VolumeNumber {
    /// The first volume number in a list of folded words; nil if there is none.
    init?(in words: [String]) {
        for (index, word) in words.enumerated() {
            if let named = VolumeNumber(at: index, word, words) ?? VolumeNumber(ordinalAt: index, word, words)
            {
                self = named
                return
            }
        }
        return nil
    }

    /// `volume 2`, `books 1 3`, `part 2 of 2`.
    private init?(at index: Int, _ word: String, _ words: [String]) {
        guard let noun = VolumeNoun(word), index + 1 < words.count,
            let first = TitleWords.number(words[index + 1])
        else { return nil }
        self.noun = noun
        number = first
        var end = index + 2
        while end < words.count, let last = Self.plainNumber(words[end]), last != first {
            number = "\(first)-\(last)"
            end += 1
        }
        isOfSeries = false
        if end < words.count, ["of", "in", "de", "von"].contains(words[end]) {
            if end + 1 < words.count, Self.plainNumber(words[end + 1]) != nil {
                // Book 1 of 7 is one of seven books; part 1 of 2 is half of one.
                isOfSeries = noun == .book
                end += 2
            } else {
                isOfSeries = index == 0
            }
        }
        self.words = index..<end
    }

    /// The content of a bracket that is nothing but a number: `2`, `II`, `2 of 2`, `2/2`, `1-3`, `1 to 3`.
    ///
    /// - Parameter text: The content as written; `words` are its words.
    init?(alone words: [String], in text: ArraySlice<UInt8>) {
        guard let first = words.first, let last = words.last, words.count <= 3,
            max(first.utf8.count, last.utf8.count) <= 2, !text.contains(UInt8(ascii: ".")),
            let number = Self.plainNumber(first), let other = Self.plainNumber(last)
        else { return nil }
        let isPart: Bool
        switch words.count {
        case 1: isPart = false
        case 2: isPart = text.contains(UInt8(ascii: "/"))
        default:
            isPart = ["of", "de", "von"].contains(words[1])
            guard isPart || ["to", "bis", "a"].contains(words[1]) else { return nil }
        }
        // 24/7 is no part.
        if isPart, Int(number) ?? 0 > Int(other) ?? 0 { return nil }
        self.number = words.count > 1 && !isPart ? "\(number)-\(other)" : number
        noun = isPart ? .part : .number
        self.words = 0..<words.count
        isOfSeries = false
    }

    /// `second series`, `erster Teil`, `first and second series`.
    private init?(ordinalAt index: Int, _ word: String, _ words: [String]) {
        guard let ordinal = TitleWords.ordinal(word), index + 1 < words.count else { return nil }
        let next = words[index + 1]
        guard let noun = next == "series" ? VolumeNoun.volume : VolumeNoun(next) else { return nil }
        let before = index > 0 ? TitleWords.ordinal(words[index - 1]) : nil
        number = before.map { "\($0)-\(ordinal)" } ?? String(ordinal)
        self.words = (before == nil ? index : index - 1)..<index + 2
        self.noun = noun
        isOfSeries = false
    }

    /// Digits or a Roman numeral; not `2nd` or `two`.
    private static func plainNumber(_ word: String) -> String? {
        guard let number = TitleWords.number(word),
            word.utf8.allSatisfy({ $0.isDigit || "ivx".utf8.contains($0) })
        else { return nil }
        return number
    }
}

/// A series with the book's position, as a row names it.
package struct SeriesPosition: Hashable {
    package var name: String
    /// As spelled: `1`, `0.5`, `1-3`, `1, #2`; empty if unknown.
    package var number: String

    package init(name: String, number: String) {
        self.name = name
        self.number = number
    }

    /// A series as titles have it in brackets: `Discworld, #8`. Nil for a text without a number sign.
    package init?(_ text: ArraySlice<UInt8>) {
        guard let mark = text.lastIndex(of: UInt8(ascii: "#")) else { return nil }
        var name = text[..<mark]
        while let last = name.last, last == UInt8(ascii: ",") || last == 0x20 { name.removeLast() }
        self.init(
            name: String(decoding: name, as: UTF8.self),
            number: String(decoding: text[(mark + 1)...], as: UTF8.self))
    }

    /// The single whole position; nil for several, for a fraction, and for none.
    package var volume: Int? {
        let digits = number.prefix { $0.isNumber }
        guard !digits.isEmpty, digits.count <= 4, !areSeveral else { return nil }
        let rest = number.dropFirst(digits.count)
        return rest.isEmpty || rest.first == "," || rest.first == ":" ? Int(digits) : nil
    }

    /// Whether the row names several books of the series: `1-3`, `1 & 2`.
    package var areSeveral: Bool {
        let text = Array(number.unicodeScalars)
        var isBehindNumber = false
        for (index, letter) in text.enumerated() where !isDigit(letter) && letter != "." {
            if index > 0, isDigit(text[index - 1]) { isBehindNumber = true }
            guard isBehindNumber, "-–—&+,/".unicodeScalars.contains(letter) else { continue }
            let next = text[(index + 1)...].first { $0 != " " && $0 != "#" }
            if let next, isDigit(next) { return true }
        }
        return false
    }

    private func isDigit(_ letter: Unicode.Scalar) -> Bool { ("0"..."9").contains(letter) }
}
