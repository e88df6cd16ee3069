/// The named characters of HTML 4 that ONIX 2.1 took over, in the documents of people who have its DTD: `&eacute;`.
///
/// The DTD is never fetched, so the parser does not know them; they are resolved before it sees the record.
enum XMLEntities {
    /// Replaces known names by references to their numbers; all else, the five names of XML among it, stays.
    static func resolve(_ bytes: inout [UInt8]) {
        let resolved = CharacterReferences.replaced(in: bytes) { name in numbers[name].map { "&#\($0);" } }
        if let resolved { bytes = resolved }
    }

    /// What each name stands for.
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

    /// Names of U+00A0 to U+00FF, in their order.
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring \
        AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
        times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
        egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
        ugrave uacute ucirc uuml yacute thorn yuml
        """
}
