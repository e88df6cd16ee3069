/// Characters written as in HTML: `&#039;`, `&#x27;`, `&amp;`, `&oacute;`. LibraryThing escapes so what it puts into a web
/// page, and exports it as it keeps it.
enum HTMLReferences {
    /// Letters and digits of the longest name or number that is looked for.
    private static let longest = 8

    /// Text with its references resolved, each once; nil where it has none. What is no reference, as the `&` of `AT&T`,
    /// stays as it is.
    static func resolved(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        guard bytes.contains(UInt8(ascii: "&")) else { return nil }
        let bytes = Array(bytes)
        var output: [UInt8] = []
        var copied = 0
        var at = 0
        while let start = bytes[at...].firstIndex(of: UInt8(ascii: "&")) {
            let name = bytes[(start + 1)...].prefix { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "#") }
            at = start + 1
            guard name.count <= longest, name.endIndex < bytes.count,
                bytes[name.endIndex] == UInt8(ascii: ";"),
                let scalar = scalar(String(decoding: name, as: UTF8.self))
            else { continue }
            output += bytes[copied..<start] + Array(String(Character(scalar)).utf8)
            at = name.endIndex + 1
            copied = at
        }
        return copied > 0 ? output + bytes[copied...] : nil
    }

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        if let own = own[name] { return own }
        if let number = XMLEntities.numbers[name] { return Unicode.Scalar(UInt32(number)) }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        // Control characters are no text, whoever wrote them.
        guard let number, number >= 0x20, number != 0x7F else { return nil }
        return Unicode.Scalar(number)
    }

    /// The names that XML has itself.
    private static let own: [String: Unicode.Scalar] = [
        "amp": "&", "quot": "\"", "lt": "<", "gt": ">", "apos": "'",
    ]
}
