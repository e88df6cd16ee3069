/// Characters written as in HTML: `&#039;`, `&#x27;`, `&amp;`, `&oacute;`. LibraryThing escapes so what it puts into a web
/// page, and exports it as it keeps it.
package enum HTMLReferences {
    /// Text with its references resolved, each once; nil where it has none. What is no reference, as the `&` of `AT&T`,
    /// stays as it is.
    package static func resolved(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        CharacterReferences.replaced(in: Array(bytes)) { name in scalar(name).map { String(Character($0)) } }
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
