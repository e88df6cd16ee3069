/// How many columns of a terminal a text takes, and how it is kept from doing anything else to it.
enum TextWidth {
    /// Columns of a text without control characters.
    static func columns(_ text: String) -> Int {
        // Nearly everything is ASCII, where a byte is a column.
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + columns($1) }
    }

    /// Columns of what a reader takes for one character: 0, 1 or 2.
    static func columns(_ character: Character) -> Int {
        var widest = 0
        for scalar in character.unicodeScalars {
            // Variation selector 16 asks for the emoji, which is wide, of a sign that has a narrow form too.
            if scalar.value == 0xFE0F { return 2 }
            widest = max(widest, columns(scalar))
        }
        return widest
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value == 0xAD ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
    }

    /// East Asian Wide and Fullwidth (Unicode Standard Annex 11), in blocks.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// The text with its control characters made visible, so that a title in somebody's file can neither move
    /// the cursor nor retitle the window. Line ends and tabs become blanks.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\r", "\t", "\u{2028}", "\u{2029}", "\u{85}": scalars.append(" ")
            case _ where isControl(scalar): scalars.append("\u{FFFD}")
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// Control characters, and the marks that turn the direction of the text after them.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The text in at most so many columns, the end given up for `…`.
    static func cut(_ text: String, to columns: Int) -> String {
        guard self.columns(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var kept = ""
        var used = 1
        for character in text {
            used += self.columns(character)
            guard used <= columns else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// The text filled up with blanks to so many columns.
    static func pad(_ text: String, to columns: Int, right: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, columns - self.columns(text)))
        return right ? blanks + text : text + blanks
    }
}
