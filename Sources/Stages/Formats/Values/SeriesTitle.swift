import Bytes

/// Splits a title as Goodreads writes it into the title proper and the series in brackets at its end.
///
/// `Hyperion (Hyperion Cantos, #1)`, `Gideon the Ninth (The Locked Tomb #1)`, `Equal Rites (Discworld, #3;
/// Witches, #1)`. Brackets are a series only if they contain a number with `#`. `(Spanish Edition)`,
/// `(Paperback)`, `(Abridged)`, `(Blue Ant)` and `(Illuminatus 1)` cannot be distinguished with certainty, so
/// they stay in the title. A wrong series is worse than none, and a catalog knows the right one. A series
/// without a number is accepted if another one in the same brackets has a number. Brackets after the series
/// stay in the title: `Tod (Reihe, #2) (German Edition)`.
package struct SeriesTitle: Equatable {
    /// The title before the series.
    package private(set) var title: Range<Int>
    /// The text after the series; usually empty.
    package private(set) var rest: Range<Int>
    /// The range inside the series' brackets; empty if there is no series.
    private(set) var bracket: Range<Int>

    package init(_ bytes: UnsafeRawBufferPointer) {
        let whole = bytes.trimmedBlanks
        title = whole
        rest = whole.upperBound..<whole.upperBound
        bracket = rest
        var end = whole.upperBound
        while end > whole.lowerBound, bytes[end - 1] == UInt8(ascii: ")"),
            let open = Self.opening(of: end - 1, in: bytes, from: whole.lowerBound)
        {
            let inside = open + 1..<end - 1
            let before = bytes.trimmedBlanks(in: whole.lowerBound..<open)
            if Self.isSeries(bytes, inside) {
                bracket = inside
                let after = bytes.trimmedBlanks(in: end..<whole.upperBound)
                // If nothing but the series would remain, keep the whole text as the title.
                if !before.isEmpty || !after.isEmpty {
                    title = before
                    rest = after
                }
                return
            }
            end = before.upperBound
        }
    }

    /// Iterates over the series in the brackets. The number is empty if the source has none.
    struct Mentions {
        private var left: Range<Int>

        init(of title: SeriesTitle) { left = title.bracket }

        mutating func next(in bytes: UnsafeRawBufferPointer) -> (name: Range<Int>, number: Range<Int>)? {
            while !left.isEmpty {
                let part = SeriesTitle.cutPart(from: &left, in: bytes)
                if let numbered = SeriesTitle.numbered(bytes, part) { return numbered }
                if !part.isEmpty { return (part, part.upperBound..<part.upperBound) }
            }
            return nil
        }
    }

    /// The opening bracket that matches the closing one at `close`.
    private static func opening(of close: Int, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var depth = 0
        var at = close
        while at >= start {
            if bytes[at] == UInt8(ascii: ")") {
                depth += 1
            } else if bytes[at] == UInt8(ascii: "(") {
                depth -= 1
                if depth == 0 { return at }
            }
            at -= 1
        }
        return nil
    }

    /// Whether any part in the brackets has a name and a number.
    private static func isSeries(_ bytes: UnsafeRawBufferPointer, _ inside: Range<Int>) -> Bool {
        var left = inside
        while !left.isEmpty {
            if numbered(bytes, cutPart(from: &left, in: bytes)) != nil { return true }
        }
        return false
    }

    /// Removes and returns the part before the next semicolon.
    private static func cutPart(from left: inout Range<Int>, in bytes: UnsafeRawBufferPointer) -> Range<Int> {
        let end = bytes[left].firstIndex(of: UInt8(ascii: ";")) ?? left.upperBound
        defer { left = min(end + 1, left.upperBound)..<left.upperBound }
        return bytes.trimmedBlanks(in: left.lowerBound..<end)
    }

    /// Splits `Discworld, #8` into name and number.
    private static func numbered(
        _ bytes: UnsafeRawBufferPointer, _ part: Range<Int>
    ) -> (name: Range<Int>, number: Range<Int>)? {
        for at in part where bytes[at] == UInt8(ascii: "#") {
            let number = bytes.trimmedBlanks(in: at + 1..<part.upperBound)
            guard SeriesNumber.isWritten(in: bytes, number) else { continue }
            var name = bytes.trimmedBlanks(in: part.lowerBound..<at)
            if !name.isEmpty, bytes[name.upperBound - 1] == UInt8(ascii: ",") {
                name = bytes.trimmedBlanks(in: name.lowerBound..<name.upperBound - 1)
            }
            return name.isEmpty ? nil : (name, number)
        }
        return nil
    }
}

/// The number of a book in a series as sources write it: `1`, `0.5`, `.5`, `1-3`, `0.1-0.5`, `1–3`, `1, #2`,
/// `1a`, `3, Part 1 of 2`.
enum SeriesNumber {
    /// Maximum length of a number; longer text is prose.
    private static let longest = 32
    private static let words: [StaticString] = ["part", "pt", "of", "and", "to"]

    /// Whether this part of the bytes is only such a number.
    static func isWritten(in bytes: UnsafeRawBufferPointer, _ part: Range<Int>) -> Bool {
        guard !part.isEmpty, part.count <= longest, startsNumber(bytes, part) else { return false }
        var at = part.lowerBound
        while at < part.upperBound {
            switch bytes[at] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: "."),
                UInt8(ascii: ","),
                UInt8(ascii: "-"), UInt8(ascii: "&"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "#"):
                at += 1
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                let letters = bytes[at..<part.upperBound].prefix { isLetter($0) }
                guard letters.count == 1 || isWord(letters) else { return false }
                at = letters.endIndex
            case 0xC2 where at + 1 < part.upperBound && bytes[at + 1] == 0xBD:  // ½
                at += 2
            case 0xE2 where isDash(bytes, at, before: part.upperBound):
                at += 3
            default:
                return false
            }
        }
        return true
    }

    /// Whether ``plain(_:)`` changes nothing, as in most numbers.
    static func isPlain(_ number: UnsafeRawBufferPointer) -> Bool {
        !number.contains { $0 == UInt8(ascii: "#") || $0 == 0xC2 }
    }

    /// A number without the signs of notation: `1-#9` is `1-9`, `½` is `0.5` and `1½` is `1.5`.
    static func plain(_ number: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var rest = number[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "#") { continue }
            guard byte == 0xC2, rest.first == 0xBD else {
                plain.append(byte)
                continue
            }
            rest.removeFirst()
            if !(plain.last.map(isDigit) ?? false) { plain.append(UInt8(ascii: "0")) }
            plain += Array(".5".utf8)
        }
        return plain
    }

    private static func startsNumber(_ bytes: UnsafeRawBufferPointer, _ part: Range<Int>) -> Bool {
        let first = bytes[part.lowerBound]
        if isDigit(first) { return true }
        guard part.count > 1 else { return false }
        let second = bytes[part.lowerBound + 1]
        return (first == UInt8(ascii: ".") && isDigit(second)) || (first == 0xC2 && second == 0xBD)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    private static func isWord(_ letters: Slice<UnsafeRawBufferPointer>) -> Bool {
        words.contains { word in
            word.withUTF8Buffer { utf8 in letters.elementsEqual(utf8) { $0 | 0x20 == $1 } }
        }
    }

    /// An en or em dash.
    private static func isDash(_ bytes: UnsafeRawBufferPointer, _ at: Int, before end: Int) -> Bool {
        at + 2 < end && bytes[at + 1] == 0x80 && (bytes[at + 2] == 0x93 || bytes[at + 2] == 0x94)
    }
}

/// Series as Hardcover writes them: each name followed by its number in brackets, separated by commas.
enum BracketedSeries {
    /// `Sprawl` and `0` from `Sprawl (#0.0)`. A name may have no number.
    static func mentions(in cell: String) -> [(name: Substring, number: Substring)] {
        var mentions: [(Substring, Substring)] = []
        var rest = cell[...]
        while let mark = rest.firstRange(of: "(#"), let close = rest[mark.upperBound...].firstIndex(of: ")") {
            mentions.append((trimmed(rest[..<mark.lowerBound]), place(rest[mark.upperBound..<close])))
            rest = rest[close...].dropFirst()
        }
        if mentions.isEmpty { mentions.append((trimmed(rest), "")) }
        return mentions
    }

    private static func trimmed(_ text: Substring) -> Substring {
        text.drop { $0 == "," || $0.isWhitespace }
    }

    /// `1.0` becomes `1`; `1.5` is unchanged.
    private static func place(_ number: Substring) -> Substring {
        number.hasSuffix(".0") ? number.dropLast(2) : number
    }
}
