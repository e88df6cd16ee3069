import Bytes
import Syntax

/// Titles as field 245 has them, in subfields parted by punctuation.
enum MARCTitle {
    /// `Hyperion :` `$ba novel /` `$cDan Simmons.` as `Hyperion: a novel`; parts (`$n`, `$p`) follow after a full
    /// stop. A parallel title, in another language behind ` =`, is left out, as are the statement of
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

    /// The number of a volume as a series counts it: `v. 2`, `bk. 2` and `2.` are `2`; the text where it has none.
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
