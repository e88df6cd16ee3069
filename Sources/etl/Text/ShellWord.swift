/// Words of a command line as they are typed.
enum ShellWord {
    /// A word of a command as it is typed: in quotes only where a shell would read it otherwise.
    static func of(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "-_./=,:+@%".unicodeScalars.contains(scalar)
        }
        return isPlain && !text.isEmpty ? text : quoted(text)
    }

    /// The text between single quotes, as all three shells read it.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
