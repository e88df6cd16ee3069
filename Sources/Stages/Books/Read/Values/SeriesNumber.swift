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
