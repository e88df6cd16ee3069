import Bytes

/// Text as TeX writes it: `M{\"u}ller \& Co`.
package enum TeXText {
    /// The text as it is printed. Commands that are not letters or accents are left out, and so are braces.
    package static func plain(_ text: String) -> String {
        let isMarkedUp = text.contains {
            $0 == "\\" || $0 == "{" || $0 == "}" || $0 == "~" || $0.isNewline
        }
        guard isMarkedUp || text.contains("--") || text.contains("``") else { return text }
        let dollars =
            text.count { $0 == "$" }
            - (text.split(separator: "\\$", omittingEmptySubsequences: false).count - 1)
        var out = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "{", "}": continue
            // Around a formula. A single one is a price.
            case "$" where dollars.isMultiple(of: 2): continue
            case "~": out += " "
            case "-" where rest.hasPrefix("--"): sign("—", &rest, 2, &out)
            case "-" where rest.hasPrefix("-"): sign("–", &rest, 1, &out)
            case "`" where rest.hasPrefix("`"): sign("“", &rest, 1, &out)
            case "'" where rest.hasPrefix("'"): sign("”", &rest, 1, &out)
            case "\\": command(&rest, &out)
            default: out.append(character.isNewline ? " " : character)
            }
        }
        return out.normalized(.c)
    }

    private static func sign(_ sign: String, _ rest: inout Substring, _ more: Int, _ out: inout String) {
        rest = rest.dropFirst(more)
        out += sign
    }

    private static func command(_ rest: inout Substring, _ out: inout String) {
        guard let first = rest.first else { return }
        let name = first.isLetter ? rest.prefix { $0.isLetter && $0.isASCII } : rest.prefix(1)
        rest = rest.dropFirst(name.count)
        if let mark = accents[String(name)] {
            rest = rest.drop { $0 == "{" || $0 == " " }
            guard let base = rest.popFirst() else { return }
            // The dotless letters have accents too: `\'\i`.
            let letter = base == "\\" ? rest.popFirst() : base
            if let letter { out += "\(letter)\(mark)" }
            return
        }
        if let letters = letters[String(name)] {
            out += letters
            if rest.first == " " { rest.removeFirst() }
        } else if let space = spaces[String(name)] {
            out += space
        } else if !first.isLetter {
            out.append(contentsOf: name)
        } else if rest.first == " " {
            rest.removeFirst()
        }
    }

    /// Combining marks by command.
    private static let accents = [
        "\"": "\u{308}", "'": "\u{301}", "`": "\u{300}", "^": "\u{302}", "~": "\u{303}", "=": "\u{304}",
        ".": "\u{307}", "c": "\u{327}", "v": "\u{30C}", "u": "\u{306}", "H": "\u{30B}", "k": "\u{328}",
        "r": "\u{30A}", "d": "\u{323}", "b": "\u{331}",
    ]

    /// Spaces, and places where a word may be broken.
    private static let spaces = [",": " ", ";": " ", ":": " ", " ": " ", "!": "", "/": "", "-": ""]

    private static let letters = [
        "LaTeX": "LaTeX", "TeX": "TeX", "textquotedblleft": "“", "textquotedblright": "”",
        "quotedblbase": "„", "guillemotleft": "«", "guillemotright": "»", "textregistered": "®",
        "texttrademark": "™", "copyright": "©", "pounds": "£", "texteuro": "€", "euro": "€", "P": "¶",
        "S": "§", "textdegree": "°",
        "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "ss": "ß", "o": "ø", "O": "Ø",
        "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł", "i": "ı",
        "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "textendash": "–", "textemdash": "—",
        "textquoteright": "’", "textquoteleft": "‘", "ldots": "…", "dots": "…",
    ]
}
