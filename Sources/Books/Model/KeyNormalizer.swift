import Bytes
import FoundationEssentials

/// The form of titles and names in keys: the form of `Folding`, followed by a blank and those signs that
/// folding drops but that distinguish books.
///
///     ???              ???               nothing folds: the text itself
///     C++ · Q&A        c ++ · q a &      at most three letters and digits: all its signs
///     C++ Primer       c primer ++       `+` and `#` that end a word of one letter
///     Book 1/2         book 1 2          everything else, as folded
///
/// A text that does not fold at all is kept without case, blanks and marks, with wide and composed characters
/// expanded, and with `¦` for `|`, which separates the parts of a key. Signs are `+ # & @ % = < >`, currency
/// and mathematical signs, and pictographs. Punctuation does not count: `Go!` is `Go`, and `Ranma 1/2` is
/// `Ranma ½`, because people leave it out and exporters change it.
package enum KeyNormalizer {
    /// A text with at most this many letters and digits keeps all its signs.
    private static let fewLetters = 3

    /// The form of a string.
    package static func fold(_ string: String) -> String {
        var out: [UInt8] = []
        var string = string
        string.withUTF8 { fold(UnsafeRawBufferPointer($0), into: &out) }
        return String(decoding: out, as: UTF8.self)
    }

    /// Appends the form of UTF-8 text.
    package static func fold(_ bytes: UnsafeRawBufferPointer, into out: inout [UInt8]) {
        _ = append(bytes, to: &out)
    }

    /// Appends the form of UTF-8 text.
    ///
    /// - Returns: Whether anything of the text folds. A text that does not fold is not looked up by its
    ///   folded form.
    package static func append(_ bytes: UnsafeRawBufferPointer, to out: inout [UInt8]) -> Bool {
        let start = out.count
        Folding.fold(bytes, into: &out)
        guard out.count > start else {
            appendUnfolded(bytes, to: &out)
            return false
        }
        if isShort(out[start...]) {
            appendSigns(of: bytes, to: &out)
        } else {
            let end = out.count
            appendEndings(of: bytes, to: &out)
            if out.count > end { out.insert(0x20, at: end) }
        }
        return true
    }

    // MARK: Nothing folds

    private static func appendUnfolded(_ bytes: UnsafeRawBufferPointer, to out: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        for scalar in spelledOut(bytes) where !scalar.properties.isWhitespace {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format, .control: continue
            default: append(scalar == "|" ? "¦" : scalar, to: &out)
            }
        }
    }

    private static func spelledOut(_ bytes: UnsafeRawBufferPointer) -> String.UnicodeScalarView {
        String(decoding: bytes, as: UTF8.self).normalized(.kd).lowercased()
            .unicodeScalars
    }

    private static func append(_ scalar: Unicode.Scalar, to out: inout [UInt8]) {
        out.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    // MARK: Short text

    private static func isShort(_ folded: ArraySlice<UInt8>) -> Bool {
        // Letters beyond ASCII have several bytes.
        guard folded.count <= 4 * fewLetters + 2 else { return false }
        return folded.count { $0 != 0x20 && $0 & 0xC0 != 0x80 } <= fewLetters
    }

    private static func appendSigns(of bytes: UnsafeRawBufferPointer, to out: inout [UInt8]) {
        guard bytes.contains(where: { $0 >= 0x80 || isSign(Unicode.Scalar($0)) }) else { return }
        let end = out.count
        for scalar in spelledOut(bytes) where isSign(scalar) { append(scalar, to: &out) }
        if out.count > end { out.insert(0x20, at: end) }
    }

    private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "+", "#", "&", "@", "%", "=", "<", ">", "$": return true
        // Legal and unit marks, and characters used as a hyphen or slash.
        case "©", "®", "℗", "°", "\u{2212}", "\u{2044}", "\u{2215}": return false
        default: break
        }
        guard !scalar.isASCII else { return false }
        switch scalar.properties.generalCategory {
        case .currencySymbol, .mathSymbol, .otherSymbol: return true
        default: return false
        }
    }

    // MARK: Longer text

    /// The `+` and `#` at the end of one-letter words: `++` for `C++ Primer`.
    static func endings(of bytes: some ContiguousBytes) -> [UInt8] {
        var endings: [UInt8] = []
        bytes.withUnsafeBytes { appendEndings(of: $0, to: &endings) }
        return endings
    }

    private static func appendEndings(of bytes: UnsafeRawBufferPointer, to out: inout [UInt8]) {
        // Almost no title has either character, and searching for both is cheap.
        guard bytes.offset(of: plus, from: 0) != nil || bytes.offset(of: sharp, from: 0) != nil else {
            return
        }
        var index = 0
        while index < bytes.count {
            let start = index
            while index < bytes.count, bytes[index] == plus || bytes[index] == sharp { index += 1 }
            guard index > start else {
                index += 1
                continue
            }
            if endsWordOfOneLetter(start, index, in: bytes) { out.append(contentsOf: bytes[start..<index]) }
        }
    }

    private static func endsWordOfOneLetter(_ start: Int, _ end: Int, in bytes: UnsafeRawBufferPointer)
        -> Bool
    {
        guard start > 0, bytes[start - 1].isLetter, end == bytes.count || !isOfWord(bytes[end]) else {
            return false
        }
        return start == 1 || !(isOfWord(bytes[start - 2]) || bytes[start - 2] == UInt8(ascii: "'"))
    }

    private static func isOfWord(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || byte >= 0x80 }

    private static let plus = UInt8(ascii: "+")
    private static let sharp = UInt8(ascii: "#")
}
