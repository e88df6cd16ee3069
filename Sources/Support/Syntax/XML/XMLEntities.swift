import Bytes

/// The named characters of HTML 4, such as `&eacute;`. ONIX 2.1 documents use them, because its DTD defines
/// them.
///
/// The DTD is never fetched, so the parser does not know these names. ``XMLRepair`` resolves them before the
/// parser sees the record.
enum XMLEntities {
    /// The code point of each name.
    static let numbers: [String: Int] = {
        var numbers: [String: Int] = [
            "OElig": 338, "oelig": 339, "Scaron": 352, "scaron": 353, "Yuml": 376, "circ": 710, "tilde": 732,
            "ensp": 8194, "emsp": 8195, "thinsp": 8201, "zwnj": 8204, "zwj": 8205, "ndash": 8211,
            "mdash": 8212,
            "lsquo": 8216, "rsquo": 8217, "sbquo": 8218, "ldquo": 8220, "rdquo": 8221, "bdquo": 8222,
            "dagger": 8224, "Dagger": 8225, "bull": 8226, "hellip": 8230, "permil": 8240, "prime": 8242,
            "lsaquo": 8249, "rsaquo": 8250, "euro": 8364, "trade": 8482, "minus": 8722,
        ]
        for (index, name) in latin1.split(separator: " ").enumerated() { numbers[String(name)] = 160 + index }
        return numbers
    }()

    /// Names of U+00A0 to U+00FF, in order.
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring \
        AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
        times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
        egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
        ugrave uacute ucirc uuml yacute thorn yuml
        """
}

/// Finds characters written as markup references, by name or number: `&eacute;`, `&#233;`.
enum CharacterReferences {
    /// Length of the longest name or number that is recognized.
    private static let longest = 10

    /// Replaces each reference once.
    ///
    /// - Parameter replacement: The text for a name (`eacute`, `#233`); nil keeps the reference.
    /// - Returns: The new text; nil if nothing was replaced.
    static func replaced(in bytes: [UInt8], by replacement: (String) -> String?) -> [UInt8]? {
        guard bytes.contains(UInt8(ascii: "&")) else { return nil }
        var output: [UInt8] = []
        var copied = 0
        var at = 0
        while let start = bytes[at...].firstIndex(of: UInt8(ascii: "&")) {
            at = start + 1
            let name = bytes[at...].prefix(longest + 1).prefix {
                $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "#")
            }
            guard name.count <= longest, name.endIndex < bytes.count,
                bytes[name.endIndex] == UInt8(ascii: ";"),
                let text = replacement(String(decoding: name, as: UTF8.self))
            else { continue }
            output += bytes[copied..<start]
            output += text.utf8
            at = name.endIndex + 1
            copied = at
        }
        return copied > 0 ? output + bytes[copied...] : nil
    }
}

extension CharacterReferences {
    /// The number of references that satisfy a condition.
    fileprivate static func count(in bytes: [UInt8], where isKnown: (String) -> Bool) -> Int {
        var count = 0
        _ = replaced(in: bytes) { name in
            if isKnown(name) { count += 1 }
            return nil
        }
        return count
    }
}

/// Characters written as in HTML: `&#039;`, `&#x27;`, `&amp;`, `&oacute;`. LibraryThing stores text escaped
/// for its web pages, and exports it in that form.
package enum HTMLReferences {
    /// Resolves each reference once. Anything else, such as the `&` of `AT&T`, stays.
    ///
    /// - Returns: The new text; nil if there was no reference.
    package static func resolved(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        CharacterReferences.replaced(in: Array(bytes)) { name in scalar(name).map { String(Character($0)) } }
    }

    /// A text's use of `&`.
    package enum Use: Sendable {
        /// Not at all.
        case none
        /// Only in references to characters.
        case escaped
        /// On its own.
        case bare
    }

    /// A text's use of `&`.
    package static func use(in bytes: UnsafeRawBufferPointer) -> Use {
        guard let first = bytes.firstIndex(of: UInt8(ascii: "&")) else { return .none }
        let ampersands = bytes.count { $0 == UInt8(ascii: "&") }
        let references = CharacterReferences.count(in: Array(bytes[first...])) { scalar($0) != nil }
        return references == ampersands ? .escaped : .bare
    }

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        if let own = own[name] { return own }
        if let number = XMLEntities.numbers[name] { return Unicode.Scalar(UInt32(number)) }
        // Control characters are not text.
        guard let number = number(name), number >= 0x20, number != 0x7F else { return nil }
        return Unicode.Scalar(number)
    }

    /// The code point of a numeric reference such as `#x27`; nil for a name.
    private static func number(_ name: String) -> UInt32? {
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        return isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    }

    /// Whether a numeric reference refers to a character that XML 1.0 allows.
    static func isCharacter(_ name: String) -> Bool {
        guard let number = number(name), Unicode.Scalar(number) != nil else { return false }
        return switch number {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    /// The names that XML itself defines.
    private static let own: [String: Unicode.Scalar] = [
        "amp": "&", "quot": "\"", "lt": "<", "gt": ">", "apos": "'",
    ]
}
