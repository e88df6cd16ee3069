import Bytes

/// A title as Goodreads writes it, taken apart: the title proper and the series in brackets at its end.
///
/// `Hyperion (Hyperion Cantos, #1)`, `Gideon the Ninth (The Locked Tomb #1)`, `Equal Rites (Discworld, #3;
/// Witches, #1)`. Only a bracket in which something is numbered with `#` is a series: `(Spanish Edition)`,
/// `(Paperback)`, `(Abridged)`, `(Blue Ant)` and `(Illuminatus 1)` cannot be told apart for certain, so all
/// of them stay in the title. A wrong series is worse than none, and the catalog knows the right one. A
/// member without a number is taken where another member of the same bracket has one. A bracket behind the
/// series stays in the title: `Tod (Reihe, #2) (German Edition)`.
package struct SeriesTitle: Equatable {
    /// The title before the series.
    package private(set) var title: Range<Int>
    /// What follows the series; nearly always empty.
    package private(set) var rest: Range<Int>
    /// The inside of the series' bracket; empty where there is none.
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
                // A title that is nothing but its series stays as it is: a book without a title helps nobody.
                if !before.isEmpty || !after.isEmpty {
                    title = before
                    rest = after
                }
                return
            }
            end = before.upperBound
        }
    }

    /// The series the bracket names. Yields each with its number, which is empty where the source gave none.
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

    /// The bracket that the closing one at `close` belongs to.
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

    /// Whether something in the bracket has a name and a number.
    private static func isSeries(_ bytes: UnsafeRawBufferPointer, _ inside: Range<Int>) -> Bool {
        var left = inside
        while !left.isEmpty {
            if numbered(bytes, cutPart(from: &left, in: bytes)) != nil { return true }
        }
        return false
    }

    /// Cuts off what stands before the next semicolon.
    private static func cutPart(from left: inout Range<Int>, in bytes: UnsafeRawBufferPointer) -> Range<Int> {
        let end = bytes[left].firstIndex(of: UInt8(ascii: ";")) ?? left.upperBound
        defer { left = min(end + 1, left.upperBound)..<left.upperBound }
        return bytes.trimmedBlanks(in: left.lowerBound..<end)
    }

    /// Takes `Discworld, #8` apart.
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

/// The place of a book in a series, as sources spell it: `1`, `0.5`, `.5`, `1-3`, `0.1-0.5`, `1–3`, `1, #2`,
/// `1a`, `3, Part 1 of 2`.
enum SeriesNumber {
    /// Longest spelling taken for a number; what is longer is prose.
    private static let longest = 32
    private static let words: [StaticString] = ["part", "pt", "of", "and", "to"]

    /// Whether the part of the bytes is nothing but such a number.
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

/// Series as Hardcover writes them: each name with the place behind it in brackets, commas between them.
enum BracketedSeries {
    /// `Sprawl` and `0`, of `Sprawl (#0.0)`; a name without a place stands alone.
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

    /// `1` of `1.0`; `1.5` stays.
    private static func place(_ number: Substring) -> Substring {
        number.hasSuffix(".0") ? number.dropLast(2) : number
    }
}
