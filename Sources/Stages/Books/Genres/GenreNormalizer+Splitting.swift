import Bytes

/// How a subject's bytes fall into parts.
extension GenreNormalizer {
    /// Whether a subject holds any sign that may part a compound; 0 for none. One pass for what is mostly a
    /// plain word.
    @inline(__always)
    func separators(_ subject: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt8 {
        var found: UInt8 = 0
        for index in range {
            switch subject[index] {
            case UInt8(ascii: "/"), UInt8(ascii: ","), UInt8(ascii: ":"): found = 1
            case UInt8(ascii: "-") where index > range.lowerBound && subject[index - 1] == UInt8(ascii: "-"):
                found = 1
            default: continue
            }
        }
        return found
    }

    /// Bytes of the separator at `index`: a slash with a blank before or behind it, or two hyphens; 0 for
    /// none.
    @inline(__always)
    func strongSeparator(at index: Int, _ subject: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        switch subject[index] {
        case UInt8(ascii: "/"):
            let blankBefore = index > range.lowerBound && Self.isBlank(subject[index - 1])
            let blankBehind = index + 1 < range.upperBound && Self.isBlank(subject[index + 1])
            return blankBefore || blankBehind ? 1 : 0
        case UInt8(ascii: "-"):
            return index + 1 < range.upperBound && subject[index + 1] == UInt8(ascii: "-") ? 2 : 0
        default: return 0
        }
    }

    /// Whether the slash at `index` has a word of at least two letters on either side, or a number on one.
    func isBetweenWords(_ index: Int, _ subject: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        guard index - 2 >= range.lowerBound, index + 2 < range.upperBound else { return false }
        let before = subject[index - 1]
        let behind = subject[index + 1]
        guard before.isWordByte, subject[index - 2].isWordByte, behind.isWordByte,
            subject[index + 2].isWordByte
        else { return false }
        return !(before.isDigit && behind.isDigit)
    }

    /// The range without blanks at its ends, no-break spaces (U+00A0) included.
    @inline(__always)
    func trimmed(_ range: Range<Int>, of subject: UnsafeRawBufferPointer) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end {
            if Self.isBlank(subject[start]) {
                start += 1
            } else if start + 1 < end, subject[start] == 0xC2, subject[start + 1] == 0xA0 {
                start += 2
            } else {
                break
            }
        }
        while end > start {
            if Self.isBlank(subject[end - 1]) {
                end -= 1
            } else if end - 1 > start, subject[end - 1] == 0xA0, subject[end - 2] == 0xC2 {
                end -= 2
            } else {
                break
            }
        }
        return start..<end
    }

    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
}
