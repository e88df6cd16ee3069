import System

/// Words of a command line, quoted for a shell.
enum ShellWord {
    /// The word as it must be typed: quoted only if a shell would otherwise change it.
    static func of(_ text: String) -> String {
        // A `#` begins a comment only at the beginning of a word.
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "-_./=,:+@%#".unicodeScalars.contains(scalar)
        }
        guard FileName.isText(text), !text.unicodeScalars.contains(where: TextWidth.isControl) else {
            return bytes(of: text)
        }
        return isPlain && !text.isEmpty && text.first != "#" ? text : quoted(text)
    }

    /// A text with control characters or bytes that are not UTF-8, as bash and zsh read it.
    private static func bytes(of name: String) -> String {
        let escaped = FileName.bytes(of: name).map { byte in
            let isPlain =
                (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\")
            return isPlain
                ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "$'" + escaped.joined() + "'"
    }

    /// The text in single quotes, which bash, zsh and fish read alike.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
