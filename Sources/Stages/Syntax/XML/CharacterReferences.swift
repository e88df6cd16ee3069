import Bytes

/// Finds characters that are written by name or number, as markup does: `&eacute;`, `&#233;`.
enum CharacterReferences {
    /// Letters and digits of the longest name or number that is looked for.
    private static let longest = 10

    /// The text with its references replaced, each once.
    ///
    /// - Parameter replacement: What stands for a name (`eacute`, `#233`); nil leaves it as it is.
    /// - Returns: Nil where nothing was replaced.
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
