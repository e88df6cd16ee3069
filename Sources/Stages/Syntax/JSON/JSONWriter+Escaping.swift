/// Strings of JSON (RFC 8259 section 7). Most text needs no escape, so it is copied in runs; the scan for a
/// run's end looks at eight bytes at a time.
extension JSONWriter {
    /// Appends the text between quotes, escaping what JSON demands: `"`, `\` and what is below U+0020; and
    /// also U+2028 and U+2029, which are legal but end a line for older JavaScript and for readers that split
    /// NDJSON at Unicode's line ends. Each maximal part of an ill-formed sequence becomes one U+FFFD, as in
    /// `String`.
    mutating func appendQuoted(_ utf8: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        var runStart = 0
        var index = Self.endOfPlainRun(utf8, from: 0)
        while index < utf8.count {
            let byte = utf8[index]
            var length = 1
            if byte >= 0x80 {
                let sequence = UTF8Sequence(utf8, at: index)
                length = sequence.length
                if sequence.isWellFormed && !sequence.isLineEnd {
                    index += length
                    if index < utf8.count, utf8[index] < 0x80 {
                        index = Self.endOfPlainRun(utf8, from: index)
                    }
                    continue
                }
                appendRun(utf8, runStart..<index)
                if sequence.isWellFormed {
                    appendEscape(UInt16(0x2000) | UInt16(utf8[index + 2] & 0x3F))
                } else {
                    bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
                }
            } else {
                appendRun(utf8, runStart..<index)
                appendEscape(ascii: byte)
            }
            index += length
            runStart = index
            index = Self.endOfPlainRun(utf8, from: index)
        }
        appendRun(utf8, runStart..<utf8.count)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Index of the first byte at or after `start` that is not printable ASCII to be copied as it is.
    private static func endOfPlainRun(_ utf8: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while utf8.count - index >= 8 {
            let word = UInt64(littleEndian: utf8.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let hits = specialBytes(word)
            if hits != 0 { return index + hits.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < utf8.count, !isSpecial(utf8[index]) { index += 1 }
        return index
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Sets the high bit of each byte that is special. A borrow may set bits above the first special byte
    /// wrongly, never below it, and only the first is asked for.
    @inline(__always)
    private static func specialBytes(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let controls = (word &- ones &* 0x20) & ~word
        return (controls | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | word)
            & (ones &* 0x80)
    }

    @inline(__always)
    private mutating func appendRun(_ utf8: UnsafeRawBufferPointer, _ run: Range<Int>) {
        if !run.isEmpty { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[run])) }
    }

    private mutating func appendEscape(ascii byte: UInt8) {
        let short: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): short = byte
        case 0x08: short = UInt8(ascii: "b")
        case 0x09: short = UInt8(ascii: "t")
        case 0x0A: short = UInt8(ascii: "n")
        case 0x0C: short = UInt8(ascii: "f")
        case 0x0D: short = UInt8(ascii: "r")
        default: return appendEscape(UInt16(byte))
        }
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(short)
    }

    /// Appends `\u` and four hexadecimal digits.
    private mutating func appendEscape(_ unit: UInt16) {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(UInt8(ascii: "u"))
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: (unit >> UInt16(shift)) & 0xF)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}

/// One sequence of bytes from 0x80 up, judged by table 3-7 of the Unicode Standard ("Well-Formed UTF-8 Byte
/// Sequences"): overlong forms, surrogates and what lies above U+10FFFF are ill-formed.
private struct UTF8Sequence {
    /// Its bytes if well-formed, else those of its maximal subpart: at least one.
    let length: Int
    let isWellFormed: Bool
    /// Whether it is U+2028 or U+2029.
    let isLineEnd: Bool

    /// Looks at the sequence that begins at `start`, where a byte from 0x80 up stands.
    init(_ utf8: UnsafeRawBufferPointer, at start: Int) {
        let needed: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch utf8[start] {
        case 0xC2...0xDF: needed = 2
        case 0xE0: (needed, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: needed = 3
        case 0xED: (needed, second) = (3, 0x80...0x9F)
        case 0xF0: (needed, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: needed = 4
        case 0xF4: (needed, second) = (4, 0x80...0x8F)
        default: needed = 1  // a continuation without its head, or a byte UTF-8 never uses
        }
        var found = 1
        while found < needed, start + found < utf8.count,
            (found == 1 ? second : 0x80...0xBF).contains(utf8[start + found])
        {
            found += 1
        }
        length = found
        isWellFormed = needed > 1 && found == needed
        isLineEnd =
            isWellFormed && needed == 3 && utf8[start] == 0xE2 && utf8[start + 1] == 0x80
            && (utf8[start + 2] == 0xA8 || utf8[start + 2] == 0xA9)
    }
}
