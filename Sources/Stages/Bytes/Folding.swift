import Foundation

/// The folded form of names and titles, in which two spellings of one thing are equal: lower case, no diacritics,
/// no punctuation, words parted by one blank. `Ümläut & Söhne!` folds to `umlaut sohne`.
///
/// The form is stored (identity keys, the catalog's titles): a change to it is a change of the store's schema. Where what
/// it drops tells two books apart, keys keep it (``KeyNormalizer``).
public enum Folding {
    /// Appends the folded form of UTF-8 text. Letters of any script stay; what is no letter or digit parts words.
    public static func fold(_ bytes: UnsafeRawBufferPointer, into out: inout [UInt8]) {
        // Folded apart and appended at once: to ask of `out` for each byte whether there is room, and whether it is
        // shared, costs as much as folding. Two bytes become three at the most.
        let isLatin = withUnsafeTemporaryAllocation(byteCount: bytes.count + bytes.count / 2, alignment: 1) {
            buffer in
            guard let count = foldLatin(bytes, into: buffer) else { return false }
            out.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return true
        }
        // Beyond Latin: the whole text takes the road through Unicode's tables.
        if !isLatin { foldUnicode(String(decoding: bytes, as: UTF8.self), into: &out) }
    }

    /// Writes the folded form of text of Latin letters.
    ///
    /// - Returns: Bytes written; nil where the text holds anything else.
    @inline(__always)
    private static func foldLatin(
        _ bytes: UnsafeRawBufferPointer, into out: UnsafeMutableRawBufferPointer
    ) -> Int? {
        var count = 0
        var pendingBlank = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            var letters: UInt32
            if byte < 0x80 {
                letters = asciiLetter(byte)
                if letters == parting {
                    // An apostrophe belongs to its word: `Don't` is `dont`, as without it.
                    if byte != 0x27 { pendingBlank = true }
                    continue
                }
            } else {
                letters = LatinFolding.letters(bytes, at: &index)
                if letters == LatinFolding.unknown { return nil }
                if letters == LatinFolding.apostrophe { continue }
                if letters == parting {
                    pendingBlank = true
                    continue
                }
            }
            if pendingBlank, count > 0 {
                out[count] = 0x20
                count += 1
            }
            pendingBlank = false
            repeat {
                out[count] = UInt8(truncatingIfNeeded: letters)
                count += 1
                letters >>= 8
            } while letters != 0
        }
        return count
    }

    /// What parts words, where letters are asked for.
    static let parting: UInt32 = 0

    /// The lower-case letter or digit of a byte of ASCII; ``parting`` for all else.
    @inline(__always)
    private static func asciiLetter(_ byte: UInt8) -> UInt32 {
        let lower = byte | 0x20
        if lower &- 0x61 < 26 { return UInt32(lower) }
        return byte &- 0x30 < 10 ? UInt32(byte) : parting
    }

    /// The folded form of a string.
    public static func fold(_ string: some StringProtocol) -> String {
        var out: [UInt8] = []
        var string = String(string)
        string.withUTF8 { fold(UnsafeRawBufferPointer($0), into: &out) }
        return String(decoding: out, as: UTF8.self)
    }

    /// The same by Unicode's tables, for any text.
    static func foldUnicode(_ string: String, into out: inout [UInt8]) {
        let start = out.count
        var pendingBlank = false
        for scalar in string.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
            if let spelled = spelledOut[scalar] {
                if pendingBlank, out.count > start { out.append(0x20) }
                pendingBlank = false
                out.append(contentsOf: spelled.utf8)
                continue
            }
            let properties = scalar.properties
            switch properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format: continue
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .decimalNumber, .letterNumber, .otherNumber, .spacingMark:
                if pendingBlank, out.count > start { out.append(0x20) }
                pendingBlank = false
                out.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default:
                if scalar != "'" && scalar != "\u{2019}" { pendingBlank = true }
            }
        }
    }

    /// Letters that compatibility decomposition leaves whole.
    private static let spelledOut: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i",
        "ħ": "h",
    ]
}
