import Bytes

/// A year as exports write it: `1989`, `-850` (851 BC in astronomers' counting, 850 BC in librarians'),
/// `2008.0`.
///
/// Goodreads writes what its librarians entered, so a negative year is taken as they meant it: −850 is 850
/// BC.
public enum CalendarYear {
    /// What a cell said.
    public enum Reading: Sendable, Hashable {
        case year(Int32)
        /// Empty, or 0: exports write 0 where they know nothing.
        case absent
        /// Something that is no year.
        case damaged
    }

    /// Reads a cell. Years run from −9999 to 9999; a spreadsheet's `.0` is allowed.
    public static func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
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
