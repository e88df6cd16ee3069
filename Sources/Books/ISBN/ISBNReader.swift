import Bytes

/// Parses what people and programs write as an ISBN.
///
/// Notation is not damage. Accepted are hyphens and blanks of every kind, a lower-case `x`, full-width
/// digits, `="…"`, a leading `ISBN` or `ISBN-13:`, a binding in brackets after the number (`0826497527
/// (pbk.)`), and text around a number that follows the word ISBN. Damage is repaired if one answer is certain
/// (``ISBNRepair``). A wrong check digit is never repaired.
package enum ISBNReader {
    /// Parses a cell's bytes. A plain valid ISBN takes a few nanoseconds and no allocation.
    package static func read(_ bytes: UnsafeRawBufferPointer) -> ISBNVerdict {
        reading(of: bytes).verdict
    }

    /// The same for a string.
    package static func read(_ string: String) -> ISBNVerdict {
        var copy = string
        return copy.withUTF8 { read(UnsafeRawBufferPointer($0)) }
    }

    /// Parses a cell, and returns the details needed to decide together with another cell.
    package static func reading(of bytes: UnsafeRawBufferPointer) -> ISBNReading {
        switch PlainISBN(bytes) {
        case .absent: return .absent
        case .valid(let isbn, let length): return .valid(isbn, length: Int(length))
        case .other: break
        }
        guard bytes.count <= ISBNNotation.longest else { return .impossible(.notANumber) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { buffer in
            let count = ISBNNotation.reduce(bytes, into: buffer)
            return cell(UnsafeBufferPointer(rebasing: buffer[..<count])[...])
        }
    }

    typealias Characters = Slice<UnsafeBufferPointer<UInt8>>

    private static func cell(_ whole: Characters) -> ISBNReading {
        let text = trimmed(whole)
        guard !text.isEmpty else { return .absent }
        let words = introductions(in: text)
        if !words.isEmpty {
            return agreed(
                words.indices.map { index in
                    let end = index + 1 < words.count ? words[index + 1].lowerBound : text.endIndex
                    return introduced(text[words[index].upperBound..<end])
                })
        }
        let single = ISBNDigits.read(text)
        guard single.rank < 2 else {
            // Behind a qualifier in brackets may be the number of another book.
            guard text.contains(UInt8(ascii: "(")) else { return single }
            let all = numberAmongWords(text)
            return all.verdict == .impossible(ISBNFault(.severalNumbers)) ? all : single
        }
        guard text.contains(where: isListSeparator) else { return better(numberAmongWords(text), single) }
        let parts = text.split(whereSeparator: isListSeparator).map { part in
            let reading = ISBNDigits.read(trimmed(part))
            return reading.rank < 2 ? better(numberAmongWords(trimmed(part)), reading) : reading
        }
        let list = agreed(parts)
        // If no part is a number, the separators are not those of a list: `9,78E+12`.
        return list.rank > 1 || list.verdict == .impossible(ISBNFault(.severalNumbers)) ? list : single
    }

    private static func better(_ one: ISBNReading, _ other: ISBNReading) -> ISBNReading {
        one.rank > other.rank || one.verdict == .impossible(ISBNFault(.severalNumbers)) ? one : other
    }

    /// A longer text is a sentence, in which ten digits are rather a telephone number.
    private static let mostWords = 100

    /// Parses a number between words, and several with blanks between: `9780306406157 paperback`,
    /// `978-0-306-40615-7 0-306-40615-2`. Only whole and valid ones count. One number of ten digits in eleven is an
    /// ISBN-10 by chance, so it counts only at the beginning, or beside another number of the same book.
    private static func numberAmongWords(_ text: Characters) -> ISBNReading {
        guard text.count <= mostWords else { return .absent }
        var found: [ISBNReading] = []
        var run: [Characters] = []
        func end(atStart: Bool) {
            let (numbers, areAll) = Self.numbers(in: run)
            found += numbers.filter { $0.length == 13 || areAll && (numbers.count > 1 || atStart) }
            run.removeAll()
        }
        var isFirst = true
        for token in text.split(separator: UInt8(ascii: " ")) {
            let bare = trimmed(token)
            if bare.isEmpty { continue }
            if bare.allSatisfy(isOfNumber) {
                run.append(bare)
            } else {
                end(atStart: isFirst)
                isFirst = false
            }
        }
        end(atStart: isFirst)
        return agreed(found)
    }

    /// The valid ISBNs that consecutive groups of digits make, each of whole groups, and whether no group is left.
    private static func numbers(in groups: [Characters]) -> (found: [ISBNReading], areAll: Bool) {
        var found: [ISBNReading] = []
        var areAll = true
        var start = 0
        while start < groups.count {
            var digits: [UInt8] = []
            var end = start
            var best: (reading: ISBNReading, end: Int)?
            while end < groups.count, digits.count < 13 {
                digits += groups[end].filter { $0 != UInt8(ascii: "-") }
                end += 1
                guard digits.count == 10 || digits.count == 13 else { continue }
                let reading = ISBNDigits.evaluate(digits)
                if case .valid = reading.verdict { best = (reading, end) }
            }
            if let best { found.append(best.reading) }
            areAll = areAll && best != nil
            start = best?.end ?? start + 1
        }
        return (found, areAll)
    }

    /// Ranges of the word ISBN, alone or at the start of a word.
    private static func introductions(in text: Characters) -> [Range<Int>] {
        guard text.count > 4 else { return [] }
        var found: [Range<Int>] = []
        for index in text.startIndex...(text.endIndex - 4) where text[index] == UInt8(ascii: "I") {
            guard text[index..<(index + 4)].elementsEqual("ISBN".utf8) else { continue }
            if index == text.startIndex || !isLetter(text[index - 1]) { found.append(index..<(index + 4)) }
        }
        return found
    }

    /// Parses the text after the word ISBN: an optional `-13:`, the number, and optional further words.
    private static func introduced(_ rest: Characters) -> ISBNReading {
        let text = trimmed(rest)
        let plain = numberAhead(of: text)
        guard plain.rank < 3, text.count > 2,
            text.starts(with: "13".utf8) || text.starts(with: "10".utf8)
        else { return plain }
        // In `ISBN 10 0826497527` the first number can be the kind of ISBN or the start of the number. Where it is
        // joined to the number, only `13` and a whole ISBN-13 are certain: a wrong `ISBN 1028965191` is not 0028965191.
        let rest = text.dropFirst(2)
        let labelled = numberAhead(of: trimmed(rest))
        if let next = rest.first, next.isDigit {
            guard case .valid = labelled.verdict, labelled.length == 13 else { return plain }
        }
        return labelled.rank >= plain.rank && labelled.length > 0 ? labelled : plain
    }

    /// Parses a number that can be followed by words.
    private static func numberAhead(of text: Characters) -> ISBNReading {
        let whole = ISBNDigits.read(text)
        guard whole.rank < 2 else { return whole }
        var end = text.firstIndex { !isOfNumber($0) } ?? text.endIndex
        if end < text.endIndex, isLetter(text[end]) || text[end] == ISBNNotation.unknown,
            end > text.startIndex,
            text[end - 1] != UInt8(ascii: " ")
        {
            // The number runs into a word (`… 2nd edition`): its last digit belongs to the word.
            end = text[..<end].lastIndex(of: UInt8(ascii: " ")) ?? text.startIndex
        }
        let head = trimmed(text[..<end])
        guard !head.isEmpty, head.count < text.count else { return whole }
        return ISBNDigits.read(head)
    }

    /// Several numbers in a cell are valid if they belong to one book, such as its ISBN-10 and ISBN-13.
    private static func agreed(_ readings: [ISBNReading]) -> ISBNReading {
        let best = readings.map(\.rank).max() ?? 0
        let first = readings.first { $0.rank == best } ?? .absent
        let differ =
            best >= 2 && readings.contains { $0.rank == best && $0.verdict.isbn != first.verdict.isbn }
        return differ ? .impossible(.severalNumbers) : first
    }

    // MARK: Characters

    /// Removes blanks, quotes, brackets and punctuation at both ends.
    static func trimmed(_ text: Characters) -> Characters {
        guard let first = text.firstIndex(where: { !isWrapping($0) }),
            let last = text.lastIndex(where: { !isWrapping($0) })
        else { return text[text.startIndex..<text.startIndex] }
        return text[first...last]
    }

    private static func isWrapping(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "="),
            UInt8(ascii: "-"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isListSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "|")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        byte.isDigit || byte == UInt8(ascii: "X")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: " ")
    }
}
