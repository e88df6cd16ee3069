import Books
import Bytes
import Syntax

/// Removes the punctuation that separates parts of a catalog record (ISBD: ` /`, ` :`, ` ;`, `,`, a final
/// full stop).
enum ISBDText {
    /// The range of the text itself.
    static func bare(_ bytes: UnsafeRawBufferPointer) -> Range<Int> {
        var part = bytes.trimmedBlanks
        while let last = part.isEmpty ? nil : bytes[part.upperBound - 1], isSeparator(last) {
            part = bytes.trimmedBlanks(in: part.lowerBound..<part.upperBound - 1)
        }
        if endsInFullStop(bytes, part) {
            part = bytes.trimmedBlanks(in: part.lowerBound..<part.upperBound - 1)
        }
        return withoutBrackets(bytes, part)
    }

    /// The range without the square brackets around text supplied by the cataloguer. They are removed if they
    /// enclose the whole text or if one of them is missing: `[Letters]`, `[s.n.`.
    private static func withoutBrackets(_ bytes: UnsafeRawBufferPointer, _ part: Range<Int>) -> Range<Int> {
        guard part.count > 1 else { return part }
        let begins = bytes[part.lowerBound] == UInt8(ascii: "[")
        let ends = bytes[part.upperBound - 1] == UInt8(ascii: "]")
        guard begins || ends else { return part }
        let inside = part.lowerBound + (begins ? 1 : 0)..<part.upperBound - (ends ? 1 : 0)
        let opened = bytes[inside].count { $0 == UInt8(ascii: "[") }
        let closed = bytes[inside].count { $0 == UInt8(ascii: "]") }
        // The text has other brackets inside.
        guard opened == 0, closed == 0 else { return part }
        return bytes.trimmedBlanks(in: inside)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Whether the last byte is a full stop that is not part of a word: not after an initial (`Le Guin,
    /// Ursula K.`), an abbreviation (`Jr.`, `U.S.`) or an ellipsis.
    private static func endsInFullStop(_ bytes: UnsafeRawBufferPointer, _ part: Range<Int>) -> Bool {
        guard part.count > 1, bytes[part.upperBound - 1] == UInt8(ascii: ".") else { return false }
        let before = part.lowerBound..<part.upperBound - 1
        let start = bytes[before].lastIndex { $0 == 0x20 || $0 == UInt8(ascii: "-") }.map { $0 + 1 }
        let word = bytes[(start ?? before.lowerBound)..<before.upperBound]
        if word.isEmpty || word.contains(UInt8(ascii: ".")) { return false }
        let letters = word.count { $0 & 0xC0 != 0x80 }
        if letters == 1, !(word.first?.isDigit ?? false) { return false }
        return !abbreviations.contains { abbreviation in
            abbreviation.withUTF8Buffer { utf8 in word.elementsEqual(utf8) { $0 | 0x20 == $1 } }
        }
    }

    private static let abbreviations: [StaticString] = [
        "jr", "sr", "inc", "ltd", "co", "corp", "etc", "bros", "mrs", "mr", "dr", "st", "vol", "pt", "ed",
        "cie",
        "phd", "esq",
    ]
}

extension Arena {
    /// A text without the surrounding punctuation of a catalog record.
    mutating func bare(_ text: Text) -> Text {
        guard !text.isEmpty else { return .none }
        // Two control characters enclose text that is ignored in sorting. The characters are not part of the
        // text.
        var text = text
        if withBytes(text, { bytes in bytes.indices.dropLast().contains { Self.isSortMark(bytes, $0) } }) {
            let kept = withBytes(text) { bytes in
                var kept: [UInt8] = []
                var at = 0
                while at < bytes.count {
                    if at + 1 < bytes.count, Self.isSortMark(bytes, at) {
                        at += 2
                    } else {
                        kept.append(bytes[at])
                        at += 1
                    }
                }
                return kept
            }
            text = append(kept)
        }
        return collapsingBlanks(text.part(withBytes(text) { ISBDText.bare($0) }))
    }

    /// U+0098 and U+009C.
    private static func isSortMark(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Bool {
        bytes[at] == 0xC2 && (bytes[at + 1] == 0x98 || bytes[at + 1] == 0x9C)
    }

    /// Texts joined by a separator.
    mutating func joined(_ texts: [Text], separator: String) -> Text {
        guard texts.count != 1 else { return texts[0] }
        var bytes: [UInt8] = []
        for text in texts {
            if !bytes.isEmpty { bytes.append(contentsOf: separator.utf8) }
            bytes.append(contentsOf: self.bytes(text))
        }
        return append(bytes)
    }
}

/// Titles as in field 245: subfields separated by punctuation.
enum MARCTitle {
    /// `Hyperion :` `$ba novel /` `$cDan Simmons.` becomes `Hyperion: a novel`. Parts (`$n`, `$p`) follow
    /// after a full stop. Left out are a parallel title (in another language, after ` =`), the statement of
    /// responsibility and the medium.
    static func compose(_ field: MARCRecord.Field, of record: MARCRecord, in arena: inout Arena) -> Text {
        var title: [UInt8] = []
        var isParallel = false
        var last: UInt8 = 0
        for subfield in record.subfields[field.subfields] {
            let isTitle = [UInt8(ascii: "a"), UInt8(ascii: "b")].contains(subfield.code)
            let isPart = [UInt8(ascii: "n"), UInt8(ascii: "p")].contains(subfield.code)
            guard isTitle || isPart, last != subfield.code || isPart else { continue }
            if !isParallel {
                let bare = arena.bare(subfield.value)
                let text = arena.bytes(bare)
                if !title.isEmpty, !text.isEmpty {
                    let isName = subfield.code == UInt8(ascii: "p") && last == UInt8(ascii: "n")
                    title += Array((isTitle ? ": " : isName ? ", " : ". ").utf8)
                }
                title += text
            }
            isParallel = arena.withBytes(subfield.value) { bytes in
                let part = bytes.trimmedBlanks
                return !part.isEmpty && bytes[part.upperBound - 1] == UInt8(ascii: "=")
            }
            last = subfield.code
        }
        return arena.append(title)
    }

    /// The volume number in a series: `v. 2`, `bk. 2` and `2.` become `2`; none if the text has no digits.
    static func volume(_ text: Text, in arena: borrowing Arena) -> Text {
        let digits = arena.withBytes(text) { bytes -> Range<Int>? in
            guard let start = bytes.firstIndex(where: \.isDigit) else { return nil }
            let end = bytes[start...].firstIndex { !($0.isDigit || $0 == UInt8(ascii: ".") || $0 == 0x2D) }
            var part = start..<(end ?? bytes.count)
            while !bytes[part.upperBound - 1].isDigit { part = part.lowerBound..<part.upperBound - 1 }
            return part
        }
        return digits.map { text.part($0) } ?? .none
    }
}
