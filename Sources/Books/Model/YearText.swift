import Bytes

/// A year as a signed number: `1813`, `-850`, `800 BC`, `1813.0`, or else the year of a date text.
package enum YearText {
    /// Accepted years of first publication.
    package static let years = -4000...2199

    /// Parses the bytes of a year; nil if they contain none. There is no year 0.
    package static func read(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        var isNegative = false
        if bytes.first == UInt8(ascii: "-") {
            isNegative = true
            index = 1
        } else if bytes.starts(with: [0xE2, 0x88, 0x92]) {
            isNegative = true
            index = 3
        }
        let start = index
        var value = 0
        while index < bytes.count, index - start < 5, bytes[index] &- 48 < 10 {
            value = value * 10 + Int(bytes[index] - 48)
            index += 1
        }
        guard index > start, isEnd(bytes, at: index, negates: &isNegative) else {
            return PublicationDate(bytes).map(\.year)
        }
        let year = isNegative ? -value : value
        return year != 0 && years.contains(year) ? year : nil
    }

    /// Whether only a fraction of zero or an era follows.
    private static func isEnd(_ bytes: UnsafeRawBufferPointer, at index: Int, negates: inout Bool) -> Bool {
        if index == bytes.count { return true }
        let rest = bytes[index...]
        if rest.first == UInt8(ascii: ".") {
            return rest.count > 1 && rest.dropFirst().allSatisfy { $0 == UInt8(ascii: "0") }
        }
        let era = rest.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ".") }.map { $0 & 0xDF }
        if era == Array("BC".utf8) || era == Array("BCE".utf8) {
            negates = true
            return true
        }
        return era == Array("AD".utf8) || era == Array("CE".utf8)
    }
}

/// A year as exports write it: `1989`, `-850`, `2008.0`.
///
/// Astronomers count −850 as 851 BC, librarians as 850 BC. Goodreads has what its librarians entered, so −850
/// is 850 BC.
package enum CalendarYear {
    /// The content of a cell.
    package enum Reading: Sendable, Hashable {
        case year(Int32)
        /// Empty or 0; exports write 0 for an unknown year.
        case absent
        /// Not a year.
        case damaged
    }

    /// Parses a cell. Years are −9999 to 9999; a spreadsheet's `.0` is accepted.
    package static func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
        let trimmed = bytes.trimmedBlanks
        guard !trimmed.isEmpty else { return .absent }
        var at = trimmed.lowerBound
        let isNegative = bytes[at] == UInt8(ascii: "-")
        if isNegative { at += 1 }
        var value: Int32 = 0
        let start = at
        while at < trimmed.upperBound, bytes[at] &- UInt8(ascii: "0") < 10, at - start < 5 {
            value = value * 10 + Int32(bytes[at] &- UInt8(ascii: "0"))
            at += 1
        }
        guard (1...4).contains(at - start) else { return .damaged }
        if trimmed.upperBound - at == 2, bytes[at] == UInt8(ascii: "."), bytes[at + 1] == UInt8(ascii: "0") {
            at += 2
        }
        guard at == trimmed.upperBound else { return .damaged }
        if value == 0 { return .absent }
        return .year(isNegative ? -value : value)
    }
}
