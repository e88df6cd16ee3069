import Bytes

/// Yes and no as programs and people write them, in the languages of the column names.
enum YesNo {
    /// Nil for anything else, such as a number.
    static func read(_ bytes: UnsafeRawBufferPointer) -> Bool? {
        let trimmed = bytes.trimmedBlanks
        guard (1...12).contains(trimmed.count), !bytes[trimmed].allSatisfy(\.isDigit) else { return nil }
        let word = String(decoding: bytes[trimmed], as: UTF8.self).lowercased()
        return yes.contains(word) ? true : no.contains(word) ? false : nil
    }

    private static let yes: Set = [
        "yes", "y", "true", "t", "x", "✓", "✔", "☑", "✅", "on", "owned", "ja", "j", "wahr", "oui", "o",
        "vrai", "sí",
        "si", "s", "verdadero", "sì", "vero", "sim", "verdadeiro", "waar", "checked",
    ]
    private static let no: Set = [
        "no", "n", "false", "f", "off", "not owned", "nein", "falsch", "non", "faux", "falso", "não", "nao",
        "nee",
        "onwaar", "☐", "✗", "✘", "unchecked",
    ]
}
