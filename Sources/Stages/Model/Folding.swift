import Foundation

/// The folded form of names and titles, in which two spellings of one thing are equal: lower case, no diacritics,
/// no punctuation, words parted by one blank. `Ümläut & Söhne!` folds to `umlaut sohne`.
///
/// The form is stored (identity keys, the catalog's titles): a change to it is a change of the store's schema.
public enum Folding {
    /// Appends the folded form of UTF-8 text. Letters of any script stay; what is no letter or digit parts words.
    public static func fold(_ bytes: UnsafeRawBufferPointer, into out: inout [UInt8]) {
        let start = out.count
        var pendingBlank = false
        for index in bytes.indices {
            let byte = bytes[index]
            if byte >= 0x80 {
                // The first letter outside ASCII: the rest takes the road through Unicode's tables.
                out.removeSubrange(start...)
                return foldUnicode(String(decoding: bytes, as: UTF8.self), into: &out)
            }
            let folded = asciiTable[Int(byte)]
            if folded == 0 {
                // An apostrophe belongs to its word: `Don't` is `dont`, as without it.
                if byte != 0x27 { pendingBlank = true }
            } else {
                if pendingBlank, out.count > start { out.append(0x20) }
                pendingBlank = false
                out.append(folded)
            }
        }
    }

    /// The folded form of a string.
    public static func fold(_ string: some StringProtocol) -> String {
        var out: [UInt8] = []
        var string = String(string)
        string.withUTF8 { fold(UnsafeRawBufferPointer($0), into: &out) }
        return String(decoding: out, as: UTF8.self)
    }

    /// Lower-case letter or digit for each byte of ASCII; 0 for all that parts words.
    private static let asciiTable: [UInt8] = (0..<128).map { byte -> UInt8 in
        switch UInt8(byte) {
        case 0x30...0x39, 0x61...0x7A: UInt8(byte)
        case 0x41...0x5A: UInt8(byte) + 0x20
        default: 0
        }
    }

    private static func foldUnicode(_ string: String, into out: inout [UInt8]) {
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
