/// Kinds of bytes, for scanners that work on UTF-8.
extension UInt8 {
    /// `a`–`z`, `A`–`Z`.
    @inline(__always)
    @inlinable
    package var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    /// `0`–`9`.
    @inline(__always)
    @inlinable
    package var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// A letter, a digit, a hyphen, an apostrophe, or part of a character outside ASCII.
    @inlinable
    package var isWordByte: Bool {
        isDigit || isLetter || self >= 0x80
            || self == UInt8(ascii: "-") || self == UInt8(ascii: "'")
    }
}
