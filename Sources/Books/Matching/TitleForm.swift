import Bytes

/// The form in which titles are looked up: folded, without blanks, and equal for the spellings of one title.
///
///     The Hobbit · Hobbit, The            hobbit
///     Nineteen Eighty-Four · 1984         1984
///     Animal Farm & 1984                  animalfarm1984
///     The Colour of Magic                 colorofmagic
///     Saga, Vol. 2 · Saga, Volume 02      saga2
///
/// Different titles can have one form (`Saga 2`), so books with an equal form are still compared. The form is
/// stored as hashes in catalogs, and changing it changes ``CatalogSchema/version``.
///
/// Every title of a dump and every title looked up is converted, so it works on bytes.
package struct TitleForm {
    /// Maximum words that are converted; the rest of a longer title is appended as it is.
    private static let wordLimit = 64

    private let text: UnsafeRawBufferPointer
    private var words: [Range<Int>] = []
    private let keepsVolumes: Bool
    private let separator: UInt8?

    /// Appends the form of a folded text (`Folding`).
    package static func append(_ folded: UnsafeRawBufferPointer, to out: inout [UInt8]) {
        TitleForm(folded, keepsVolumes: false, separator: nil).write(to: &out)
    }

    /// The words of a folded text in their form, with all words that name a volume.
    package static func words(_ folded: String) -> [String] {
        var out: [UInt8] = []
        var folded = folded
        folded.withUTF8 {
            TitleForm(UnsafeRawBufferPointer($0), keepsVolumes: true, separator: 0x20).write(to: &out)
        }
        return out.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the parts of two titles up to the first separator have the same form.
    package static func haveSameBeginning(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        func beginning(_ title: UnsafeRawBufferPointer) -> [UInt8] {
            var bare = Array(title)
            TitleSegments.takeOutBrackets(of: &bare)
            let first = TitleSegments.pieces(of: bare).first?.range ?? bare.indices
            return bare.withUnsafeBytes {
                FoldedHash.withForm(UnsafeRawBufferPointer(rebasing: $0[first])) { Array($0) }
            }
        }
        return beginning(a) == beginning(b)
    }

    /// Whether a title is the beginning of another one, which an export has cut off.
    package static func isCutOff(_ title: UnsafeRawBufferPointer, from whole: UnsafeRawBufferPointer) -> Bool
    {
        FoldedHash.withForm(title) { own in
            own.count >= TitleAgreement.shortestBeginning
                && FoldedHash.withForm(whole) { own.count < $0.count && $0.starts(with: own) }
        }
    }

    private init(_ folded: UnsafeRawBufferPointer, keepsVolumes: Bool, separator: UInt8?) {
        text = folded
        self.keepsVolumes = keepsVolumes
        self.separator = separator
        var start = 0
        for index in 0...folded.count where index == folded.count || folded[index] == 0x20 {
            if index > start { words.append(start..<index) }
            start = index + 1
            if words.count == Self.wordLimit { break }
        }
    }

    private func word(_ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: text[words[index]])
    }

    private func write(to out: inout [UInt8]) {
        var index = 0
        if words.count > 1, TitleWords.isArticle(word(0)) { index = 1 }
        let first = out.count
        while index < words.count {
            let next = write(from: index, isFirst: out.count == first, to: &out)
            index = next
        }
        // A title of nothing but an article and "and" keeps its words.
        if out.count == first { for byte in text where byte != 0x20 || separator != nil { out.append(byte) } }
        if words.count == Self.wordLimit, let last = words.last {
            for byte in text[last.upperBound...] where byte != 0x20 { out.append(byte) }
        }
    }

    /// Appends the word at an index, or the number that starts there.
    ///
    /// - Returns: The index of the next word.
    private func write(from index: Int, isFirst: Bool, to out: inout [UInt8]) -> Int {
        let word = word(index)
        // A title that ends with "and" is cut off, which matters only if titles are compared.
        let isEnd = keepsVolumes && index == words.count - 1
        if words.count > 1, TitleWords.joins(word), !isEnd { return index + 1 }
        if !keepsVolumes, !isFirst, VolumeNoun(word) != nil, isNumber(at: index + 1) { return index + 1 }
        if let separator, !isFirst { out.append(separator) }
        if let number = number(at: index) {
            out.append(digitsOf: Int64(number.value))
            return number.next
        }
        if words.count > 1, index == words.count - 1, word.count > 1 || !keepsVolumes && followsVolume(index),
            let number = TitleWords.roman(word)
        {
            out.append(digitsOf: Int64(number))
        } else if word.allSatisfy(\.isDigit), index == 0 || !self.word(index - 1).allSatisfy(\.isDigit) {
            // Vol. 02 is volume 2. The last digits of 20,000 stay.
            let digits = word.drop { $0 == UInt8(ascii: "0") }
            out.append(contentsOf: digits.isEmpty ? word.suffix(1) : digits)
        } else {
            EnglishSpelling.append(word, to: &out)
        }
        return index + 1
    }

    private func isNumber(at index: Int) -> Bool {
        guard index < words.count else { return false }
        let word = word(index)
        return word.first.map(\.isDigit) == true || number(at: index) != nil || TitleWords.roman(word) != nil
    }

    private func followsVolume(_ index: Int) -> Bool { index > 0 && VolumeNoun(word(index - 1)) != nil }

    // MARK: Numbers

    /// The number in words that starts at an index: `twenty two`, `one hundred and one`, `twenty thousand`.
    private func number(at index: Int) -> (value: Int, next: Int)? {
        guard var (value, next) = hundreds(at: index) else { return nil }
        if next < words.count, word(next).elementsEqual("thousand".utf8) {
            value = max(value, 1) * 1_000
            next += 1
            if let rest = hundreds(at: afterAnd(next)) { (value, next) = (value + rest.value, rest.next) }
        }
        return (value, next)
    }

    private func hundreds(at index: Int) -> (value: Int, next: Int)? {
        guard index < words.count else { return nil }
        var (value, next) = (0, index)
        if let small = small(at: index) {
            (value, next) = small
        } else if word(index).elementsEqual("thousand".utf8) {
            return (1, index)
        }
        guard next < words.count, word(next).elementsEqual("hundred".utf8) else {
            return next > index ? (value, next) : nil
        }
        (value, next) = (max(value, 1) * 100, next + 1)
        if let rest = small(at: afterAnd(next)) { (value, next) = (value + rest.value, rest.next) }
        return (value, next)
    }

    /// A number below one hundred.
    private func small(at index: Int) -> (value: Int, next: Int)? {
        guard index < words.count else { return nil }
        if let ten = TitleWords.ten(word(index)) {
            if index + 1 < words.count, let unit = TitleWords.unit(word(index + 1)), unit < 10 {
                return (ten + unit, index + 2)
            }
            return (ten, index + 1)
        }
        return TitleWords.unit(word(index)).map { ($0, index + 1) }
    }

    private func afterAnd(_ index: Int) -> Int {
        index < words.count && word(index).elementsEqual("and".utf8) ? index + 1 : index
    }
}
