/// Reduces the characters in and around an ISBN to plain ASCII, so that parsing it needs no Unicode.
///
/// Blanks of all kinds become a space, hyphens of all kinds (U+2010…2015, U+2212, the soft hyphen) `-`,
/// full-width forms their ASCII equivalents, letters capitals, line breaks `;`. Invisible marks are removed.
/// All other characters become ``ISBNNotation/unknown``.
package enum ISBNNotation {
    /// Longest cell that is parsed, in bytes. No notation of an ISBN is this long, but a review is.
    package static let longest = 512
    /// Replaces characters without a meaning here.
    package static let unknown: UInt8 = 1

    private static let blank = UInt8(ascii: " ")
    private static let hyphen = UInt8(ascii: "-")

    /// Writes the reduced text into `output`, which must hold at least as many bytes as the input.
    ///
    /// - Returns: The number of bytes written.
    package static func reduce(
        _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var written = 0
        var index = 0
        while index < bytes.count {
            let (byte, length) = step(bytes, at: index)
            index += length
            if let byte {
                output[written] = byte
                written += 1
            }
        }
        return written
    }

    /// One character: its replacement (nil: removed) and its length in bytes.
    private static func step(_ bytes: UnsafeRawBufferPointer, at index: Int) -> (UInt8?, Int) {
        let first = bytes[index]
        if first < 0x80 { return (ascii(first), 1) }
        guard index + 1 < bytes.count else { return (unknown, 1) }
        let second = bytes[index + 1]
        if first == 0xC2 {
            switch second {
            case 0xA0: return (blank, 2)
            case 0xAD: return (hyphen, 2)
            default: return (unknown, 2)
            }
        }
        // Arabic and Persian digits.
        if first == 0xD9, (0xA0...0xA9).contains(second) { return (UInt8(ascii: "0") + (second - 0xA0), 2) }
        if first == 0xDB, (0xB0...0xB9).contains(second) { return (UInt8(ascii: "0") + (second - 0xB0), 2) }
        guard first & 0xF0 == 0xE0, index + 2 < bytes.count else { return (unknown, 1) }
        let scalar =
            UInt32(first & 0x0F) << 12 | UInt32(second & 0x3F) << 6 | UInt32(bytes[index + 2] & 0x3F)
        return (wide(scalar), 3)
    }

    private static func ascii(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 0x20
        case 0x0A, 0x0D: UInt8(ascii: ";")
        case 0x09, 0x0B, 0x0C: blank
        case 0x20...0x7E: byte
        default: unknown
        }
    }

    private static func wide(_ scalar: UInt32) -> UInt8? {
        switch scalar {
        case 0x2000...0x200A, 0x202F, 0x205F, 0x3000: blank
        case 0x2028, 0x2029: UInt8(ascii: ";")
        case 0x200B...0x200F, 0x202A...0x202E, 0x2060, 0xFEFF: nil
        case 0x2010...0x2015, 0x2043, 0x2212, 0xFE58, 0xFE63: hyphen
        case 0x2018...0x201F: UInt8(ascii: "\"")
        // Devanagari, Bengali and Thai digits.
        case 0x0966...0x096F: UInt8(scalar - 0x0966 + 0x30)
        case 0x09E6...0x09EF: UInt8(scalar - 0x09E6 + 0x30)
        case 0x0E50...0x0E59: UInt8(scalar - 0x0E50 + 0x30)
        case 0xFF01...0xFF5E: ascii(UInt8(scalar - 0xFF01 + 0x21))
        default: unknown
        }
    }
}
