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

    /// In lower case, if it is an ASCII letter.
    @inline(__always)
    @inlinable
    package var lowered: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}

extension UInt64 {
    /// The last eight bytes of a word, for sets of words that are looked up without a string.
    @inlinable
    package init(word: some Sequence<UInt8>) { self = word.reduce(0) { $0 << 8 | UInt64($1) } }
}
