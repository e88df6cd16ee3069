/// Words of a command line, quoted for a shell.
enum ShellWord {
    /// The word as it must be typed: quoted only if a shell would otherwise change it.
    static func of(_ text: String) -> String {
        // A `#` begins a comment only at the beginning of a word.
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "-_./=,:+@%#".unicodeScalars.contains(scalar)
        }
        return isPlain && !text.isEmpty && text.first != "#" ? text : quoted(text)
    }

    /// The text in single quotes, which bash, zsh and fish read alike.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
