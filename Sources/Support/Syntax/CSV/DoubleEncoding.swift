import Bytes

/// Text that was encoded in UTF-8 twice: a program took the bytes of UTF-8 for windows-1252 or ISO 8859-1 and encoded
/// the characters again, so that `François` reads `FranÃ§ois`.
///
/// A text is decoded only if all of its characters beyond ASCII are bytes of valid UTF-8 in such an encoding. In text
/// that was encoded once, this is rare: after an `Ã` or `Â` follows a sign such as `©`, and never a plain letter.
package enum DoubleEncoding {
    /// A decoded text.
    package struct Decoded: Sendable {
        /// The text as it was meant, UTF-8.
        package var text: [UInt8]
        /// Whether it cannot be chance: there are several encoded characters, or one that is not the end of a word in
        /// capitals before a punctuation mark (`CAFÉ…`).
        package var isCertain: Bool
    }

    /// Whether bytes of UTF-8 may contain such text. A quick look: one pass for a byte that is rare in most files.
    package static func mayBe(in bytes: UnsafeRawBufferPointer) -> Bool {
        var at = 0
        while let lead = bytes.offset(of: 0xC3, from: at) {
            guard lead + 2 < bytes.count else { return false }
            // A lead byte of UTF-8 as a character, then another character from U+0080 on.
            if (0x82...0xB4).contains(bytes[lead + 1]), bytes[lead + 2] >= 0xC2 { return true }
            at = lead + 1
        }
        return false
    }

    /// Whether a text has no characters beyond ASCII.
    package static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.allSatisfy { $0 < 0x80 } }

    /// The text as it was meant; nil if it was encoded once.
    package static func decoded(_ bytes: UnsafeRawBufferPointer) -> Decoded? {
        guard let outer = String(validating: bytes, as: UTF8.self), var inner = Self.bytes(of: outer) else {
            return nil
        }
        let restored = restoreBlanks(in: &inner)
        guard let text = String(validating: inner, as: UTF8.self) else { return nil }
        var (weak, strong) = (0, 0)
        for scalar in text.unicodeScalars where !scalar.isASCII {
            guard isUsual(scalar) else { return nil }
            let encoded = UTF8.encode(scalar).map(Array.init) ?? []
            let isPlain = encoded.count == 2 && encoded[0] != 0xC3 && punctuation.contains(encoded[1])
            if isPlain { weak += 1 } else { strong += 1 }
        }
        guard weak + strong > 0 else { return nil }
        return Decoded(text: inner, isCertain: strong > restored || weak > 1)
    }

    /// The bytes that the characters are in windows-1252 or ISO 8859-1; nil if one is neither.
    private static func bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if scalar.value < 0x100 {
                bytes.append(UInt8(scalar.value))
            } else if let byte = western[scalar.value] {
                bytes.append(byte)
            } else {
                return nil
            }
        }
        return bytes
    }

    /// `à` is encoded as `Ã` and a no-break space, which programs replace by a space, merge with a following space, and
    /// cut off at the end. Before a letter the space is one of the text: few words have an `à` inside.
    ///
    /// - Returns: Number of times.
    private static func restoreBlanks(in bytes: inout [UInt8]) -> Int {
        var count = 0
        var index = 0
        while index < bytes.count {
            defer { index += 1 }
            guard bytes[index] == 0xC3 else { continue }
            let isAtEnd = index + 1 == bytes.count
            guard isAtEnd || bytes[index + 1] == 0x20 else { continue }
            count += 1
            let isBeforeLetter =
                index + 2 < bytes.count && (bytes[index + 2].isLetter || bytes[index + 2] >= 0x80)
            if isAtEnd || isBeforeLetter {
                bytes.insert(0xA0, at: index + 1)
            } else {
                bytes[index + 1] = 0xA0
            }
        }
        return count
    }

    /// Whether a character is one of texts: a letter of a living script, or a usual sign.
    private static func isUsual(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xA0...0x17F, 0x218...0x21B, 0x2C6...0x2DC, 0x300...0x36F, 0x370...0x5FF, 0x600...0x6FF,
            0x900...0x11FF, 0x1E00...0x1FFF, 0x2010...0x2044, 0x20A0...0x20BF, 0x2122, 0x2190...0x27BF,
            0x2E80...0xD7A3, 0xFB00...0xFB06, 0xFE00...0xFE0F, 0xFF00...0xFFEF, 0x1F300...0x1FAFF:
            true
        default: false
        }
    }

    /// The bytes of the characters that windows-1252 has and ISO 8859-1 has not.
    private static let western: [UInt32: UInt8] = {
        let units = SingleByteTable.units(.windows1252) ?? []
        return Dictionary(
            units.prefix(0x20).enumerated().map { (UInt32($1), UInt8(0x80 + $0)) }, uniquingKeysWith: { $1 })
    }()

    /// `…`, quotation marks and dashes in windows-1252.
    private static let punctuation: Set<UInt8> = [0x85, 0x91, 0x92, 0x93, 0x94, 0x96, 0x97, 0xA0, 0xAB, 0xBB]
}
