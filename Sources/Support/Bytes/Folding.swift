import FoundationEssentials

/// The folded form of names and titles, in which different spellings are equal: lower case, no diacritics, no
/// punctuation, words separated by one space. `Ümläut & Söhne!` folds to `umlaut sohne`.
///
/// Folded text is stored (identity keys, titles of catalogs), so changing it changes the store's schema. Keys
/// keep some characters that folding removes, if they distinguish books (``KeyNormalizer``).
package enum Folding {
    /// Appends the folded form of UTF-8 text. Letters of any script stay. Other characters separate words.
    package static func fold(_ bytes: UnsafeRawBufferPointer, into out: inout [UInt8]) {
        // Folded into a temporary buffer and appended at once: checking `out` for capacity and uniqueness at
        // each byte costs as much as folding. Two bytes become at most three.
        let isLatin = withUnsafeTemporaryAllocation(byteCount: bytes.count + bytes.count / 2, alignment: 1) {
            buffer in
            guard let count = foldLatin(bytes, into: buffer) else { return false }
            out.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return true
        }
        // Not only Latin letters: the whole text is folded with Unicode's tables.
        if !isLatin { foldUnicode(String(decoding: bytes, as: UTF8.self), into: &out) }
    }

    /// Writes the folded form of text of Latin letters.
    ///
    /// - Returns: The number of bytes written; nil if the text contains anything else.
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
                if letters == separator {
                    // An apostrophe does not separate words: `Don't` becomes `dont`.
                    if byte != 0x27 { pendingBlank = true }
                    continue
                }
            } else {
                letters = LatinFolding.letters(bytes, at: &index)
                if letters == LatinFolding.unknown { return nil }
                if letters == LatinFolding.apostrophe { continue }
                if letters == separator {
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

    /// The result for characters that separate words.
    static let separator: UInt32 = 0

    /// The lower-case letter or digit of an ASCII byte, else ``separator``.
    @inline(__always)
    private static func asciiLetter(_ byte: UInt8) -> UInt32 {
        let lower = byte | 0x20
        if lower &- 0x61 < 26 { return UInt32(lower) }
        return byte &- 0x30 < 10 ? UInt32(byte) : separator
    }

    /// The folded form of a string.
    package static func fold(_ string: some StringProtocol) -> String {
        var out: [UInt8] = []
        var string = String(string)
        string.withUTF8 { fold(UnsafeRawBufferPointer($0), into: &out) }
        return String(decoding: out, as: UTF8.self)
    }

    /// Appends the folded form of any text, with Unicode's tables.
    static func foldUnicode(_ string: String, into out: inout [UInt8]) {
        let start = out.count
        var pendingBlank = false
        for scalar in string.normalized(.kd).lowercased().unicodeScalars {
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

    /// Letters that compatibility decomposition does not decompose.
    private static let spelledOut: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i",
        "ħ": "h",
    ]
}

/// A table of the folded forms of Latin letters with diacritics (U+00C0–U+017F) and typographic punctuation.
/// Most names and titles outside ASCII contain nothing else, and Unicode's tables are fifty times slower.
///
/// The table is computed with ``Folding/foldUnicode(_:into:)``, so both give the same results.
enum LatinFolding {
    /// The character is not in this table.
    static let unknown = UInt32.max
    /// An apostrophe, which is removed and does not separate words.
    static let apostrophe = UInt32.max - 1

    /// The folded letters of the character whose first byte is at `index - 1`: one to three bytes, the first
    /// in the lowest bits. ``Folding/separator`` if the character separates words.
    @inline(__always)
    static func letters(_ bytes: UnsafeRawBufferPointer, at index: inout Int) -> UInt32 {
        let head = bytes[index - 1]
        guard index < bytes.count, bytes[index] & 0xC0 == 0x80 else { return unknown }
        let second = bytes[index]
        if head &- 0xC3 < 3 {
            index += 1
            return table[Int(head &- 0xC3) << 6 | Int(second & 0x3F)]
        }
        // U+2010–U+2027: dashes, quotation marks, dots.
        guard head == 0xE2, second == 0x80, index + 1 < bytes.count, (0x90...0xA7).contains(bytes[index + 1])
        else { return unknown }
        index += 2
        return bytes[index - 1] == 0x99 ? apostrophe : Folding.separator
    }

    private static let table: [UInt32] = (0xC0...0x17F as ClosedRange<UInt32>).map { code in
        guard let scalar = Unicode.Scalar(code) else { return unknown }
        // Folded between two letters, to see whether it separates words.
        var folded: [UInt8] = []
        Folding.foldUnicode("a\(Character(scalar))a", into: &folded)
        let own = folded.dropFirst().dropLast()
        if own.elementsEqual([0x20]) { return Folding.separator }
        guard (1...3).contains(own.count), !own.contains(0x20) else { return unknown }
        return own.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
