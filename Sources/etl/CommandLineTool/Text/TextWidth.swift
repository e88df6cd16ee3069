import System

/// Text measured in the columns of a terminal: width, wrapping, cutting, and escaping of control characters.
enum TextWidth {
    /// Columns of a text without control characters.
    static func columns(_ text: String) -> Int {
        // Nearly everything is ASCII, where a byte is a column.
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + columns($1) }
    }

    /// Columns of one character as the user sees it: 0, 1 or 2.
    static func columns(_ character: Character) -> Int {
        var widest = 0
        for scalar in character.unicodeScalars {
            // Variation selector 16 selects the wide emoji of a character that also has a narrow form.
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

    /// The text with control characters replaced by U+FFFD, so that a title in a file can neither move the
    /// cursor nor retitle the window. Line ends and tabs become spaces, and bytes of file names that are not UTF-8
    /// become `\xE9`.
    static func printable(_ text: String) -> String {
        let text = FileName.shown(text)
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

    /// Control characters, and marks that change the direction of the text after them.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The text in at most `columns` columns. If something is cut off, the text ends with `…`.
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

    /// The text in lines of at most `width` columns; one line if `width` is nil or the text fits.
    ///
    /// Lines break at spaces only, and never within backquotes: a command stays on one line so that it can be
    /// copied. A word or command that is wider than a line gets its own line.
    static func wrap(_ text: String, at width: Int?) -> [String] {
        guard let width, columns(text) > width else { return [text] }
        var lines: [String] = []
        var line = ""
        var used = 0
        for piece in unbreakable(text) {
            let columns = columns(piece)
            if used > 0, used + 1 + columns > width {
                lines.append(line)
                (line, used) = ("", 0)
            }
            line += used > 0 ? " " + piece : piece
            used += (used > 0 ? 1 : 0) + columns
        }
        if used > 0 || lines.isEmpty { lines.append(line) }
        return lines
    }

    /// The pieces of a text that stay on one line: its words, with text in backquotes as one word.
    static func unbreakable(_ text: String) -> [String] {
        var pieces: [String] = []
        var isOpen = false
        for word in text.split(separator: " ") {
            if isOpen, let last = pieces.popLast() {
                pieces.append("\(last) \(word)")
            } else {
                pieces.append(String(word))
            }
            if !word.count(where: { $0 == "`" }).isMultiple(of: 2) { isOpen.toggle() }
        }
        // An unclosed backquote is an ordinary character.
        return isOpen ? text.split(separator: " ").map(String.init) : pieces
    }

    /// The text padded with spaces to `columns` columns.
    static func pad(_ text: String, to columns: Int, right: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, columns - self.columns(text)))
        return right ? blanks + text : text + blanks
    }
}
